import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { dayOf } from './civil.js';
import { DAY_MS, findZone, firstInstant, instantOf, localOf, type Zone } from './zone.js';

const zone = (name: string): Zone => {
  const found = findZone(name);
  if (!found) throw new Error(name);
  return found;
};
const iso = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z');
const day = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
const ZONES = Intl.supportedValuesOf('timeZone');

describe('CTX-24: a day lies between the first instant of its date and that of the next', () => {
  it.each([
    ['Europe/Vienna', '2025-10-26', '2025-10-25T22:00:00Z', '2025-10-26T23:00:00Z', 25],
    ['Europe/Vienna', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z', 24.5],
    ['Africa/Cairo', '2025-04-25', '2025-04-24T22:00:00Z', '2025-04-25T21:00:00Z', 23],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z', 23],
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00Z', '2025-11-03T05:00:00Z', 25],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00Z', '1919-04-01T04:00:00Z', 23.5],
    ['Antarctica/Troll', '2026-03-29', '2026-03-29T00:00:00Z', '2026-03-29T22:00:00Z', 22],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z', 24],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z', 24],
    ['+05:30', '2026-03-29', '2026-03-28T18:30:00Z', '2026-03-29T18:30:00Z', 24],
  ])('%s %s: %s to %s, %d hours', (name, date, start, end, hours) => {
    const from = firstInstant(zone(name), day(date));
    const to = firstInstant(zone(name), day(date) + 1);
    expect([iso(from), iso(to), (to - from) / 3_600_000]).toEqual([start, end, hours]);
  });

  it('agrees with Temporal on any day of any zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: dayOf(1925, 1, 1), max: dayOf(2037, 1, 1) }), (name, number) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: number });
        expect(firstInstant(zone(name), number)).toBe(date.toZonedDateTime(name).epochMilliseconds);
      }),
      { numRuns: 400 },
    );
  });
});

describe('CTX-25: clock times that happen twice or never', () => {
  it.each([
    ['Europe/Vienna', '2025-10-26T02:30:00', '2025-10-26T00:30:00Z', 'of two the earlier'],
    ['Europe/Vienna', '2026-03-29T02:30:00', '2026-03-29T01:30:00Z', 'a skipped one moves forward by the gap'],
    ['Australia/Lord_Howe', '2025-10-05T02:15:00', '2025-10-04T15:45:00Z', 'by half an hour there'],
    ['America/New_York', '2026-07-01T12:00:00', '2026-07-01T16:00:00Z', 'any other is plain'],
  ])('%s %s is %s: %s', (name, local, expected) => {
    expect(iso(instantOf(zone(name), Date.parse(`${local}Z`)))).toBe(expected);
  });

  it('agrees with Temporal about any clock time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 65 * 366 * 24 * 4 }), (name, quarters) => {
        const local = quarters * 900_000;
        const plain = Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, 19));
        const expected = plain.toZonedDateTime(name).epochMilliseconds;
        expect(instantOf(zone(name), local)).toBe(expected);
        expect(localOf(zone(name), expected)).toBe(
          Date.parse(`${Temporal.Instant.fromEpochMilliseconds(expected).toZonedDateTimeISO(name).toPlainDateTime().toString()}Z`),
        );
      }),
      { numRuns: 400 },
    );
  });
});

describe('names', () => {
  it.each([
    ['europe/vienna', 'europe/vienna'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['UTC', 'UTC'],
    ['Z', 'UTC'],
    ['+02', '+02:00'],
    ['-0330', '-03:30'],
    ['+00:00', '+00:00'],
  ])('CTX-23, CTX-26: %s is a zone', (name, id) => {
    expect(findZone(name)?.id).toBe(id);
    expect(() => new Temporal.ZonedDateTime(0n, id)).not.toThrow();
  });

  it.each(['', 'Vienna', 'Europe/Wien', 'GMT+1', '+24:00', '+1', 'W. Europe Standard Time', '__proto__', 'constructor'])(
    '%s is none',
    (name) => {
      expect(findZone(name)).toBeUndefined();
    },
  );

  it('every zone of the runtime is one Temporal takes too', () => {
    expect(ZONES.filter((name) => findZone(name)?.id !== name)).toEqual([]);
  });
});
