/** Rewrites forms that programs and agents use (last_month, last-7-days, 30d, P7D, -P1M, 2025-03-01/P1W) as the phrase that means the same. */
import { addMonths } from './civil.js';
import { readDate } from './date.js';
import { calendarDate } from './zoned.js';

const RELATIVE =
  /(?<![\p{L}\p{N}_-])(?:last|past|prev|previous|next|this|current|trailing|rolling)(?:[-_](?:\p{L}+|\d+)){1,4}(?![\p{L}\p{N}_-])/giu;
/** lastMonth, previousQuarter, yearToDate: only a whole text. */
const CAMEL =
  /^\s*(?:last|past|prev|previous|next|this|current|trailing|rolling|(?:year|quarter|month|week)(?=ToDate))(?:[A-Z][a-z]+|\d{1,3})+\s*$/;
const SNAKE = /(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu;
const LOOKBACK = /^\s*-?(\d{1,4})\s?(d|w|wk|mo|mos|m|y|yr|q|h|hr|hrs)\s*$/i;
const DURATION = /^\s*([+-])?P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?)?\s*$/;
/** 2026-01-01/P1M, P1M/2026-02-01. */
const INTERVAL = /^\s*(?:(\d{4}-\d\d-\d\d)\/(P[^/]+)|(P[^/]+)\/(\d{4}-\d\d-\d\d))\s*$/;
const UNITS: Readonly<Record<string, string>> = {
  d: 'days',
  w: 'weeks',
  wk: 'weeks',
  mo: 'months',
  mos: 'months',
  y: 'years',
  yr: 'years',
  q: 'quarters',
  h: 'hours',
  hr: 'hours',
  hrs: 'hours',
};
const PARTS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes'];

/** The same text with blanks where identifiers join their words: as long as it was. */
export function spreadIdentifiers(text: string): string {
  if (!/[_-]/.test(text)) return text;
  return text.replace(SNAKE, (joint) => ' '.repeat(joint.length)).replace(RELATIVE, (words) => words.replace(/[-_]/g, ' '));
}

/** A whole text that is an identifier or only a length, as an English phrase; a length without a sign looks back, unless the caller looks ahead. */
export function phraseOfLength(text: string, isAhead: boolean, language: string): string | undefined {
  if (text.length > 40) return undefined;
  if (CAMEL.test(text)) return text.replace(/[A-Z]|(?<=[a-z])\d/g, ' $&');
  if (!/^[\s\d+P-]/.test(text)) return undefined;
  const lookback = LOOKBACK.exec(text);
  // "5m" are minutes or months.
  if (lookback) {
    const unit = UNITS[(lookback[2] ?? '').toLowerCase()];
    // "15h" is a time of the day in most languages but English.
    if (unit === 'hours' && language !== 'en') return undefined;
    return unit && `${isAhead && !text.includes('-') ? 'next' : 'last'} ${lookback[1] ?? ''} ${unit}`;
  }
  const interval = INTERVAL.exec(text);
  if (interval) return phraseOfInterval(interval);
  const duration = DURATION.exec(text);
  if (!duration) return undefined;
  const [, sign, ...counts] = duration as (string | undefined)[];
  const said = counts.flatMap((count, index) => (count === undefined ? [] : [`${count} ${PARTS[index] ?? ''}`]));
  if (said.length === 0) return undefined;
  return `${sign === '+' || (isAhead && sign === undefined) ? 'next' : 'last'} ${said.join(' ')}`;
}

/** Both dates of an interval that has one and a length; lengths of hours are not answered. */
function phraseOfInterval([, start, ahead, back, end]: readonly (string | undefined)[]): string | undefined {
  const date = readDate(start ?? end ?? '');
  const [, sign, years, months, weeks, days, hours, minutes] = DURATION.exec(ahead ?? back ?? '') ?? [];
  if (date === undefined || sign !== undefined || (hours ?? minutes) !== undefined) return undefined;
  const direction = start === undefined ? -1 : 1;
  const amount = (value: string | undefined): number => direction * Number(value ?? 0);
  const other = addMonths(date, amount(years) * 12 + amount(months)) + amount(weeks) * 7 + amount(days);
  const [from, to] = direction > 0 ? [date, other] : [other, date];
  return to > from ? `${shownDay(from)} to ${shownDay(to - 1)}` : undefined;
}

const shownDay = (day: number): string => calendarDate(day).toString();
