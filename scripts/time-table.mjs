#!/usr/bin/env node
// The tables of docs/reference/time.md, computed: phrases, one instant in four cities, and days that are not 24 hours long.
//   node scripts/time-table.mjs [--write]     prints the tables, or puts them into docs/reference/time.md
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEAR_MONTHS_END = '2026-10-31T23:30:00Z';
const CITIES = ['America/Los_Angeles', 'America/New_York', 'Europe/Vienna', 'Asia/Tokyo'];
const DAYS = [
  ['Europe/Vienna', '2026-03-29T12:00:00Z', 'clocks go forward'],
  ['Europe/Vienna', '2026-10-25T12:00:00Z', 'clocks go back'],
  ['America/New_York', '2026-03-08T16:00:00Z', 'clocks go forward'],
  ['America/New_York', '2026-11-01T16:00:00Z', 'clocks go back'],
  ['Australia/Lord_Howe', '2026-04-05T02:00:00Z', 'back by half an hour'],
  ['Australia/Lord_Howe', '2026-10-04T02:00:00Z', 'forward by half an hour'],
  ['Africa/Cairo', '2026-04-24T12:00:00Z', 'midnight does not exist'],
  ['America/Havana', '2026-03-08T16:00:00Z', 'midnight does not exist'],
  ['America/Havana', '2026-11-01T16:00:00Z', 'midnight happens twice'],
  ['Antarctica/Troll', '2026-03-29T12:00:00Z', 'two hours forward'],
  ['Pacific/Apia', '2011-12-29T20:00:00Z', 'the last day east of the dateline'],
  ['Pacific/Apia', '2011-12-31T02:00:00Z', 'the first day west of it: the 30th never was'],
];

const WEDNESDAY = { now: '2026-03-18T10:00:00+01:00', timezone: 'Europe/Vienna' };
const PHRASES = [
  ['en', 'yesterday'],
  ['en', 'sales last week by region'],
  ['en', 'in the last week'],
  ['en', 'the month after next'],
  ['en', 'in 2 weeks'],
  ['en', 'last 7 days'],
  ['en', 'past 3 months'],
  ['en', 'next Friday'],
  ['en', 'Friday'],
  ['en', 'this weekend'],
  ['en', 'since Monday'],
  ['en', 'year to date'],
  ['en', 'until Friday'],
  ['en', 'Q3 2026'],
  ['en', 'first half of 2025'],
  ['en', 'the first Monday of next month'],
  ['en', 'from 3 to 7 May'],
  ['en', 'tomorrow from 9:30 to 11:00'],
  ['de', 'Umsatz im vergangenen Quartal'],
  ['de', 'vor drei Wochen'],
  ['fr', 'la semaine du 6 avril'],
  ['es', 'el mes que viene'],
  ['it', 'gli ultimi 30 giorni'],
  ['nl', 'volgende week woensdag'],
  ['pt', 'de 3 a 7 de maio'],
  ['ja', '来週の金曜日'],
  ['zh', '上個月'],
  ['ru', 'в прошлом месяце'],
  ['hi', 'कल'],
  ['en', 'the end of last week'],
  ['en', 'per month'],
];

const date = (time) => time.toPlainDate().toString();
const clock = (time) => time.toString().slice(0, 16).replace('T', ' ');
const instant = (time) => time.toInstant().toString().replace(/:00Z$/, 'Z');

/** A day as a date, anything else with its time. */
const end = (time) => (time ? clock(time).replace(' 00:00', '') : '');

/** @param {typeof import('@waybill/time').range} range */
export function phrases(range) {
  const rows = PHRASES.map(([locale, text]) => {
    const found = range(text, { ...WEDNESDAY, locale: locale === 'en' ? 'en-GB' : locale });
    if (!found) return [locale, text, '', '', ''];
    const [other] = found.alternatives ?? [];
    return [locale, text, end(found.start), end(found.end), other ? `${end(other.start)} – ${end(other.end)}` : ''];
  });
  return { title: WEDNESDAY.now, head: ['', 'phrase', 'from', 'to, exclusive', 'other reading'], rows };
}

/** @param {typeof import('@waybill/time').range} range */
export function cities(range) {
  const rows = CITIES.map((timezone) => {
    const options = { now: NEAR_MONTHS_END, timezone, locale: 'en-GB' };
    const [now, today, month] = ['now', 'today', 'this month'].map((text) => range(text, options));
    return [
      timezone,
      clock(now.start),
      `${instant(today.start)} – ${instant(today.end)}`,
      `${instant(month.start)} – ${instant(month.end)}`,
    ];
  });
  return { title: NEAR_MONTHS_END, head: ['zone', 'the clock shows', '"today"', '"this month"'], rows };
}

/** @param {typeof import('@waybill/time').range} range */
export function days(range) {
  const rows = DAYS.map(([timezone, now, what]) => {
    const { start, end } = range('today', { now, timezone, locale: 'en-GB' });
    const hours = (end.epochMilliseconds - start.epochMilliseconds) / 3_600_000;
    return [timezone, date(start), String(hours), clock(start).slice(11), instant(start), instant(end), what];
  });
  return { title: 'days', head: ['zone', 'day', 'hours', 'starts at', 'from', 'to', ''], rows };
}

const line = (cells) => `| ${cells.join(' | ')} |`;
const markdown = ({ head, rows }) => [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

/** The document with its tables as they are computed now. */
export function renewed(text, range) {
  let result = text;
  for (const [name, table] of [
    ['phrases', phrases(range)],
    ['cities', cities(range)],
    ['days', days(range)],
  ]) {
    const [begin, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [result.indexOf(begin) + begin.length, result.indexOf(close)];
    if (to < from) throw new Error(`docs/reference/time.md: ${begin} is missing`);
    result = `${result.slice(0, from)}\n\n${markdown(table)}\n\n${result.slice(to)}`;
  }
  return result;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { range } = await import('@waybill/time');
  const file = fileURLToPath(new URL('../docs/reference/time.md', import.meta.url));
  if (process.argv.includes('--write')) writeFileSync(file, renewed(readFileSync(file, 'utf8'), range));
  else for (const table of [phrases, cities, days].map((make) => make(range))) console.log(`${markdown(table)}\n`);
}
