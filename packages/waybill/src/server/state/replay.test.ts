import { describe, expect, it } from 'vitest';
import { memoryReplayGuard } from './replay.js';

describe('D-22: the memory of live values', () => {
  it('it holds the most recent values; an older one counts as replayed', async () => {
    const guard = memoryReplayGuard(2);
    for (const sequence of ['a', 'b', 'c']) await guard.replace('cart', undefined, sequence, undefined);
    expect(['a', 'b', 'c'].map((sequence) => guard.isLive('cart', sequence))).toEqual([false, true, true]);
  });

  it('a replaced value makes room again', async () => {
    const guard = memoryReplayGuard(2);
    await guard.replace('cart', undefined, 'a', undefined);
    await guard.replace('cart', undefined, 'b', undefined);
    await guard.replace('cart', 'b', 'c', undefined);
    expect(['a', 'b', 'c'].map((sequence) => guard.isLive('cart', sequence))).toEqual([true, false, true]);
  });
});
