import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explain, range, supportedLanguages } from './index.js';

const base = { now: '2026-03-18T10:30:00+01:00', timezone: 'Europe/Vienna' };

describe('why there is no answer', () => {
  it.each([
    ['tomorrow at lunch', 'beside', 'at lunch', ['tomorrow']],
    ['9 tomorrow', 'beside', '9', ['tomorrow']],
    ['everything except the orders from last week', 'beside', 'except', ['from', 'last', 'week']],
    ['almost March', 'vague', 'almost', ['March']],
    ['30 February', 'impossible', '30 February', []],
    ['next business day', 'calendar', 'business day', ['next']],
    ['last fiscal year', 'calendar', 'fiscal year', ['last']],
    ['the Christmas rush', 'calendar', 'Christmas', ['the']],
    ['March 10 and 12', 'several', 'March 10 and', ['12']],
    ['the quick brown fox', 'nothing', '', []],
  ] as const)('«%s»: %s, «%s»', (text, reason, obstacle, understood) => {
    const found = explain(text, { ...base, locale: 'en-GB' });
    expect([found.obstacle?.reason, found.obstacle?.text, found.understood.map((word) => word.text)]).toEqual([
      reason,
      obstacle,
      understood,
    ]);
    expect(found.readings).toEqual([]);
  });

  it('an answer has readings and no obstacle, and its text includes the word that tells the tense', () => {
    const found = explain('Hello. Did the backup run on Monday? Thanks.', { ...base, locale: 'en-GB' });
    expect(found).toMatchObject({ text: ' Did the backup run on Monday?', understood: [{ text: 'Monday' }] });
    expect(found.obstacle).toBeUndefined();
    expect(found.readings.map(({ start }) => start?.toPlainDate().toString())).toEqual(['2026-03-16', '2026-03-23']);
  });
});

const shown = (found: ReturnType<typeof range>): string => `${found?.kind ?? ''} ${String(found?.start)} ${String(found?.end)}`;

it('the text of an explanation alone gives the same answer as the whole text', () => {
  const folder = new URL('phrases/', import.meta.url);
  for (const file of readdirSync(folder))
    for (const line of readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')) {
      const [locale = 'en', text = ''] = line.split('\t');
      const { text: part, index } = explain(text, { ...base, locale });
      expect(text.slice(index, index + part.length)).toBe(part);
      expect([part, shown(range(part, { ...base, locale }))]).toEqual([part, shown(range(text, { ...base, locale }))]);
    }
});

describe('what Intl.DateTimeFormat prints for a date is that date or nothing', () => {
  const { grammar, relative } = supportedLanguages();
  const locales = [
    ...grammar,
    ...relative,
    'en-US',
    'en-CA',
    'de-CH',
    'fr-CA',
    'es-MX',
    'pt-BR',
    'zh-TW',
    'ar-SA',
    'fa-IR',
    'th-TH',
    'he-IL',
  ];
  const styles: readonly (readonly ['day' | 'month' | 'year', Intl.DateTimeFormatOptions])[] = [
    ...(['full', 'long', 'medium', 'short'] as const).map((dateStyle) => ['day', { dateStyle }] as const),
    ['day', { year: 'numeric', month: 'numeric', day: 'numeric' }],
    ['day', { year: 'numeric', month: '2-digit', day: '2-digit' }],
    ['month', { year: 'numeric', month: 'long' }],
    ['month', { year: 'numeric', month: 'numeric' }],
    ['year', { year: 'numeric' }],
  ];
  it('in every locale, unit and zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.constantFrom(...styles),
        fc.constantFrom(...Intl.supportedValuesOf('timeZone').filter((_, index) => index % 23 === 0)),
        fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        (locale, [unit, style], timezone, date) => {
          const text = new Intl.DateTimeFormat(locale, { ...style, timeZone: timezone }).format(date);
          const found = range(text, { now: base.now, timezone, locale });
          if (!found?.start || !found.end) return;
          expect([text, locale, found.grain]).toEqual([text, locale, unit]);
          expect(found.start.epochMilliseconds).toBeLessThanOrEqual(date.getTime());
          expect(found.end.epochMilliseconds).toBeGreaterThan(date.getTime());
        },
      ),
      { numRuns: 600 },
    );
  });
});
