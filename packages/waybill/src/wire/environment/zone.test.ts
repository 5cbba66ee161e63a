import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseTimestamp } from './timestamp.js';
import { isValidTimeZone, offsetDisagrees, zoneOffset } from './zone.js';

describe('a time zone name', () => {
  it.each([
    ['a zone', ['Europe/Vienna', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Antarctica/DumontDUrville', 'UTC']],
    [
      'a link',
      ['Asia/Calcutta', 'US/Pacific', 'Europe/Kiev', 'America/Buenos_Aires', 'Brazil/East', 'Mexico/General', 'Pacific/Enderbury'],
    ],
    ['any case', ['europe/vienna', 'EUROPE/VIENNA', 'us/pacific', 'gb-eire', 'etc/gmt+5', 'Utc']],
    ['a name without an area', ['EST', 'CET', 'MST7MDT', 'GB', 'NZ-CHAT', 'W-SU', 'GMT', 'GMT+0', 'Zulu', 'PRC']],
    ['an Etc zone', ['Etc/GMT+5', 'Etc/GMT-14', 'Etc/GMT0', 'Etc/UTC', 'Etc/Greenwich']],
  ])('CTX-23: %s is a time zone', (_what, names) => {
    for (const name of names) expect([name, isValidTimeZone(name)]).toEqual([name, true]);
  });

  it.each([
    ['an offset', ['+01:00', '-05', '+0100', 'Z', 'GMT+1', 'UTC+1', 'GMT-5', 'UTC0']],
    ['a Windows name', ['Pacific Standard Time', 'W. Europe Standard Time']],
    ['an abbreviation that only ICU knows', ['PST', 'BST', 'JST', 'IST', 'CST', 'AET', 'ECT', 'VST', 'CEST']],
    ['a name that ICU keeps and the database does not', ['US/Pacific-New', 'Canada/East-Saskatchewan', 'SystemV/PST8PDT', 'Etc/Unknown']],
    ['a file beside the database', ['Factory', 'localtime', 'posixrules', 'posix/UTC', 'right/UTC']],
    ['a number outside its range', ['Etc/GMT+13', 'Etc/GMT-15', 'Etc/GMT+05', 'Etc/GMT+99']],
    ['a place nobody keeps', ['Europe/Graz', 'Mars/Olympus', 'America', 'America/', 'Europe//Vienna', 'Europe/Vienna/']],
    ['something around it', [' UTC', 'UTC ', 'Europe/Vienna\n', 'Europe/Vienna\0', '', '.', '../UTC']],
    ['letters that lower-case to ASCII', ['Asia/\u212Aarachi', 'Europe/\u0130stanbul', 'Europe/Brus\u017Fels']],
    ['a name of Object.prototype', ['__proto__', 'constructor', 'toString', 'hasOwnProperty']],
  ])('CTX-22: %s is no time zone', (_what, names) => {
    for (const name of names) expect([name, isValidTimeZone(name)]).toEqual([name, false]);
  });

  it('CTX-03: every canonical zone of the runtime is a time zone, in any case', () => {
    for (const name of Intl.supportedValuesOf('timeZone'))
      expect([name, isValidTimeZone(name), isValidTimeZone(name.toUpperCase())]).toEqual([name, true, true]);
  });

  it('no string makes the check throw, and the runtime accepts every zone that passes', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^(America|Etc|US|Europe|GMT|UTC)\/?[A-Za-z0-9_+-]{0,12}$/),
      fc.constant('x'.repeat(10_000_000)),
    );
    fc.assert(
      fc.property(text, (name) => {
        if (isValidTimeZone(name)) expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).not.toThrow();
      }),
    );
  });

  it('a name is checked once; asking again builds no formatter', () => {
    const spy = vi.spyOn(Intl, 'DateTimeFormat');
    isValidTimeZone('Asia/Katmandu');
    isValidTimeZone('Asia/Nowhere');
    const built = spy.mock.calls.length;
    for (let i = 0; i < 1000; i++) {
      isValidTimeZone('Asia/Katmandu');
      isValidTimeZone('Asia/Nowhere');
    }
    expect(spy.mock.calls.length).toBe(built);
    spy.mockRestore();
  });

  it('a flood of names does not change a result', () => {
    for (let i = 0; i < 5000; i++) isValidTimeZone(`x${i}`);
    expect(isValidTimeZone('Europe/Vienna')).toBe(true);
    expect(isValidTimeZone('x1')).toBe(false);
  });
});

describe('the offset of a zone', () => {
  it.each([
    ['Europe/Vienna', '2026-01-01T00:00:00Z', 60],
    ['europe/vienna', '2026-07-01T00:00:00Z', 120],
    ['Asia/Calcutta', '2026-07-01T00:00:00Z', 330],
    ['America/St_Johns', '2026-01-01T00:00:00Z', -210],
    ['UTC', '2026-01-01T00:00:00Z', 0],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 660],
  ])('%s at %s', (zone, instant, minutes) => {
    expect(zoneOffset(zone, Date.parse(instant))).toBe(minutes);
  });

  it('CTX-23: the sign of an Etc zone is inverted', () => {
    expect(zoneOffset('Etc/GMT+5', 0)).toBe(-300);
    expect(zoneOffset('Etc/GMT-14', 0)).toBe(840);
  });

  it('the offset is undefined for an unknown zone and for an invalid instant', () => {
    expect(zoneOffset('Nowhere', 0)).toBeUndefined();
    expect(zoneOffset('UTC', Number.NaN)).toBeUndefined();
    expect(zoneOffset('UTC', Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  it.each([
    ['2026-07-01T12:00:00+02:00', 'Europe/Vienna', false],
    ['2026-07-01T12:00:00+01:00', 'Europe/Vienna', true],
    ['2026-01-01T12:00:00+01:00', 'Europe/Vienna', false],
    ['2026-07-01T12:00:00-05:00', 'Europe/Vienna', true],
    ['2026-07-01T12:00:00+00:00', 'Europe/Vienna', true],
    ['2026-10-25T02:30:00+02:00', 'Europe/Vienna', false],
    ['2026-10-25T02:30:00+01:00', 'Europe/Vienna', false],
    // Before standard time a zone has seconds that no RFC 3339 offset can write.
    ['1880-01-01T12:00:00+01:05', 'Europe/Vienna', false],
    ['2026-07-01T12:00:00-05:00', 'Nowhere', false],
  ])('%s beside %s: disagrees %s', (text, zone, disagrees) => {
    expect(offsetDisagrees(parseTimestamp(text)!, zone)).toBe(disagrees);
  });

  it('a clock that writes Z or -00:00 has no local offset and disagrees with no zone', () => {
    expect(offsetDisagrees(parseTimestamp('2026-07-01T12:00:00Z')!, 'Europe/Vienna')).toBe(false);
    expect(offsetDisagrees(parseTimestamp('2026-07-01T12:00:00-00:00')!, 'Europe/Vienna')).toBe(false);
  });
});
