import { describe, expect, it } from 'vitest';
import { fold, sourceOf } from './parse/fold.js';
import { range, type Range, type RangeOptions } from './index.js';
import type { ZonedMoment } from './zoned.js';
import type { Interval } from './types.js';

const when: RangeOptions = { now: '2026-03-18T10:00:00+01:00', timezone: 'Europe/Vienna', locale: 'en-GB' };
const local = (value: ZonedMoment | undefined): string => value?.toString().slice(0, 19).replace('T00:00:00', '') ?? '';
const shown = (interval: Interval | undefined): string | undefined => interval && `${local(interval.start)} ${local(interval.end)}`.trim();
const read = (text: string, options: Partial<RangeOptions> = {}): Range | undefined => range(text, { ...when, ...options });

describe('phrases that people read differently', () => {
  it.each([
    ['in 2 weeks', '2026-04-01 2026-04-02', 'that one day'],
    ['3 weeks ago', '2026-02-25 2026-02-26', 'that one day'],
    ['in a year', '2027-03-18 2027-03-19', 'that one day'],
    ['last 7 days', '2026-03-11 2026-03-18', 'full days before today'],
    ['past 3 months', '2025-12-18 2026-03-18', 'full days before today'],
    ['next 7 days', '2026-03-19 2026-03-26', 'full days after today'],
    ['last week', '2026-03-09 2026-03-16', 'a calendar unit'],
    ['coming week', '2026-03-23 2026-03-30', 'a calendar unit'],
    ['in the last week', '2026-03-11 2026-03-18', 'rolling'],
    ['next Friday', '2026-03-27 2026-03-28', 'of next calendar week'],
    ['last Wednesday', '2026-03-11 2026-03-12', 'of last calendar week'],
    ['Wednesday', '2026-03-25 2026-03-26', 'the next one, never today'],
    ['the 18th', '2026-04-18 2026-04-19', 'the next one, never today'],
    ['the 31st', '2026-03-31 2026-04-01', 'in a month that has one'],
    ['following month', '2026-04-01 2026-05-01', 'counts from now'],
    ['3 May to 7 May', '2026-05-03 2026-05-08', 'dates include the last day'],
    ['tomorrow from 9:00 to 11:00', '2026-03-19T09:00:00 2026-03-19T11:00:00', 'clock times do not'],
    ['this weekend', '2026-03-21 2026-03-23', 'the current or next run of weekend days'],
  ])('«%s» is %s: %s', (text, expected) => {
    expect(shown(read(text))).toBe(expected);
  });

  it.each([
    ['last week', '2026-03-11 2026-03-18'],
    ['in the last week', '2026-03-09 2026-03-16'],
    ['última semana', '2026-03-11 2026-03-18', 'es'],
    ['en la última semana', '2026-03-09 2026-03-16', 'es'],
    ['coming week', '2026-03-19 2026-03-26'],
    ['next Friday', '2026-03-20 2026-03-21'],
    ['coming Friday', '2026-03-27 2026-03-28'],
    ['next Friday at 3pm', '2026-03-20T15:00:00 2026-03-20T16:00:00'],
    ['past 3 months', '2025-12-01 2026-03-01'],
    ['tomorrow at 5', '2026-03-19T17:00:00 2026-03-19T18:00:00'],
  ])('«%s» lists %s as the other reading', (text, expected, locale = 'en-GB') => {
    expect(read(text, { locale })?.alternatives?.map(shown)).toEqual([expected]);
  });

  it.each(['last Wednesday', 'today', 'yesterday', 'March 2025', 'last 7 days'])('«%s» has one reading', (text) => {
    expect(read(text)).not.toHaveProperty('alternatives');
  });

  it.each([
    ['sales on Monday', '2026-03-16 2026-03-17'],
    ['on Wednesday', '2026-03-11 2026-03-12'],
    ['on the 18th', '2026-02-18 2026-02-19'],
    ['in May', '2025-05-01 2025-06-01'],
    ['5 May', '2025-05-05 2025-05-06'],
    ['at 15:00', '2026-03-17T15:00:00 2026-03-17T15:01:00'],
    ['last week', '2026-03-09 2026-03-16'],
  ])('prefer past turns «%s» round: %s', (text, expected) => {
    expect(shown(read(text, { prefer: 'past' }))).toBe(expected);
  });

  it('a weekend counts by its days, on whatever day weeks start', () => {
    const sunday = { now: '2026-03-22T10:00:00Z', timezone: 'UTC' };
    expect(shown(range('this weekend', { ...sunday, locale: 'en-US' }))).toBe('2026-03-21 2026-03-23');
    expect(shown(range('next weekend', { ...sunday, locale: 'en-US' }))).toBe('2026-03-28 2026-03-30');
    expect(shown(range('this week', { ...sunday, locale: 'en-US' }))).toBe('2026-03-22 2026-03-29');
  });
});

describe('kinds', () => {
  it.each([
    ['since Monday', 'since', '2026-03-16 2026-03-18T10:00:00'],
    ['month to date', 'since', '2026-03-01 2026-03-18T10:00:00'],
    ['YTD', 'since', '2026-01-01 2026-03-18T10:00:00'],
    ['so far this year', 'since', '2026-01-01 2026-03-18T10:00:00'],
    ['since the beginning of the quarter', 'since', '2026-01-01 2026-03-18T10:00:00'],
    ['since 3 days', 'since', '2026-03-15 2026-03-18T10:00:00'],
    ['after last week', 'since', '2026-03-16 2026-03-18T10:00:00'],
    ['as of now', 'until', '2026-03-18T10:00:00'],
    ['until Friday', 'until', '2026-03-21'],
    ['before Friday', 'until', '2026-03-20'],
    ['by the end of the month', 'until', '2026-04-01'],
    ['until 15:00', 'until', '2026-03-18T15:00:00'],
    ['until today', 'until', '2026-03-18T10:00:00'],
    ['the rest of the week', 'period', '2026-03-18T10:00:00 2026-03-23'],
  ])('«%s» is %s: %s', (text, kind, expected) => {
    const range = read(text);
    expect([range?.kind, shown(range)]).toEqual([kind, expected]);
    expect(range?.start === undefined).toBe(kind === 'until');
  });

  it.each([
    ['en', 'from yesterday on'],
    ['en', 'from yesterday onwards, by region'],
    ['de', 'ab gestern'],
    ['de', 'von gestern an'],
    ['es', 'a partir de ayer'],
    ['fr', 'à partir d’hier'],
    ['it', 'a partire da ieri'],
    ['nl', 'vanaf gisteren'],
    ['pt', 'a partir de ontem'],
  ])('%s: «%s» does not end with that day', (locale, text) => {
    const range = read(text, { locale });
    expect([range?.kind, shown(range)]).toEqual(['since', '2026-03-17 2026-03-18T10:00:00']);
  });

  it('"from Monday on" starts next Monday, or last Monday with prefer: past', () => {
    for (const [locale, text] of [
      ['en', 'from Monday onwards'],
      ['de', 'ab Montag'],
      ['nl', 'vanaf maandag'],
    ] as const) {
      expect(read(text, { locale })).toMatchObject({ kind: 'from', end: undefined });
      expect(shown(read(text, { locale, prefer: 'past' }))).toBe('2026-03-16 2026-03-18T10:00:00');
    }
  });

  it('"from" may also begin a range, and "on" may belong to the next words', () => {
    expect(shown(read('vanaf 3 tot 7 mei', { locale: 'nl' }))).toBe('2026-05-03 2026-05-08');
    expect(shown(read('from yesterday on the website'))).toBe('2026-03-17 2026-03-18');
  });

  it('this month so far may have only just begun', () => {
    expect(shown(read('month to date', { now: '2026-04-01T00:00:00+02:00' }))).toBe('2026-04-01 2026-04-01');
  });

  it.each([
    ['after this morning', '2026-03-18T12:00:00'],
    ['after yesterday evening', '2026-03-18'],
    ['after last night', '2026-03-18T06:00:00'],
    ['after 6pm yesterday', '2026-03-17T18:00:00'],
  ])('«%s» begins with its end, a time of the clock with itself: %s', (text, start) => {
    expect(shown(read(text, { now: '2026-03-18T15:42:00+01:00' }))?.split(' ')[0]).toBe(start);
  });

  it.each([
    ['after Friday', '2026-03-21'],
    ['after next week', '2026-03-30'],
    ['from tomorrow on', '2026-03-19'],
    ['from today on', '2026-03-18'],
    ['as from the beginning of May', '2026-05-01'],
    ['after next Thursday', '2026-03-27'],
  ])('«%s» has no end: from %s', (text, start) => {
    const range = read(text);
    expect([range?.kind, range?.start?.toPlainDate().toString(), range?.end]).toEqual(['from', start, undefined]);
  });

  it('«since tomorrow» is nothing', () => {
    expect(read('since tomorrow')).toBeUndefined();
  });
});

describe('in a sentence', () => {
  it.each([
    ['sales last week by region', 'last week', 6],
    ['Show me the invoices from 3 to 7 May, please', 'from 3 to 7 May', 21],
    ['What did we sell in 2024?', '2024', 20],
    ['Umsatz im März 2025 nach Land', 'März 2025', 10],
    ['Übersicht für nächste Woche', 'nächste Woche', 14],
    ['les ventes du mois dernier', 'mois dernier', 14],
    ['ＳＡＬＥＳ ＬＡＳＴ ＷＥＥＫ', 'ＬＡＳＴ ＷＥＥＫ', 6],
    ['sales la\u200bst we\u00adek by region', 'la\u200bst we\u00adek', 6],
    ['先週の売上', '先週', 0],
  ])('%s', (text, phrase, index) => {
    const locale = /[äÜ]/.test(text) ? 'de' : text.startsWith('les') ? 'fr' : text.startsWith('先') ? 'ja' : 'en';
    expect(read(text, { locale })).toMatchObject({ text: phrase, index });
  });

  it.each([
    ['アスの売上', 'アス', '2026-03-19'],
    ['明日はアスリートが来る', '明日', '2026-03-19'],
    ['アスリート', undefined, undefined],
    ['ピアストル', undefined, undefined],
    ['㌮', undefined, undefined],
  ])('a word in katakana ends where they end: %s', (text, phrase, day) => {
    const range = read(text, { locale: 'ja' });
    expect([range?.text, range?.start?.toPlainDate().toString()]).toEqual([phrase, day]);
  });

  it('the phrase is given in whole characters, even where one is written as many', () => {
    expect(sourceOf(fold('May ⑽ 2024'), 5, 7)).toEqual({ index: 4, text: '⑽' });
    expect(read('㋂㏠まで', { locale: 'ja' })?.text).toBe('㋂㏠まで');
  });

  it.each([
    ['may I see it', 'a verb'],
    ['march on, sun and moon', 'weak words'],
    ['room 2024 is free', 'a number'],
    ['per month', 'a bare noun'],
    ['monthly', 'no phrase'],
    ['every Monday', 'recurs'],
    ['last week and next week', 'two phrases'],
    ['on Mondays', 'recurs'],
    ['March in 1 year', 'more than was understood'],
    ['2 weeks before Christmas', 'a day that is not known'],
    ['the next two Fridays', 'several stretches'],
    ['30 February', 'no such day'],
    ['call 555-1234 or 192.168.10.12', 'no dates'],
    ['', 'nothing'],
  ])('«%s» is undefined: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('a phrase that is only half understood', () => {
  it.each([
    ['before last Tuesday', 'until', '2026-03-10'],
    ['orders before previous Thursday', 'until', '2026-03-12'],
    ['before the last month', 'until', '2026-02-01'],
    ['vor dem letzten Dienstag', 'until', '2026-03-10', 'de'],
    ['先週の火曜日より前', 'until', '2026-03-10', 'ja'],
    ['the week before last', 'period', '2026-03-02 2026-03-09'],
  ])('«%s» is %s %s: the bound and the relative word are told from "the week before last"', (text, kind, expected, locale = 'en-GB') => {
    const range = read(text, { locale });
    expect([range?.kind, shown(range)]).toEqual([kind, expected]);
  });

  it.each([
    ['from 3 May 2025 to 7 April', '2025-05-03 2026-04-08'],
    ['December 2024 to January', '2024-12-01 2025-02-01'],
    ['from 3 May to 7 April 2025', '2024-05-03 2025-04-08'],
    ['2026-05-03..2026-05-07', '2026-05-03 2026-05-08'],
    ['3..7 May', '2026-05-03 2026-05-08'],
    ['Friday .. Sunday', '2026-03-20 2026-03-23'],
    ['yesterday...', '2026-03-17 2026-03-18'],
    ['sales - 4 days ago', '2026-03-14 2026-03-15'],
    ['3 to 7 May inclusive', '2026-05-03 2026-05-08'],
  ])('«%s» is understood: %s', (text, expected) => {
    expect(shown(read(text))).toBe(expected);
  });

  it.each([
    ['the week before last Tuesday', 'counted from a day'],
    ['before last Tuesday at 4', 'more of the date behind it'],
    ['from 2025-05-07 to 2025-05-03', 'backwards, with the years said'],
    ['2025-05-07..2025-05-03', 'backwards'],
    ['May 2025 to March 2025', 'backwards'],
    ['from 7 to 3 May', 'backwards in one month'],
    ['zwischen 7.5.2025 und 3.5.2025', 'backwards', 'de'],
    ['tomorrow or Friday', 'one of two'],
    ['until Thursday or Friday', 'one of two'],
    ['yesterday / today', 'one of two'],
    ['morgen oder Freitag', 'one of two', 'de'],
    ['demain ou vendredi', 'one of two', 'fr'],
    ['明日か金曜日', 'one of two', 'ja'],
    ['three or four weeks ago', 'two counts'],
    ['5-6 weeks ago', 'two counts'],
    ['-2 weeks ago', 'a sign'],
    ['tomorrow at 31:15', 'no time of the day'],
    ['morgen 26 Uhr', 'no time of the day', 'de'],
    ['17:80 tomorrow', 'no time of the day'],
    ['Tuesday week', 'a week after that'],
    ['until Monday fortnight', 'two weeks after that'],
    ['next 5 days excluding Friday', 'less than that'],
    ['letzte 5 Tage inklusive heute', 'more than that', 'de'],
    ['2025-14-02', 'no such month'],
    ['until 2025-14-02', 'no such month'],
    ['from 2025-14-02 to 2025-12-02', 'no such month'],
    ['from 2025-12-02 to 2025-14-02', 'no such month'],
    ['2025-14-02', 'no such month', 'de'],
    ['2025-14-02', 'no such month', 'sv'],
  ])('«%s» is undefined: %s', (text, _why, locale = 'en-GB') => {
    expect(read(text, { locale })).toBeUndefined();
  });

  it('an alternative is another reading, not the same again', () => {
    expect(read('at 4')?.alternatives?.map(shown)).toEqual(['2026-03-18T04:00:00 2026-03-18T05:00:00']);
  });
});

describe('dates and clock times', () => {
  it.each([
    ['2026-03-29T02:30:00', '2026-03-29T03:30:00 2026-03-29T03:30:01'],
    ['2026-10-25T02:30:00+01:00', '2026-10-25T02:30:00 2026-10-25T02:30:01'],
    ['2026-01-01/2026-01-31', '2026-01-01 2026-02-01'],
    ['2026-Q2', '2026-04-01 2026-07-01'],
    ['2026-W53', '2026-12-28 2027-01-04'],
    ['31/10/74', '1974-10-31 1974-11-01'],
    ['the week of April 8th', '2026-04-06 2026-04-13'],
    ['last week of September 2014', '2014-09-22 2014-09-29'],
    ['the first three months of 2025', '2025-01-01 2025-04-01'],
    ['29 February', '2028-02-29 2028-03-01'],
    ["Q2'25", '2025-04-01 2025-07-01'],
    ['half a year ago', '2025-09-18 2025-09-19'],
    ['3 Fridays from now', '2026-04-03 2026-04-04'],
    ['two days before yesterday', '2026-03-15 2026-03-16'],
    ['8 tonight', '2026-03-18T20:00:00 2026-03-18T21:00:00'],
    ['Friday the 20th at 3pm', '2026-03-20T15:00:00 2026-03-20T16:00:00'],
    ['half past 3 tomorrow afternoon', '2026-03-19T15:30:00 2026-03-19T15:31:00'],
    ['between 10pm and 2am tomorrow', '2026-03-19T22:00:00 2026-03-20T02:00:00'],
    ['August to October', '2026-08-01 2026-11-01'],
    ['February to April', '2026-02-01 2026-05-01'],
    ['November to February 2025', '2024-11-01 2025-03-01'],
  ])('«%s» is %s', (text, expected) => {
    expect(shown(read(text))).toBe(expected);
  });

  it.each([
    ['en-GB', '2026-04-03'],
    ['en-US', '2026-03-04'],
    ['de-AT', '2026-04-03'],
    ['ja-JP', '2026-04-03'],
    ['sv-SE', '2026-04-03'],
  ])('3/4/2026 is read in the order of %s: %s', (locale, expected) => {
    expect(read('3/4/2026', { locale })?.start?.toPlainDate().toString()).toBe(expected);
  });
});

describe('CTX-24, CTX-25: DST days', () => {
  it.each([
    ['yesterday', '2026-03-30T08:00:00Z', 'Europe/Vienna', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['today', '2026-03-08T12:00:00Z', 'America/Havana', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['this week', '2025-10-26T12:00:00Z', 'Europe/Vienna', '2025-10-19T22:00:00Z', '2025-10-26T23:00:00Z'],
    ['today at 2:30', '2026-03-29T08:00:00Z', 'Europe/Vienna', '2026-03-29T01:30:00Z', '2026-03-29T01:31:00Z'],
    ['last 24 hours', '2026-03-29T08:00:00Z', 'Europe/Vienna', '2026-03-28T08:00:00Z', '2026-03-29T08:00:00Z'],
  ])('«%s» at %s in %s', (text, now, timezone, start, end) => {
    const range = read(text, { now, timezone });
    expect([range?.start?.toInstant().toString(), range?.end?.toInstant().toString()]).toEqual([start, end]);
  });

  it('CTX-25: in the repeated hour the offset of now decides what "since" ends with', () => {
    const ends = ['+02:00', '+01:00'].map(
      (offset) => read('since Monday', { now: `2026-10-25T02:30:00${offset}` })?.end?.epochMilliseconds ?? 0,
    );
    expect((ends[1] ?? 0) - (ends[0] ?? 0)).toBe(3_600_000);
  });

  it('CTX-26: with an offset for a zone days are 24 hours', () => {
    const range = read('yesterday', { now: '2026-03-30T08:00:00+02:00', timezone: '+02:00' });
    expect(range?.start?.toInstant().toString()).toBe('2026-03-28T22:00:00Z');
  });
});

describe("the programmer's mistakes", () => {
  it('a text that is not a string', () => {
    expect(() => read(undefined as unknown as string)).toThrow(TypeError);
  });

  it.each<[string, Partial<RangeOptions>]>([
    ['timezone: "Mars/Olympus"', { timezone: 'Mars/Olympus' }],
    ['now: "noon"', { now: 'noon' }],
    ['locale: "english please"', { locale: 'english please' }],
    ['weekStart: 8', { weekStart: 8 }],
    ['prefer: sometimes', { prefer: 'sometimes' as 'past' }],
  ])('%s', (message, options) => {
    expect(() => read('today', options)).toThrow(RangeError);
    expect(() => read('today', options)).toThrow(message);
  });
});

describe('quarters, halves and weeks without a year', () => {
  it.each<[string, 'future' | 'past', string]>([
    ['Q4', 'future', '2026-10-01 2027-01-01'],
    ['Q4', 'past', '2025-10-01 2026-01-01'],
    ['Q1', 'past', '2026-01-01 2026-04-01'],
    ['second half', 'past', '2025-07-01 2026-01-01'],
    ['week 50', 'past', '2025-12-08 2025-12-15'],
    ['Q4 2026', 'past', '2026-10-01 2027-01-01'],
    ['since Q4', 'future', '2025-10-01 2026-03-18'],
    ['between Q3 and Q4', 'past', '2025-07-01 2026-01-01'],
    ['from Q4 to Q1', 'future', '2026-10-01 2027-04-01'],
    ['from Q4 to Q1', 'past', '2025-10-01 2026-04-01'],
  ])('«%s», %s', (text, prefer, expected) => {
    expect(shown(read(text, { prefer, locale: 'en-GB' }))?.replace(/T[\d:]+/g, '')).toBe(expected);
  });
});

describe('dates and clocks that are easily misread', () => {
  it.each([
    ['en-US', '5/13', '2026-05-13 2026-05-14'],
    ['en-US', 'from 5/1 to 5/13', '2026-05-01 2026-05-14'],
    ['ja', '5/13', '2026-05-13 2026-05-14'],
    ['en-GB', '13/5', '2026-05-13 2026-05-14'],
    ['ja', '午後3時半', '2026-03-18T15:30:00 2026-03-18T15:31:00'],
    ['zh', '下午三点半', '2026-03-18T15:30:00 2026-03-18T15:31:00'],
    ['de', 'um 0 Uhr', '2026-03-19 2026-03-19T01:00:00'],
    ['de', 'von 0 bis 6 Uhr', '2026-03-19 2026-03-19T06:00:00'],
    ['ja', '0時', '2026-03-19 2026-03-19T01:00:00'],
    ['zh', '凌晨两点', '2026-03-19T02:00:00 2026-03-19T03:00:00'],
    ['zh-TW', '明天凌晨2:30', '2026-03-19T02:30:00 2026-03-19T02:31:00'],
    ['zh', '昨天凌晨', '2026-03-17 2026-03-17T06:00:00'],
    ['es', 'a las dos de la madrugada', '2026-03-19T02:00:00 2026-03-19T03:00:00'],
    ['es', 'ayer de madrugada', '2026-03-17 2026-03-17T06:00:00'],
    ['pt', 'ontem às 3 da madrugada', '2026-03-17T03:00:00 2026-03-17T04:00:00'],
    ['ja', '明日未明', '2026-03-19 2026-03-19T06:00:00'],
    ['ja', '早朝5時', '2026-03-19T05:00:00 2026-03-19T06:00:00'],
    ['en-GB', 'from 9 to 5pm', '2026-03-19T09:00:00 2026-03-19T17:00:00'],
    ['de', 'von 9 bis 17 Uhr', '2026-03-19T09:00:00 2026-03-19T17:00:00'],
  ])('%s «%s»', (locale, text, expected) => {
    expect(shown(read(text, { locale }))).toBe(expected);
  });

  it.each([
    ['en-GB', 'two hundred and five days ago'],
    ['en-GB', '1,500 days ago'],
    ['en-GB', 'two and a half weeks ago'],
    ['it', '1,5 anni fa'],
    ['nl', '2,5 jaar geleden'],
    ['fr', 'il y a un an et demi'],
    ['es', 'dentro de una hora y media'],
    ['ja', '2〜3日前'],
  ])('half of a number is no answer: %s «%s»', (locale, text) => {
    expect(read(text, { locale })).toBeUndefined();
  });
});
