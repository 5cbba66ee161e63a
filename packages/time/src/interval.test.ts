import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { dates, day, halfYear, month, quarter, rolling, toDate, week, weekend, year } from './index.js';
import type { Period } from './types.js';

const when = { now: '2026-03-18T10:00:00+01:00', timezone: 'Europe/Vienna', locale: 'de-AT' };
const shown = ({ start, end, grain, kind }: Period): string =>
  `${start.toInstant().toString()} ${end.toInstant().toString()} ${grain} ${kind}`;

describe('calendar units for structured input', () => {
  it.each([
    ['day', day(when), '2026-03-17T23:00:00Z 2026-03-18T23:00:00Z day period'],
    ['yesterday', day(when, -1), '2026-03-16T23:00:00Z 2026-03-17T23:00:00Z day period'],
    ['next week', week(when, 1), '2026-03-22T23:00:00Z 2026-03-29T22:00:00Z week period'],
    ['weekend', weekend(when), '2026-03-20T23:00:00Z 2026-03-22T23:00:00Z weekend period'],
    ['last month', month(when, -1), '2026-01-31T23:00:00Z 2026-02-28T23:00:00Z month period'],
    ['quarter', quarter(when), '2025-12-31T23:00:00Z 2026-03-31T22:00:00Z quarter period'],
    ['half', halfYear(when), '2025-12-31T23:00:00Z 2026-06-30T22:00:00Z half period'],
    ['next year', year(when, 1), '2026-12-31T23:00:00Z 2027-12-31T23:00:00Z year period'],
    ['last 7 days', rolling(when, -7), '2026-03-10T23:00:00Z 2026-03-17T23:00:00Z day period'],
    ['next 2 weeks', rolling(when, 2, 'week'), '2026-03-18T23:00:00Z 2026-04-01T22:00:00Z week period'],
    ['past 3 months', rolling(when, -3, 'month'), '2025-12-17T23:00:00Z 2026-03-17T23:00:00Z month period'],
    ['month to date', toDate(when, 'month'), '2026-02-28T23:00:00Z 2026-03-18T09:00:00Z month since'],
    ['dates', dates(when, '2026-03-28', '2026-03-29'), '2026-03-27T23:00:00Z 2026-03-29T22:00:00Z day period'],
    ['one date', dates(when, Temporal.PlainDate.from('2026-03-29')), '2026-03-28T23:00:00Z 2026-03-29T22:00:00Z day period'],
  ])('CTX-24: %s', (_, period, expected) => {
    expect(shown(period)).toBe(expected);
  });

  it('takes any instant as now', () => {
    const expected = shown(day(when));
    for (const now of [
      Date.parse(when.now),
      new Date(when.now),
      Temporal.Instant.from(when.now),
      Temporal.ZonedDateTime.from('2026-03-18T10:00[Europe/Vienna]'),
    ])
      expect(shown(day({ ...when, now }))).toBe(expected);
  });

  it('CTX-26: an offset is a zone', () => {
    expect(shown(day({ now: '2026-03-18T23:30:00-05:00', timezone: '-05:00' }))).toBe(
      '2026-03-18T05:00:00Z 2026-03-19T05:00:00Z day period',
    );
  });
});

describe("wrong values are the programmer's and named", () => {
  it.each<[string, () => unknown]>([
    ['timezone: "Europe/Wien"', () => day({ ...when, timezone: 'Europe/Wien' })],
    ['timezone: undefined', () => day({ ...when, timezone: undefined as unknown as string })],
    ['now: "yesterday"', () => day({ ...when, now: 'yesterday' })],
    ['now: "2026-03-18T10:00:00"', () => day({ ...when, now: '2026-03-18T10:00:00' })],
    ['now: NaN', () => day({ ...when, now: NaN })],
    ['now: 8640000000000000', () => day({ ...when, now: 8.64e15 })],
    ['now: null', () => day({ ...when, now: null as unknown as number })],
    ['locale: "de_AT"', () => day({ ...when, locale: 'de_AT' })],
    ['weekStart: 0', () => day({ ...when, weekStart: 0 })],
    ['shift: 0.5', () => day(when, 0.5)],
    ['shift: 99999999', () => year(when, 99_999_999)],
    ['count: 0', () => rolling(when, 0)],
    ['first: undefined is not a date', () => dates(when, undefined as unknown as string)],
    ['last: tomorrow is not a date', () => dates(when, '2026-03-02', 'tomorrow')],
    ['first: -000044-03-15 is not a date', () => dates(when, '-000044-03-15')],
    ['last: 2026-03-01', () => dates(when, '2026-03-02', '2026-03-01')],
  ])('%s', (message, call) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(message);
  });

  it.each([undefined, null, 'UTC'])('no options: %s', (options) => {
    expect(() => day(options as never)).toThrow('options: expected { now, timezone, locale }');
  });

  it('a name of a megabyte is not repeated in full', () => {
    expect(() => day({ ...when, timezone: 'x'.repeat(1_000_000) })).toThrow(/^.{0,200}$/);
  });
});

describe('an unknown unit', () => {
  it.each(['days', 'hour', 'foo', undefined])('is named: %s', (unit) => {
    expect(() => toDate(when, unit as never)).toThrow('unit: ');
    if (unit !== undefined) expect(() => rolling(when, -7, unit as never)).toThrow('unit: ');
  });
});
