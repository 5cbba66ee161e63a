// @waybill/time: a phrase, in the user's language and zone, becomes exact instants.
import { range } from '@waybill/time';
import { say, table } from './print.mjs';

export const title = '"Last month" means what the user means';

export function show() {
  const now = '2026-10-31T23:40:00Z';
  const span = (text, timezone, locale, at = now) => {
    const found = range(text, { now: at, timezone, locale });
    return found === undefined
      ? ['–', '–']
      : [found.start, found.end].map((instant) => instant.toInstant().toString().replace(':00Z', 'Z'));
  };
  say(`  Asked at ${now}, answered in UTC, the end not included:\n`);
  table(
    ['where', 'phrase', 'from', 'to'],
    [
      ['Vienna', 'letzten Monat', 'Europe/Vienna', 'de-AT'],
      ['Los Angeles', 'last month', 'America/Los_Angeles', 'en-US'],
      ['Cairo', 'الشهر الماضي', 'Africa/Cairo', 'ar-EG'],
      ['Tokyo', '先月', 'Asia/Tokyo', 'ja-JP'],
      ['São Paulo', 'sales last week by region', 'America/Sao_Paulo', 'en-US'],
      ['Zurich', 'les 7 derniers jours', 'Europe/Zurich', 'fr-CH'],
    ].map(([where, phrase, zone, locale]) => [where, phrase, ...span(phrase, zone, locale)]),
  );
  say('\n  Days that are not 24 hours long:\n');
  table(
    ['zone', 'today, at', 'from', 'to', 'hours'],
    [
      ['Europe/Vienna', '2026-10-25T12:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T20:00:00Z'],
      ['Africa/Cairo', '2025-04-25T12:00:00Z'],
      ['America/Havana', '2026-03-08T12:00:00Z'],
      ['Pacific/Apia', '2011-12-29T22:00:00Z'],
    ].map(([zone, at]) => {
      const [from, to] = span('today', zone, 'en-GB', at);
      return [zone, at, from, to, String((Date.parse(to) - Date.parse(from)) / 3_600_000)];
    }),
  );
}
