import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { addMonths, civilOf, dayOf, daysInMonth, exists, weekdayOf } from './civil.js';

const anyDay = fc.integer({ min: -719_162, max: 2_932_896 });
const plain = (day: number): Temporal.PlainDate => Temporal.PlainDate.from('1970-01-01').add({ days: day });

it('CTX-24: day numbers and dates are the same thing in the years 1 to 9999', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const { year, month, day: dayOfMonth } = plain(day);
      expect(civilOf(day)).toEqual({ year, month, day: dayOfMonth });
      expect(dayOf(year, month, dayOfMonth)).toBe(day);
      expect(weekdayOf(day)).toBe(plain(day).dayOfWeek);
      expect(daysInMonth(year, month)).toBe(plain(day).daysInMonth);
    }),
  );
});

it('a month later is the same day of the month, or its last', () => {
  fc.assert(
    fc.property(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -600, max: 600 }), (day, months) => {
      const expected = plain(day).add({ months });
      expect(civilOf(addMonths(day, months))).toEqual({ year: expected.year, month: expected.month, day: expected.day });
    }),
  );
});

it.each([
  [2024, 2, 29, true],
  [2025, 2, 29, false],
  [1900, 2, 29, false],
  [2000, 2, 29, true],
  [2026, 13, 1, false],
  [2026, 4, 31, false],
  [2026, 4, 0, false],
])('%i-%i-%i exists: %s', (year, month, day, expected) => {
  expect(exists(year, month, day)).toBe(expected);
});
