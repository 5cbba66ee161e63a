import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { range } from './index.js';
import { nineLanguages } from './languages/index.js';
import { recognise } from './recognise.js';
import { fold } from './parse/fold.js';
import { readWhen } from './when.js';

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja', 'zh', 'hi', 'ar', 'ru', 'th', 'ko', 'tlh'];
const base = { now: '2026-03-18T10:00:00+01:00', timezone: 'Europe/Vienna' };
/** Words of the grammars. Random text made of them reaches deep into the rules. */
const WORDS = (
  'last next this the of in on at from to until since before after between and 1 2 3 12 31 2024 99999 : / - . , ( ) am pm h week weeks month day days year ' +
  'monday friday may march morning night half quarter first second third ago now today tomorrow every late end beginning so far rest Q w a ' +
  'letzte Woche vor drei Tagen am der dritten bis zum nächsten Uhr halb semaine dernière le du au mois de mañana por la el día 15 alle fino ' +
  '先週 の 金曜日 から まで 前 日 月 年 第 三 十 上 个 周 下 星期 一 今 天 कल पिछला قبل غدا \u200b \u202e \u0000 \ud800 ß ﬃ ｗｅｅｋ ３ ٣ ३'
).split(' ');

const phrase = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).chain((words) => fc.constantFrom(words.join(' '), words.join('')));
const anything = fc.oneof(
  phrase,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string(),
);

describe('any text', () => {
  it('gives a half-open interval of what stands in it, or nothing, and never throws', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(...LOCALES), fc.constantFrom('future' as const, 'past' as const), (text, locale, prefer) => {
        const found = range(text, { ...base, locale, prefer });
        if (!found) return;
        expect(found.text).toBe(text.slice(found.index, found.index + found.text.length));
        expect(found.text.length).toBeGreaterThan(0);
        for (const { start, end, kind } of [found, ...(found.alternatives ?? [])]) {
          const order = start && end ? start.epochMilliseconds - end.epochMilliseconds : -1;
          expect(kind === 'since' ? order <= 0 : order < 0).toBe(true);
          expect(start === undefined).toBe(kind === 'until');
          expect(end === undefined).toBe(kind === 'from');
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('costs work in proportion to its length, whatever it is made of', () => {
    fc.assert(
      fc.property(phrase, fc.integer({ min: 1, max: 60 }), fc.constantFrom(...LOCALES), (text, times, locale) => {
        const long = `${text} `.repeat(times);
        const when = readWhen({ ...base, locale });
        expect(recognise(nineLanguages, fold(long), when, 'future').steps).toBeLessThan(150 * (long.length + 10));
      }),
      { numRuns: 600 },
    );
  });

  const HOSTILE: readonly (readonly [string, string])[] = [
    ['one letter', 'a'],
    ['spaces', ' '],
    ['digits', '1'],
    ['short numbers', '1 2 '],
    ['dots', '1.'],
    ['separators', '1/1/'],
    ['vague words', 'late '],
    ['relative words', 'last '],
    ['lengths', '3 days '],
    ['ranges', 'to from '],
    ['bounds', 'since until '],
    ['of', 'the first of '],
    ['combining marks', 'e\u0301\u0301'],
    ['marks alone', '\u0301'],
    ['bidi marks', '\u202e\u200f'],
    ['controls', '\u0000\u0007'],
    ['half surrogates', '\ud800'],
    ['ideographs', '第三'],
    ['kana', 'きの'],
    ['ligatures', 'ﬃ'],
    ['words in fives', 'next week on the '],
  ];
  it.each(HOSTILE)('a megabyte of %s is read in linear work', { timeout: 60_000 }, (_, piece) => {
    // Every language is recognised in any case; the locale only decides what is preferred.
    for (const [locale, length] of [
      ['en', 1_000_000],
      ['zh', 100_000],
    ] as const) {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const when = readWhen({ ...base, locale });
      const { steps } = recognise(nineLanguages, fold(text), when, 'future');
      expect(steps).toBeLessThan(60 * text.length);
    }
  });

  it('a phrase behind a megabyte of text is found, with its place', () => {
    const text = `${'lorem ipsum '.repeat(90_000)}, last week`;
    expect(range(text, { ...base, locale: 'en' })).toMatchObject({ text: 'last week', index: 1_080_002 });
  });
});

describe('digits of other scripts, marks that cannot be seen', () => {
  it.each([
    ['last ７ days', 'en'],
    ['last ٧ days', 'en'],
    ['last ७ days', 'en'],
    ['last 𝟕 days', 'en'],
    ['l\u200bast\u00a07\u2009da\u200dys', 'en'],
    ['\u202elast 7 days\u202c', 'en'],
    ['\u0000last 7 days\u0007', 'en'],
    ['過去７日間', 'ja'],
    ['过去七天', 'zh'],
    ['los últimos 7 días', 'es'],
    ['los u\u0301ltimos 7 di\u0301as', 'es'],
    ['die letzten 7 Tage', 'de'],
    ['LES 7 DERNIERS JOURS', 'fr'],
  ])('%j', (text, locale) => {
    const found = range(text, { ...base, locale });
    expect([found?.start?.toPlainDate().toString(), found?.end?.toPlainDate().toString()]).toEqual(['2026-03-11', '2026-03-18']);
  });

  it.each([
    ['3 недели назад', 'ru'],
    ['٣ أسابيع', 'en'],
    ['last неделя', 'en'],
    ['先 week', 'ja'],
    ['__proto__ constructor toString', 'en'],
  ])('%j is read as what it is', (text, locale) => {
    const found = range(text, { ...base, locale });
    expect(found?.start?.toPlainDate().toString()).toBe(locale === 'ru' ? '2026-02-25' : undefined);
  });
});

describe('figures of another calendar', () => {
  it.each([
    ['fa', '1505/12/31 '],
    ['fa', '1305/99/99 '],
    ['ar-SA', '1548/12/31 '],
    ['en-u-ca-chinese', '2026/13/32 '],
  ])('%s: a thousand of them (%s) ask the runtime a few times each, not for a hundred years', (locale, figure) => {
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    range(figure.repeat(1000), { ...base, locale });
    expect(asked.mock.calls.length).toBeLessThan(20_000);
    asked.mockRestore();
  });
});
