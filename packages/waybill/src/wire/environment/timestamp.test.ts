import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedOffset, parseTimestamp } from './timestamp.js';

describe('a timestamp', () => {
  it.each([
    ['2025-11-12T14:23:00+01:00', '2025-11-12T13:23:00.000Z', 60],
    ['2025-11-12T06:23:00-08:00', '2025-11-12T14:23:00.000Z', -480],
    ['2026-03-29t01:30:00.5z', '2026-03-29T01:30:00.500Z', 0],
    ['1963-06-19T08:30:06.283999Z', '1963-06-19T08:30:06.283Z', 0],
    ['2024-02-29T00:00:00+05:45', '2024-02-28T18:15:00.000Z', 345],
    ['0000-02-29T12:00:00Z', '0000-02-29T12:00:00.000Z', 0],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z', 0],
    ['9999-12-31T23:59:59.999-23:59', '+010000-01-01T23:58:59.999Z', -1439],
  ])('CTX-04: %s is the instant %s', (text, instant, offsetMinutes) => {
    expect(parseTimestamp(text)).toEqual({ text, epochMilliseconds: Date.parse(instant), offsetMinutes });
  });

  it.each([
    ['no offset', '2025-11-12T14:23:00'],
    ['no seconds', '2025-11-12T14:23Z'],
    ['no time', '2025-11-12'],
    ['a space for the T', '2025-11-12 14:23:00Z'],
    ['an offset without minutes', '2025-11-12T14:23:00+01'],
    ['an offset without a colon', '2025-11-12T14:23:00+0100'],
    ['an offset hour of 24', '2025-11-12T14:23:00+24:00'],
    ['an offset minute of 60', '2025-11-12T14:23:00+01:60'],
    ['a minus sign that is none', '2025-11-12T14:23:00\u221201:00'],
    ['an hour of 24', '2025-11-12T24:00:00Z'],
    ['a minute of 60', '2025-11-12T14:60:00Z'],
    ['a second of 61', '2025-11-12T14:23:61Z'],
    ['a month of 13', '2025-13-12T14:23:00Z'],
    ['a month of 0', '2025-00-12T14:23:00Z'],
    ['a day of 0', '2025-11-00T14:23:00Z'],
    ['30 February', '2024-02-30T00:00:00Z'],
    ['29 February of a common year', '2025-02-29T00:00:00Z'],
    ['29 February of 1900', '1900-02-29T00:00:00Z'],
    ['31 April', '2025-04-31T00:00:00Z'],
    ['a signed year', '+002025-11-12T14:23:00Z'],
    ['digits that are not ASCII', '2025-11-1\u09EAT14:23:00Z'],
    ['an empty fraction', '2025-11-12T14:23:00.Z'],
    ['a comma', '2025-11-12T14:23:00,5Z'],
    ['a zone in brackets', '2025-11-12T14:23:00+01:00[Europe/Vienna]'],
    ['a newline at the end', '2025-11-12T14:23:00Z\n'],
    ['nothing', ''],
    ['free text', 'yesterday'],
  ])('CTX-04: with %s it is no timestamp', (_what, text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('a leap second is accepted when UTC may insert one, and stays on the date it was written with', () => {
    expect(parseTimestamp('2016-12-31T23:59:60Z')?.epochMilliseconds).toBe(Date.parse('2016-12-31T23:59:59Z'));
    expect(parseTimestamp('2017-01-01T00:59:60+01:00')?.epochMilliseconds).toBe(Date.parse('2016-12-31T23:59:59Z'));
    for (const text of ['2016-12-31T23:58:60Z', '2016-12-30T23:59:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T12:59:60Z'])
      expect(parseTimestamp(text)).toBeUndefined();
  });

  it('a text of ten million characters is refused without being scanned', () => {
    expect(parseTimestamp(`2025-11-12T14:23:00.${'0'.repeat(10_000_000)}Z`)).toBeUndefined();
  });

  it('every instant that a clock can write is read back', () => {
    const instants = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (date, offsetMinutes) => {
        const local = new Date(date.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1);
        const text = `${local}${fixedOffset({ text: '', epochMilliseconds: 0, offsetMinutes })}`;
        expect(parseTimestamp(text)).toEqual({ text, epochMilliseconds: date.getTime(), offsetMinutes: offsetMinutes + 0 });
      }),
    );
  });

  it.each([
    ['2025-11-12T14:23:00+01:00', '+01:00'],
    ['2025-11-12T14:23:00-03:30', '-03:30'],
    ['2025-11-12T14:23:00+05:45', '+05:45'],
    ['2025-11-12T14:23:00Z', '+00:00'],
    ['2025-11-12T14:23:00-00:00', '+00:00'],
  ])('CTX-26: %s alone gives the fixed offset %s', (text, offset) => {
    expect(fixedOffset(parseTimestamp(text)!)).toBe(offset);
  });
});
