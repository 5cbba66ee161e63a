import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill/full';
import { describe, expect, it } from 'vitest';
import { unitAround, weekIn } from './calendar.js';
import { civilOf, dayOf } from './civil.js';
import { readWhen, type When } from './when.js';
import type { DayUnit } from './types.js';

const at = (date: string, locale = 'en-GB', weekStart?: number): When =>
  readWhen({ now: `${date}T12:00:00Z`, timezone: 'UTC', locale, ...(weekStart ? { weekStart } : {}) });
const shown = ({ from, to }: { from: number; to: number }): string =>
  [from, to].map((day) => Temporal.PlainDate.from(civilOf(day)).toString()).join(' ');

describe('calendar units around a day', () => {
  it.each<[DayUnit, number, string, string]>([
    ['day', 0, '2026-03-18', '2026-03-18 2026-03-19'],
    ['week', 0, '2026-03-18', '2026-03-16 2026-03-23'],
    ['week', -1, '2026-03-16', '2026-03-09 2026-03-16'],
    ['weekend', 0, '2026-03-18', '2026-03-21 2026-03-23'],
    ['weekend', 0, '2026-03-22', '2026-03-21 2026-03-23'],
    ['weekend', -1, '2026-03-22', '2026-03-14 2026-03-16'],
    ['month', 1, '2026-01-31', '2026-02-01 2026-03-01'],
    ['quarter', -1, '2026-03-18', '2025-10-01 2026-01-01'],
    ['half', 1, '2026-03-18', '2026-07-01 2027-01-01'],
    ['year', -1, '2026-03-18', '2025-01-01 2026-01-01'],
  ])('%s %i from %s is %s', (unit, by, date, expected) => {
    expect(shown(unitAround(at(date), unit, by))).toBe(expected);
  });
});

describe('CTX-29: the locale decides where weeks start and which days are the weekend', () => {
  it.each([
    ['en-US', '2026-03-18', '2026-03-15 2026-03-22', '2026-03-21 2026-03-23'],
    ['en-US', '2026-03-22', '2026-03-22 2026-03-29', '2026-03-21 2026-03-23'],
    ['en-US-u-fw-mon', '2026-03-18', '2026-03-16 2026-03-23', '2026-03-21 2026-03-23'],
    ['ar-SA', '2026-03-18', '2026-03-15 2026-03-22', '2026-03-20 2026-03-22'],
    ['fa-IR', '2026-03-18', '2026-03-14 2026-03-21', '2026-03-20 2026-03-21'],
    ['hi-IN', '2026-03-18', '2026-03-15 2026-03-22', '2026-03-22 2026-03-23'],
    ['ar-EG', '2026-03-18', '2026-03-14 2026-03-21', '2026-03-20 2026-03-22'],
  ])('%s on %s: week %s, weekend %s', (locale, date, week, weekend) => {
    expect([shown(unitAround(at(date, locale), 'week', 0)), shown(unitAround(at(date, locale), 'weekend', 0))]).toEqual([week, weekend]);
  });

  it('weekStart beats the locale', () => {
    expect(shown(unitAround(at('2026-03-18', 'en-US', 6), 'week', 0))).toBe('2026-03-14 2026-03-21');
  });
});

describe('weeks of a month or year', () => {
  it.each([
    ['2021-01-01', '2022-01-01', 1, '2021-01-04 2021-01-11'],
    ['2015-01-01', '2016-01-01', 1, '2014-12-29 2015-01-05'],
    ['2015-01-01', '2016-01-01', -1, '2015-12-28 2016-01-04'],
    ['2026-03-01', '2026-04-01', 5, undefined],
  ])('%s to %s, week %i: %s', (from, to, nth, expected) => {
    const number = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
    const found = weekIn(at('2026-03-18'), { from: number(from), to: number(to) }, nth);
    expect(found && shown(found)).toBe(expected);
  });
});

describe('CTX-29: months and years of other calendars', () => {
  const CALENDARS = ['persian', 'hebrew', 'islamic-umalqura', 'islamic-civil', 'coptic', 'ethiopic', 'indian', 'chinese'];
  it.each(CALENDARS)('%s: a month and a year begin and end where Temporal says', (calendar) => {
    fc.assert(
      fc.property(fc.integer({ min: dayOf(1990, 1, 1), max: dayOf(2040, 1, 1) }), fc.integer({ min: -14, max: 14 }), (day, by) => {
        const when = readWhen({ now: day * 86_400_000, timezone: 'UTC', locale: `en-u-ca-${calendar}` });
        const iso = Temporal.PlainDate.from(civilOf(day));
        const month = iso.withCalendar(calendar).with({ day: 1 }).add({ months: by });
        expect(shown(unitAround(when, 'month', by))).toBe(`${isoOf(month)} ${isoOf(month.add({ months: 1 }))}`);
        const year = iso
          .withCalendar(calendar)
          .with({ month: 1, day: 1 })
          .add({ years: Math.sign(by) });
        const firstOf = (date: Temporal.PlainDate): Temporal.PlainDate => date.with({ month: 1, day: 1 });
        expect(shown(unitAround(when, 'year', Math.sign(by)))).toBe(`${isoOf(firstOf(year))} ${isoOf(firstOf(year.add({ years: 1 })))}`);
      }),
      { numRuns: 25 },
    );
  });
  const isoOf = (date: Temporal.PlainDate): string => date.withCalendar('iso8601').toString();

  it("a Persian user's month is the Persian one, with no extension asked for", () => {
    expect(shown(unitAround(at('2026-03-22', 'fa-IR'), 'month', 0))).toBe('2026-03-21 2026-04-21');
    expect(shown(unitAround(at('2026-03-22', 'fa-IR'), 'year', 0))).toBe('2026-03-21 2027-03-21');
  });

  it('calendars with Gregorian months and other year numbers use Gregorian months and years', () => {
    expect(at('2026-03-22', 'th-TH').locale.calendar).toBeUndefined();
    expect(at('2026-03-22', 'ja-JP-u-ca-japanese').locale.calendar).toBeUndefined();
  });
});
