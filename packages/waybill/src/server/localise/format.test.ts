import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSets, formatWith, type Format } from './format.js';
import { presetsOf } from './format/presets.js';
import type { FormatSet } from './format/set.js';

const at = Date.UTC(2026, 9, 25, 1, 30);
const find = formatSets(presetsOf());
const format = (locale: string, zone = 'Europe/Vienna', language = locale): Format => formatWith(find(locale, zone, language), () => at);
/** Intl separates with blanks that differ from one ICU to the next. */
const plain = (text: string): string =>
  text
    .replaceAll(/[\u00a0\u202f\u2009]/g, ' ')
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .replaceAll('’', "'");

/** A currency code that nobody has assigned. */
const code = (n: number): string => `X${String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))}`;

describe('format', () => {
  it.each<[string, (format: Format) => string, string]>([
    ['de-AT', (f) => f.date(at), '25.10.2026'],
    ['en-US', (f) => f.date(at, 'long'), 'October 25, 2026'],
    ['en-GB', (f) => f.time(at), '02:30'],
    ['en-US', (f) => f.dateTime(new Date(at), 'short'), '10/25/26, 2:30 AM'],
    ['de', (f) => f.date({ epochMilliseconds: at }, { month: 'long', year: 'numeric' }), 'Oktober 2026'],
    ['en-US', (f) => f.dateRange(at, at + 3 * 86_400_000, 'medium'), 'Oct 25 – 28, 2026'],
    ['en-US', (f) => f.timeRange(at + 6 * 3_600_000, at + 8 * 3_600_000), '8:30 – 10:30 AM'],
    ['de-CH', (f) => f.number(1234567.5), "1'234'567.5"],
    ['de-AT', (f) => f.currency(1234.5, 'EUR'), '€ 1.234,50'],
    ['en-US', (f) => f.currency(-3n, 'USD', 'accounting'), '($3.00)'],
    ['en-US', (f) => f.currency(1234.5, 'EUR', 'whole'), '€1,235'],
    ['en', (f) => f.percent(0.125), '12.5%'],
    ['en', (f) => f.number(12_345, 'compact'), '12K'],
    ['fr', (f) => f.unit(80, 'kilometer-per-hour'), '80 km/h'],
    ['en', (f) => f.unit(3, 'liter', 'long'), '3 liters'],
    ['en', (f) => f.list(['a', 'b', 'c']), 'a, b, and c'],
    ['de', (f) => f.list(['a', 'b', 'c'], 'or'), 'a, b oder c'],
  ])('in %s, case %#', (locale, run, expected) => {
    expect(plain(run(format(locale)))).toBe(expected);
  });

  it.each<[number, string, string]>([
    [30_000, 'en', 'in 30 seconds'],
    [-90_000, 'en', '1 minute ago'],
    [0, 'en', 'now'],
    [5 * 3_600_000, 'en', 'in 5 hours'],
    // 01:30 in Vienna on the 25th, once more an hour later: the day has 25 hours.
    [22.5 * 3_600_000, 'en', 'tomorrow'],
    [-2 * 86_400_000, 'de', 'vorgestern'],
    [9 * 86_400_000, 'en', 'in 1 week'],
    [33 * 86_400_000, 'en', 'next month'],
    [40 * 86_400_000, 'en', 'in 1 month'],
    [-60 * 86_400_000, 'de', 'vor 1 Monat'],
    [-400 * 86_400_000, 'fr', 'l’année dernière'],
    [-700 * 86_400_000, 'en', '1 year ago'],
    [-30 * 86_400_000, 'en', 'last month'],
  ])('%d ms from now is, in %s, %s', (gap, locale, expected) => {
    expect(format(locale).relative(at + gap)).toBe(expected);
  });

  it.each(['Europe/Vienna', '+05:45'])('a style may name a zone of its own, beside %s', (zone) => {
    const style = { hour: 'numeric', minute: 'numeric', timeZoneName: 'short', hourCycle: 'h23' } as const;
    const times = format('en', zone);
    expect(times.time(Date.UTC(2026, 0, 1), { ...style, timeZone: 'Asia/Tokyo' })).toBe('09:00 GMT+9');
    expect(times.time(Date.UTC(2026, 0, 1), { ...style, timeZone: 'UTC' })).toBe('00:00 UTC');
    expect(times.timeRange(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 1), { ...style, timeZone: 'UTC' })).toContain('00:00');
  });

  it('"last month" and "next year" are used only for instants in that month or year', () => {
    const days = fc.integer({ min: -900, max: 900 });
    const starts = fc.integer({ min: 0, max: 1500 });
    const units = format('en', 'UTC');
    fc.assert(
      fc.property(starts, days, (start, gap) => {
        const [now, then] = [new Date(Date.UTC(2024, 0, 1 + start)), new Date(Date.UTC(2024, 0, 1 + start + gap))];
        const text = units.relative(then, now);
        const years = then.getUTCFullYear() - now.getUTCFullYear();
        const named: Record<string, boolean> = {
          month: Math.abs(years * 12 + then.getUTCMonth() - now.getUTCMonth()) === 1,
          year: Math.abs(years) === 1,
        };
        const found = /^(?:last|next) (\w+)$/.exec(text);
        if (found !== null) expect([text, named[found[1]!]]).toEqual([text, true]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, string, (format: Format) => string, string]>([
    ['en-US', 'fr', (f) => f.period({ start: Date.UTC(2026, 9, 1), end: Date.UTC(2026, 9, 31, 23) }), '1–31 oct. 2026'],
    ['en-US', 'fr', (f) => f.date(at, 'long'), '25 octobre 2026'],
    ['en-US', 'fr', (f) => f.date(at, { weekday: 'long' }), 'dimanche'],
    ['en-US', 'fr', (f) => f.date(at, 'short'), '10/25/26'],
    ['en-US', 'fr', (f) => f.number(1234.5), '1,234.5'],
    ['en-US', 'fr', (f) => f.percent(0.5), '50%'],
    ['en-US', 'fr', (f) => f.currency(1234.5, 'EUR'), '€1,234.50'],
    ['en-US', 'fr', (f) => f.currency(2, 'USD', 'name'), '2,00 dollars des États-Unis'],
    ['en-US', 'fr', (f) => f.unit(80, 'hour', 'long'), '80 heures'],
    ['en-US', 'fr', (f) => f.number(2_500_000, { notation: 'compact', compactDisplay: 'long' }), '2,5 millions'],
    // The locale keeps its hour cycle in either direction, unless the style names one.
    ['en-US', 'de', (f) => f.time(at + 12 * 3_600_000), '02:30 PM'],
    ['en-US', 'de', (f) => f.time(at, { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' }), '2:30'],
    ['de-AT', 'en', (f) => f.time(at + 12 * 3_600_000), '14:30'],
    ['en-US-u-hc-h23', 'fr', (f) => f.time(at + 12 * 3_600_000), '14:30'],
    // The same style has words in one locale and none in another.
    ['de-AT', 'en', (f) => f.date(at), '25.10.2026'],
    ['de-AT', 'en', (f) => f.date(at, 'long'), '25 October 2026'],
    ['ja-JP', 'en', (f) => f.date(at, 'long'), 'October 25, 2026'],
    // The script of the answer is pinned, and the region is the locale's.
    ['en-HK', 'zh-CN', (f) => f.date(at, { weekday: 'long' }), '星期日'],
    ['en-HK', 'zh-CN', (f) => f.currency(2, 'USD', 'name'), '2.00 美元'],
    ['en-HK', 'zh-CN', (f) => f.unit(3, 'kilobyte', 'long'), '3千字节'],
    ['en-GB', 'sr-Latn', (f) => f.date(at, 'long'), '25. oktobar 2026.'],
    // Calendar and digits are the locale's.
    ['ar-EG', 'en', (f) => f.date(at, 'long'), 'October ٢٥, ٢٠٢٦'],
    ['th-TH', 'en', (f) => f.date(at, { year: 'numeric', month: 'long' }), 'October 2569 BE'],
    ['th-TH-u-ca-gregory', 'en', (f) => f.date(at, { year: 'numeric', month: 'long' }), 'October 2026'],
    ['en-US', 'ar-EG', (f) => f.date(at, 'long'), '25 أكتوبر 2026'],
    ['ar-EG', 'en', (f) => f.relative(at - 3 * 86_400_000), '٣ days ago'],
    // `Intl` does not know the language, so the locale serves.
    ['de-AT', 'tlh', (f) => f.date(at, 'long'), '25. Oktober 2026'],
    ['de-AT', 'tlh', (f) => f.list(['a', 'b']), 'a und b'],
  ])('for the locale %s, answered in %s, case %#', (locale, language, run, expected) => {
    expect(plain(run(format(locale, 'Europe/Vienna', language)))).toBe(expected);
  });

  it('numbers follow the locale, lists and relative times the language of the answer', () => {
    const mixed = format('de-AT', 'Europe/Vienna', 'fr');
    expect(plain(mixed.currency(1234.5, 'EUR'))).toBe('€ 1.234,50');
    expect(mixed.list(['a', 'b'])).toBe('a et b');
    expect(mixed.relative(at - 86_400_000)).toBe('hier');
    expect(format('en-GB', 'UTC', 'en').list(['a', 'b', 'c'])).toBe('a, b and c');
  });

  it('Unicode extensions of the locale are honoured', () => {
    expect(format('ar-EG-u-nu-latn', 'UTC').number(1234)).toBe('1,234');
    expect(format('th-TH-u-ca-gregory', 'UTC').date(at, { year: 'numeric' })).toContain('2026');
  });

  it.each([
    ['+05:30', '07:00'],
    ['-12:00', '13:30'],
    ['+00:00', '01:30'],
    ['Asia/Kolkata', '07:00'],
  ])('a fixed offset is a zone: %s', (zone, expected) => {
    expect(format('en-GB', zone).time(at)).toBe(expected);
  });

  it('a fixed offset is not labelled UTC', () => {
    expect(format('en-GB', '+05:30').time(at, 'full')).toBe('07:00:00');
    expect(format('en-GB', '+05:30').time(at, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })).toBe('7:00');
  });

  it('a period with an exclusive end is shown with its last day', () => {
    const [start, end] = [Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)];
    const utc = format('en-US', 'UTC');
    expect(plain(utc.period({ start, end, grain: 'month' }))).toBe('Oct 1 – 31, 2026');
    // An empty one is named by the day it lies on, not by one before its beginning.
    expect(plain(utc.period({ start, end: start, grain: 'day' }))).toBe('Oct 1, 2026');
    expect(plain(utc.period({ start: at, end: at + 3_600_000, grain: 'hour' }))).toBe('Oct 25, 2026, 1:30 – 2:30 AM');
  });

  it.each(['day', 'hour'])('a period without a start is not shown as its last %s', (grain) => {
    const until = { start: undefined, end: Date.UTC(2026, 10, 1), grain } as never;
    expect(() => format('en-US', 'UTC').period(until)).toThrow(
      new TypeError('format.period: the range has no start; write "until" in a message of your own, with the moment before its end'),
    );
  });

  it('makes each formatter once', () => {
    const set = find('en', 'UTC', 'en');
    expect(set.named('date', 'short')).toBe(set.named('date', 'short'));
    expect(set.named('number', { minimumFractionDigits: 3 })).toBe(set.named('number', { minimumFractionDigits: 3 }));
    expect(set.coded('currency', 'EUR')).toBe(set.coded('currency', 'EUR'));
    expect(set.coded('currency', 'EUR')).not.toBe(set.coded('currency', 'CHF'));
    expect(find('en', 'UTC', 'en')).toBe(set);
  });

  it.each<[string, (set: FormatSet, n: number) => object]>([
    ['currencies', (set, n) => set.coded('currency', code(n))],
    ['currencies with a style of their own', (set, n) => set.coded('currency', code(n), { minimumFractionDigits: 3 })],
    ['styles', (set, n) => set.named('number', { minimumFractionDigits: n % 20, minimumIntegerDigits: 1 + Math.floor(n / 20) })],
  ])('a set keeps 256 formatters, however many %s are invented', (_, make) => {
    const set = formatSets(presetsOf({}))('en', 'UTC', 'en');
    const first = make(set, 0);
    for (let n = 1; n < 256; n++) make(set, n);
    expect(make(set, 0)).toBe(first);
    make(set, 256);
    expect(make(set, 0)).not.toBe(first);
  });

  it('a server keeps 64 sets, however many languages are asked for', () => {
    const sets = formatSets(presetsOf({}));
    const first = sets('en', 'UTC', 'x-0');
    for (let n = 1; n < 64; n++) sets('en', 'UTC', `x-${n}`);
    expect(sets('en', 'UTC', 'x-0')).toBe(first);
    sets('en', 'UTC', 'x-64');
    expect(sets('en', 'UTC', 'x-0')).not.toBe(first);
  });

  it('one object may be a style of several kinds, and a later change to it has no effect', () => {
    const brief: Intl.RelativeTimeFormatOptions = { style: 'short' };
    const presets = presetsOf({ list: { brief: brief }, relative: { brief } });
    brief.style = 'narrow';
    const { list, relative } = formatWith(formatSets(presets)('en', 'UTC', 'en'), () => at);
    expect(list(['a', 'b'], 'brief')).toBe('a & b');
    expect(relative(at + 40 * 86_400_000, undefined, 'brief')).toBe('in 1 mo.');
  });

  it('errors name the path of the wrong call or option', () => {
    expect(() => format('en').date(at, 'shrt')).toThrow('format.date: "shrt" is no named style');
    expect(() => format('en').currency(1, 'EUR', 'shrt')).toThrow('format.currency: "shrt" is no named style');
    expect(() => format('en').date('2026' as never)).toThrow('format: not a moment');
    // The last moment that a Date can hold, and the one after it.
    expect(format('en', 'UTC').date(8.64e15)).toContain('275760');
    expect(() => format('en').date(8.64e15 + 1)).toThrow('format: not a moment');
    expect(() => presetsOf({ date: { mine: { month: 'big' as never } } })).toThrow(/^formats\.date\.mine: /);
    expect(() => presetsOf({ dates: {} } as never)).toThrow('formats.dates: unknown option; did you mean date?');
    expect(() => presetsOf({ list: { mine: 1 as never } })).toThrow('formats.list.mine: expected an object');
    expect(formatWith(formatSets(presetsOf({ date: { day: { day: 'numeric' } } }))('en', 'UTC', 'en'), () => 0).date(at, 'day')).toBe('25');
  });
});
