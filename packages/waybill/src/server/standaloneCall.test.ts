import { describe, expect, it } from 'vitest';
import { Sessions } from './standaloneCall.js';

describe('sessions of a server whose transport the layer does not see', () => {
  it('the session that was used least recently goes first once there are too many', () => {
    const sessions = new Sessions();
    for (let at = 0; at < 4096; at++) sessions.note(`s${at}`, { roots: {} });
    expect(sessions.declaredIn('s0')).toEqual({ roots: {} });
    sessions.note('one more', { roots: {} });
    expect([sessions.declaredIn('s0'), sessions.declaredIn('s1'), sessions.declaredIn('one more')]).toEqual([
      { roots: {} },
      undefined,
      { roots: {} },
    ]);
  });

  it('a client that declares very much declares nothing, also where the session declared something before', () => {
    const sessions = new Sessions();
    sessions.note('s', { roots: {} });
    sessions.note('s', { experimental: { long: 'x'.repeat(5000) } });
    expect(sessions.declaredIn('s')).toBeUndefined();
  });
});
