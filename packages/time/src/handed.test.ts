import { describe, expect, it } from 'vitest';
import { explain, range, type RangeOptions } from './index.js';

/** Wednesday; Thursday the 19th is a holiday. The fiscal year starts in April. */
const handed: Omit<RangeOptions, 'locale'> = {
  now: '2026-03-18T10:30:00+01:00',
  timezone: 'Europe/Vienna',
  isHoliday: (date) => date.toString() === '2026-03-19',
  holidays: (year) => [
    { name: 'Christmas Day', date: `${year}-12-25` },
    { name: 'Easter Monday', date: { 2025: '2025-04-21', 2026: '2026-04-06' }[year] ?? `${year}-03-29` },
  ],
  fiscalYearStart: 4,
};
const shown = (text: string, locale = 'en-GB'): string | undefined => {
  const found = range(text, { ...handed, locale });
  return found && `${String(found.start?.toPlainDate())} ${String(found.end?.toPlainDate())}`;
};

describe('working days', () => {
  it.each([
    ['en-GB', 'next business day', '2026-03-20 2026-03-21'],
    ['en-GB', 'previous business day', '2026-03-17 2026-03-18'],
    ['en-GB', 'last 5 working days', '2026-03-11 2026-03-18'],
    ['en-GB', 'in 3 business days', '2026-03-24 2026-03-25'],
    ['en-GB', '3 business days ago', '2026-03-13 2026-03-14'],
    ['en-GB', 'within 2 business days', '2026-03-18 2026-03-24'],
    ['en-GB', 'first business day of April', '2026-04-01 2026-04-02'],
    ['en-GB', 'last working day of the month', '2026-03-31 2026-04-01'],
    ['de-DE', 'in 3 Werktagen', '2026-03-24 2026-03-25'],
    ['de-DE', '3 Werktage', '2026-03-13 2026-03-18'],
    ['en-GB', '3 working days', '2026-03-13 2026-03-18'],
    ['fr-FR', 'les 5 derniers jours ouvrés', '2026-03-11 2026-03-18'],
    ['es-ES', 'próximo día hábil', '2026-03-20 2026-03-21'],
    ['it-IT', 'prossimo giorno lavorativo', '2026-03-20 2026-03-21'],
    ['pt-PT', 'próximo dia útil', '2026-03-20 2026-03-21'],
    ['nl-NL', 'volgende werkdag', '2026-03-20 2026-03-21'],
    ['ja-JP', '3営業日後', '2026-03-24 2026-03-25'],
    ['zh-CN', '下一个工作日', '2026-03-20 2026-03-21'],
    // Friday and Saturday are the weekend there.
    ['ar-EG', 'next business day', '2026-03-22 2026-03-23'],
  ])('%s: %s is %s', (locale, text, expected) => {
    expect(shown(text, locale)).toBe(expected);
  });

  it('an isHoliday that is always true does not search for ever', () => {
    expect(range('next business day', { ...handed, locale: 'en-GB', isHoliday: () => true })).toBeUndefined();
  });
});

it.each([
  ['FY25', '2024-04-01 2025-04-01'],
  ['this fiscal year', '2025-04-01 2026-04-01'],
  ['last fiscal year', '2024-04-01 2025-04-01'],
  ['Q1 FY25', '2024-04-01 2024-07-01'],
  ['FY25 Q3', '2024-10-01 2025-01-01'],
])('fiscal years: %s is %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each([
  ['Christmas Day', '2025-12-25 2025-12-26'],
  ['Easter Monday', '2026-04-06 2026-04-07'],
  ['what did we sell on Easter Monday', '2025-04-21 2025-04-22'],
  ['Christmas Day 2024', '2024-12-25 2024-12-26'],
  ['before Christmas Day', undefined],
  ['Easter Monday at 9', undefined],
])('holidays by name: %s is %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it('phrases that need a calendar are refused with the reason "calendar" if none is given', () => {
  for (const text of ['next business day', 'FY25', 'Easter Monday'])
    expect(explain(text, { now: handed.now, timezone: 'UTC', locale: 'en' }).obstacle?.reason).toBe('calendar');
});

it('a wrong option is named', () => {
  const options = { now: handed.now, timezone: 'UTC', locale: 'en' };
  expect(() => range('today', { ...options, fiscalYearStart: 13 })).toThrow('fiscalYearStart');
  expect(() => range('today', { ...options, isHoliday: true as never })).toThrow('isHoliday');
});
