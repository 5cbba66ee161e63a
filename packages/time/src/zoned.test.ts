import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { ZonedMoment } from './zoned.js';

const at = (instant: number, timezone: string): ZonedMoment => new ZonedMoment(timezone, instant);
const MEMBERS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'offset', 'timeZoneId', 'epochNanoseconds'] as const;
const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', '+05:30', '-11:00'];

describe('the ends of an interval', () => {
  it('have the same members as Temporal gives, at any instant of any zone', () => {
    const instants = fc.integer({ min: Date.parse('1850-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (timezone, instant) => {
        const ours = at(instant, timezone);
        const theirs = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
        expect(MEMBERS.map((member) => ours[member])).toEqual(MEMBERS.map((member) => theirs[member]));
        expect([ours.toString(), ours.toInstant().toString(), ours.toPlainDate().toString()]).toEqual([
          theirs.toString(),
          theirs.toInstant().toString(),
          theirs.toPlainDate().toString(),
        ]);
        expect(Temporal.ZonedDateTime.from(ours.toString()).epochMilliseconds).toBe(instant);
      }),
      { numRuns: 400 },
    );
  });

  it('are written as text in JSON', () => {
    expect(JSON.stringify({ start: at(0, 'Europe/Vienna') })).toBe('{"start":"1970-01-01T01:00:00+01:00[Europe/Vienna]"}');
  });

  it('can be moved to another zone, and printed for a reader', () => {
    expect(at(0, 'UTC').withTimeZone('Asia/Tokyo').hour).toBe(9);
    expect(() => at(0, 'UTC').withTimeZone('Asia/Edo')).toThrow('timezone: "Asia/Edo"');
    expect(at(0, 'Asia/Tokyo').toLocaleString('en-GB', { hour: 'numeric' })).toBe('09');
  });

  it('throw when they are compared with < or >', () => {
    expect(() => at(0, 'UTC') < at(1, 'UTC')).toThrow('compare epochMilliseconds');
  });
});
