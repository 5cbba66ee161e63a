import { describe, expect, it } from 'vitest';
import { Clearings } from './clearings.js';

describe('what was cleared', () => {
  it('bars requests from before, for its scope alone', () => {
    const bars = new Clearings();
    bars.set('server', null, 5);
    expect([4, 5].map((issued) => bars.has('server', null, issued))).toEqual([true, false]);
    expect(bars.has('session', 'one', 4)).toBe(false);
  });

  it('of one conversation bars those of that one, and of the scope those of all', () => {
    const bars = new Clearings();
    bars.set('session', 'one', 5);
    expect(['one', 'two'].map((place) => bars.has('session', place, 4))).toEqual([true, false]);
    expect(bars.has('server', null, 4)).toBe(false);
    bars.set('session', null, 7);
    expect(['one', 'two'].map((place) => bars.has('session', place, 6))).toEqual([true, true]);
  });

  it('D-09: stays bounded, and none of it is taken for not cleared', () => {
    const bars = new Clearings();
    for (let n = 1; n <= 5_000; n++) bars.set('session', `${n}`, n);
    for (const n of [1, 4_000, 4_001, 5_000]) expect(bars.has('session', `${n}`, n - 1)).toBe(true);
    expect([3_999, 4_000].map((issued) => bars.has('session', 'other', issued))).toEqual([true, false]);
  });
});
