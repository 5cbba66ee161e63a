import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveRange } from './range.js';

/** Wednesday 18 March 2026, half past ten in Vienna. */
const when = { now: '2026-03-18T10:30:00+01:00', timeZone: 'Europe/Vienna' };
const read = (locale: string, text: string): ReturnType<typeof resolveRange> =>
  resolveRange(text, { ...when, locale: locale === 'en' ? 'en-GB' : locale });
const shown = (at: { toString(): string } | undefined): string =>
  at === undefined ? '-' : at.toString().slice(0, 16).replace('T00:00', '');

/** Each of them once had another answer: the words beside what was read had been passed over. */
describe('CTX-07: the whole phrase, or none', () => {
  it.each([
    ['en', 'last 2h', '2026-03-18T08:30 2026-03-18T10:30'],
    ['en', 'errors in the last 2h', '2026-03-18T08:30 2026-03-18T10:30'],
    ['en', 'past 24h', '2026-03-17T10:30 2026-03-18T10:30'],
    ['de', 'letzte 24h', '2026-03-17T10:30 2026-03-18T10:30'],
    ['de', 'die letzten 2h', '2026-03-18T08:30 2026-03-18T10:30'],
    ['en', '5h ago', '2026-03-18T05:30 2026-03-18T05:31'],
    ['en', 'in 2h', '2026-03-18T12:30 2026-03-18T12:31'],
    ['en', 'at 14h', '2026-03-18T14:00 2026-03-18T15:00'],
    ['de', 'um 14h', '2026-03-18T14:00 2026-03-18T15:00'],
    ['it', 'ultime 2h', '2026-03-18T08:30 2026-03-18T10:30'],
    ['en', 'H1 2026', '2026-01-01 2026-07-01'],
    ['en', 'H2', '2026-07-01 2027-01-01'],
    ['en', 'the last half hour', '2026-03-18T10:00 2026-03-18T10:30'],
    ['en', 'past half hour', '2026-03-18T10:00 2026-03-18T10:30'],
    ['en', 'first half of 2025', '2025-01-01 2025-07-01'],
    ['en', 'first half of the year', '2026-01-01 2026-07-01'],
    ['en', 'first quarter of last year', '2025-01-01 2025-04-01'],
    ['en', 'the last quarter of 2025', '2025-10-01 2026-01-01'],
    ['en', 'in the last hour', '2026-03-18T09:30 2026-03-18T10:30'],
    ['en', 'the past hour', '2026-03-18T09:30 2026-03-18T10:30'],
    ['de', 'in der letzten Stunde', '2026-03-18T09:30 2026-03-18T10:30'],
    ['fr', 'dans la dernière heure', '2026-03-18T09:30 2026-03-18T10:30'],
    ['es', 'en la última hora', '2026-03-18T09:30 2026-03-18T10:30'],
    ['pt', 'na última hora', '2026-03-18T09:30 2026-03-18T10:30'],
    ['it', "nell'ultima ora", '2026-03-18T09:30 2026-03-18T10:30'],
    ['nl', 'het afgelopen uur', '2026-03-18T09:30 2026-03-18T10:30'],
    ['en', 'next hour', '2026-03-18T10:30 2026-03-18T11:30'],
    ['en', 'this hour', '2026-03-18T10:00 2026-03-18T11:00'],
    ['en', '2025Q1', '2025-01-01 2025-04-01'],
    ['en', '2025H2', '2025-07-01 2026-01-01'],
    ['en', 'Q1 25', '2025-01-01 2025-04-01'],
    ['en', "Q1'25", '2025-01-01 2025-04-01'],
    ['en', "March '25", '2025-03-01 2025-04-01'],
    ['en', 'May ’24', '2024-05-01 2024-06-01'],
    ['en', "Sept '23 sales", '2023-09-01 2023-10-01'],
    ['en', "5 March '25", '2025-03-05 2025-03-06'],
    ['en', 'March 25', '2026-03-25 2026-03-26'],
    ['en', 'Monday 9-12', '2026-03-23T09:00 2026-03-23T12:00'],
    ['en', 'Monday 9-17', '2026-03-23T09:00 2026-03-23T17:00'],
    ['en', 'Friday 9-5', '2026-03-20T09:00 2026-03-20T17:00'],
    ['en', 'Friday 10-4', '2026-04-10 2026-04-11'],
    ['en', 'tomorrow 10-12', '2026-03-19T10:00 2026-03-19T12:00'],
    ['en', 'tomorrow 9 to 5', '2026-03-19T09:00 2026-03-19T17:00'],
    ['en', 'today 2-4pm', '2026-03-18T14:00 2026-03-18T16:00'],
    ['en', 'after 6pm yesterday', '2026-03-17T18:00 2026-03-18T10:30'],
    ['de', 'nach 18 Uhr gestern', '2026-03-17T18:00 2026-03-18T10:30'],
    ['en', 'after 14:00 yesterday', '2026-03-17T14:00 2026-03-18T10:30'],
    ['zh', '昨天18点以后', '2026-03-17T18:00 2026-03-18T10:30'],
    ['zh', '半小时前', '2026-03-18T10:00 2026-03-18T10:01'],
    ['en', 'on or before Friday', '- 2026-03-21'],
    ['de', 'am oder vor Freitag', '- 2026-03-21'],
    ['en', 'half past midnight', '2026-03-19T00:30 2026-03-19T00:31'],
    ['en', 'ten past midnight', '2026-03-19T00:10 2026-03-19T00:11'],
    ['de', 'Viertel nach Mitternacht', '2026-03-19T00:15 2026-03-19T00:16'],
    ['en', 'month to date', '2026-03-01 2026-03-18T10:30'],
    ['zh', '今年迄今', '2026-01-01 2026-03-18T10:30'],
    ['en', 'Wednesday 18 March 2026', '2026-03-18 2026-03-19'],
  ])('%s: %s is %s', (locale, text, expected) => {
    const range = read(locale, text);
    expect(range && `${shown(range.start)} ${shown(range.end)}`).toBe(expected);
  });

  it.each([
    ['en', 'first half of March'],
    ['en', 'first half of the week'],
    ['fr', 'la première moitié de mars'],
    ['es', 'primera mitad de marzo'],
    ['pt', 'primeira metade de março'],
    ['nl', 'eerste helft van maart'],
    ['de', 'in der ersten Hälfte des Monats'],
    ['en', 'second half of the month'],
    ['en', 'first quarter of the month'],
    ['en', 'last quarter of the day'],
    ['en', 'last hour of the day'],
    ['en', 'at 1730'],
    ['es', 'ayer después de las 18'],
    ['ru', 'до завтра'],
    ['pl', 'od wczoraj'],
    ['da', 'siden i går'],
    ['ko', '어제부터'],
    ['ko', '내일까지'],
    ['th', 'ตั้งแต่เมื่อวาน'],
    ['vi', 'từ hôm qua'],
    ['ar', 'منذ أمس'],
    ['hi', 'कल तक'],
    ['ru', 'не сегодня'],
    ['sv', 'inte idag'],
    ['ar', 'نهاية الشهر الماضي'],
    ['ko', '지난달 말'],
    ['id', 'akhir bulan ini'],
    ['th', 'สิ้นเดือนที่แล้ว'],
    ['vi', 'cuối tuần này'],
    ['he', 'סוף השבוע'],
    ['id', 'akhir minggu ini'],
    ['es', 'hace un año y medio'],
    ['pt', 'há um ano e meio'],
    ['zh', '一個半小時前'],
    ['en', 'at least 3 days ago'],
    ['en', 'at most 3 days ago'],
    ['en', 'under a week ago'],
    ['it', 'più di tre giorni fa'],
    ['en', 'all but yesterday'],
    ['es', 'todos menos ayer'],
    ['zh', '除了昨天'],
    ['ja', '昨日以外'],
    ['en', 'a week on Friday'],
    ['en', 'two weeks on Monday'],
    ['de', 'Freitag vor einer Woche'],
    ['en', 'week ending 6 April'],
    ['en', 'week commencing 6 April'],
    ['fr', 'la semaine finissant le 6 avril'],
    ['en', 'same period last year'],
    ['zh', '去年同期'],
    ['en', 'this time last year'],
    ['de', 'im selben Zeitraum des Vorjahres'],
    ['en', 'same time last week'],
    ['en', 'last month end'],
    ['en', 'last month to date'],
    ['en', 'half of 2025'],
  ])('%s: %s has no answer', (locale, text) => {
    expect(read(locale, text)).toBeUndefined();
  });

  it.each([
    ['en', 'Thursday 19-21 March', '2026-03-19 2026-03-22'],
    ['de', 'Do 19.-21.3.', '2026-03-19 2026-03-22'],
    ['ja', '木曜日19-21日', '2026-03-19 2026-03-22'],
    ['en', 'today 5-7 people', '2026-03-18 2026-03-19'],
    ['en', 'tomorrow 10-20% off', '2026-03-19 2026-03-20'],
    ['de', 'gestern 3-5 Bestellungen', '2026-03-17 2026-03-18'],
    ['de', 'Bestellungen gestern ab 50 Euro', '2026-03-17 2026-03-18'],
    ['en', 'sales last week by 5 teams', '2026-03-09 2026-03-16'],
    ['ru', 'Почему вчера не было заказов?', '2026-03-17 2026-03-18'],
    ['ru', 'встреча завтра с Иваном', '2026-03-19 2026-03-20'],
    ['it', 'domani 14h', '2026-03-19T14:00 2026-03-19T15:00'],
  ])('%s: %s is %s, whatever stands beside it', (locale, text, expected) => {
    const range = read(locale, text);
    expect(range && `${shown(range.start)} ${shown(range.end)}`).toBe(expected);
  });

  it.each([
    ['Friday after next', '2026-03-27'],
    ['Monday before last', '2026-03-09'],
  ])('%s may also be %s', (text, other) => {
    expect(read('en', text)?.alternatives?.map(({ start }) => shown(start))).toEqual([other]);
  });

  it.each([
    ['ko', '어제 말씀하신 회의', '2026-03-17'],
    ['ko', '지난달 초콜릿 판매', '2026-02-01'],
    ['ru', 'отчёт от вчера', '2026-03-17'],
    ['sv', 'rapporten från förra veckan', '2026-03-09'],
    ['th', 'ยอดขายเดือนที่แล้ว', '2026-02-01'],
  ])('%s: other words do no harm: %s', (locale, text, expected) => {
    expect(shown(read(locale, text)?.start)).toBe(expected);
  });
});

/** Locale, phrase and what it is on that Wednesday at ten, or nothing: a thousand ways to be misread, of which these once were. */
describe('CTX-07: in a chat', () => {
  const lines = readFileSync(new URL('phrases.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  it.each(lines.map((line) => line.split('\t') as [string, string, string]))('%s: %s is %s', (locale, text, expected) => {
    const range = resolveRange(text, { ...when, now: '2026-03-18T10:00:00+01:00', locale });
    const kind = range === undefined || range.kind === 'period' ? '' : `${range.kind} `;
    const start = range?.start === undefined ? '…' : shown(range.start);
    expect(range === undefined ? '-' : `${kind}${start} ${shown(range.end)}`).toBe(expected);
  });
});
