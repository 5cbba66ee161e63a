import { describe, expect, it } from 'vitest';
import { Clearings } from './clearings.js';

describe('cleared state', () => {
  it('a request from before a clear sets nothing in the cleared scope, and only there', () => {
    const clearings = new Clearings();
    clearings.set('server', null, 5);
    expect([4, 5].map((issued) => clearings.has('server', null, issued))).toEqual([true, false]);
    expect(clearings.has('session', 'one', 4)).toBe(false);
  });

  it('clearing one conversation affects that one; clearing the scope affects all', () => {
    const clearings = new Clearings();
    clearings.set('session', 'one', 5);
    expect(['one', 'two'].map((place) => clearings.has('session', place, 4))).toEqual([true, false]);
    expect(clearings.has('server', null, 4)).toBe(false);
    clearings.set('session', null, 7);
    expect(['one', 'two'].map((place) => clearings.has('session', place, 6))).toEqual([true, true]);
  });

  it('D-09: the memory of clearings is bounded, and none of them is forgotten', () => {
    const clearings = new Clearings();
    for (let n = 1; n <= 5_000; n++) clearings.set('session', `${n}`, n);
    for (const n of [1, 4_000, 4_001, 5_000]) expect(clearings.has('session', `${n}`, n - 1)).toBe(true);
    expect([3_999, 4_000].map((issued) => clearings.has('session', 'other', issued))).toEqual([true, false]);
  });
});
