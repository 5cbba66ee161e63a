import { describe, expect, it } from 'vitest';
import { range } from './index.js';

describe('whole: true answers only if the phrase is the whole text', () => {
  const now = { epochMilliseconds: Date.parse('2026-03-10T12:00:00Z') };
  it.each([
    ['en', 'last month', true],
    ['en', 'in the last month?', true],
    ['en', 'sales last month', false],
    ['en', 'last month by region', false],
    ['fr', '« le mois dernier »', true],
    ['fr', 'ventes du mois dernier', false],
    ['es', 'el mes pasado', true],
    ['de', 'im letzten Monat', true],
    ['ja', '先月', true],
    ['ja', '先月の売上', false],
    ['pl', 'wczoraj', true],
    ['pl', 'sprzedaż wczoraj', false],
  ])('in %s the phrase is all of "%s": %s', (locale, text, expected) => {
    expect(range(text, { now, timezone: 'UTC', locale, whole: true }) !== undefined).toBe(expected);
    expect(range(text, { now, timezone: 'UTC', locale })).toBeDefined();
  });
});
