import { describe, expect, it } from 'vitest';
import { fold } from './parse/fold.js';
import { range, supportedLanguages } from './index.js';

const base = { now: '2026-03-18T10:00:00+01:00', timezone: 'Europe/Vienna' };
const shown = (text: string, locale: string, prefer: 'future' | 'past' = 'future'): (string | undefined)[] => {
  const found = range(text, { ...base, locale, prefer });
  return [found, ...(found?.alternatives ?? [])].map(
    (reading) => reading && `${String(reading.start?.toPlainDate())} ${String(reading.end?.toPlainDate())}`,
  );
};

describe('every language the runtime has words for', () => {
  const { grammar, relative } = supportedLanguages();

  it('the nine have grammars, Cantonese reads the Chinese one, the rest is asked of the runtime', () => {
    expect(grammar).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'yue', 'zh']);
    expect(relative.length).toBeGreaterThan(60);
    expect(relative).toEqual(expect.arrayContaining(['ar', 'fi', 'hi', 'ko', 'pl', 'ru', 'sv', 'sw', 'tr', 'uk', 'vi']));
    expect(relative.filter((code) => grammar.includes(code))).toEqual([]);
  });

  it.each(relative)('%s: what Intl.RelativeTimeFormat says is understood', (locale) => {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    const missed: string[] = [];
    for (const unit of ['day', 'week', 'month', 'quarter', 'year'] as const)
      for (const by of [-11, -2, -1, 0, 1, 2, 5]) {
        const text = format.format(by, unit);
        const found = range(text, { ...base, locale });
        if (!found || fold(found.text).text !== fold(text).text.trim()) missed.push(`${text} (${String(by)} ${unit})`);
      }
    expect(missed).toEqual([]);
  });

  it('a language the runtime does not know has dates in figures, and no more', () => {
    expect(shown('wa’leS', 'tlh')).toEqual([undefined]);
    expect(shown('2026-03-29', 'tlh')).toEqual(['2026-03-29 2026-03-30']);
  });
});

describe('phrases in languages without a grammar', () => {
  it.each([
    ['ru', 'в прошлом месяце', '2026-02-01 2026-03-01'],
    ['ru', 'отчёт 3 недели назад', '2026-02-25 2026-02-26'],
    ['sv', 'förra veckan', '2026-03-09 2026-03-16'],
    ['sv', 'om 2 veckor', '2026-04-01 2026-04-02'],
    ['pl', 'przedwczoraj', '2026-03-16 2026-03-17'],
    ['ar', 'قبل أسبوعين', '2026-03-04 2026-03-05'],
    ['ar', 'قبل ٣ أسابيع', '2026-02-25 2026-02-26'],
    ['fa', '۳ هفته پیش', '2026-02-25 2026-02-26'],
    ['fa', 'این ماه', '2026-02-20 2026-03-21'],
    ['ko', '지난달에', '2026-02-01 2026-03-01'],
    ['th', 'ยอดขายเดือนที่แล้ว', '2026-02-01 2026-03-01'],
    ['tr', 'GEÇEN AY', '2026-02-01 2026-03-01'],
    ['vi', 'Hôm qua', '2026-03-17 2026-03-18'],
    ['fi', 'ylihuomenna', '2026-03-20 2026-03-21'],
  ])('%s: %s is %s', (locale, text, expected) => {
    expect(shown(text, locale)[0]).toBe(expected);
  });

  it('Hindi has one word for yesterday and tomorrow: both are listed, the preferred one first', () => {
    expect(shown('कल', 'hi')).toEqual(['2026-03-19 2026-03-20', '2026-03-17 2026-03-18']);
    expect(shown('कल', 'hi', 'past')).toEqual(['2026-03-17 2026-03-18', '2026-03-19 2026-03-20']);
  });

  it('a phrase inside a longer word is not found', () => {
    expect(shown('dünya', 'tr')).toEqual([undefined]);
    expect(shown('идёмвчерадальше', 'ru')).toEqual([undefined]);
  });
});
