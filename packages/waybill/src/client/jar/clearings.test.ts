import { describe, expect, it } from 'vitest';
import { Clearings } from './clearings.js';

describe('cleared state', () => {
  it('a request from before a clear sets nothing in the cleared scope, and only there', () => {
    const bars = new Clearings();
    bars.set('server', null, 5);
    expect([4, 5].map((issued) => bars.has('server', null, issued))).toEqual([true, false]);
    expect(bars.has('session', 'one', 4)).toBe(false);
  });

  it('clearing one conversation affects that one; clearing the scope affects all', () => {
    const bars = new Clearings();
    bars.set('session', 'one', 5);
    expect(['one', 'two'].map((place) => bars.has('session', place, 4))).toEqual([true, false]);
    expect(bars.has('server', null, 4)).toBe(false);
    bars.set('session', null, 7);
    expect(['one', 'two'].map((place) => bars.has('session', place, 6))).toEqual([true, true]);
  });

  it('D-09: the memory of clearings is bounded, and none of them is forgotten', () => {
    const bars = new Clearings();
    for (let n = 1; n <= 5_000; n++) bars.set('session', `${n}`, n);
    for (const n of [1, 4_000, 4_001, 5_000]) expect(bars.has('session', `${n}`, n - 1)).toBe(true);
    expect([3_999, 4_000].map((issued) => bars.has('session', 'other', issued))).toEqual([true, false]);
  });
});
