/**
 * Two parts of one time with other words between them: "the meeting tomorrow with Anna at 3pm", "Q3 revenue in 2025", "last week's standup
 * on Tuesday". Only pairs that can hardly be two times are put together.
 */
import { isClockUnit } from '../calendar.js';
import { isYearless, merge, type Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { readMoment } from './moment.js';
import { REFUSED, refuse, type Found, type Outcome } from './outcome.js';
import { isEnd, itemAt, wordAt, type Reader } from './reader.js';
import { readRange } from './twoEnds.js';

/** Items between the parts, with all unknown words in a row as one. */
const FAR = 8;
/** Another statement begins. */
const CLAUSE =
  /(?<!\p{L})(?:that|which|who|whose|when|where|if|because|since|about|until|than|then|not|only|or|and|but)(?!\p{L})|[.!?;](?=\s|$)|\n/u;

export function withOtherPart(reader: Reader, first: Found, prefer: Direction['prefer']): Outcome {
  const { fields, kind, start, end } = first;
  if (!fields || kind !== 'period') return first;
  const isEnglish = reader.when.locale.language === 'en';
  const direction: Direction = { prefer, day: reader.when.today, inclusive: false };
  for (let at = end; at < end + FAR && at < reader.items.length; at++) {
    const { mark, word } = itemAt(reader, at);
    if ((mark !== '' && mark !== ',' && mark !== '@') || (word.and ?? word.or ?? word.compares)) return first;
    // A part that touches the first was judged with it.
    if (at === end) continue;
    // "Friday with friends from 8 to 10"
    const hours = (word.from ?? word.between) && isDay(fields) ? readRange(reader, start, at + 1, fields, direction) : undefined;
    if (hours && hours !== REFUSED && isClockUnit(hours.span.grain) && isEnd(reader, hours.end)) return hours;
    const moment = readMoment(reader, at);
    if (!moment) continue;
    const second = { ...moment, start: at, end: reader.end };
    const between = textBetween(reader, end, at);
    const { bound, off, to } = wordAt(reader, wordAt(reader, at - 1).skip ? at - 2 : at - 1);
    if (second.clash || CLAUSE.test(between) || (bound ?? off ?? to) !== undefined) return first;
    if (second.fields.weak && !isLed(reader, second)) return first;
    const isHour = (fields.clock ?? second.fields.clock) !== undefined;
    const isCut = between.includes(',');
    // The words that begin another statement are known for English; elsewhere only a day and its hour are one time.
    if (!isPair(fields, second.fields) || (!isEnglish && (isCut || !isHour))) return first;
    // "Invoices from 2024 paid in March": whose March?
    if (!isHour && !second.fields.part && start > 0 && !isCut && reader.words.hasVerb(between)) return refuse(reader, 'several', start, at);
    const merged = merge(fields, second.fields, true);
    const span = merged && resolve(reader.when, merged, direction);
    return span ? { ...first, fields: merged, span, end: second.end, weak: false, yearless: isYearless(merged) } : first;
  }
  return first;
}

const isDay = ({ weekday, day, shift, clock }: Fields): boolean => !clock && ((weekday ?? day) !== undefined || shift?.unit === 'day');
const isTime = ({ clock, part, ...rest }: Fields): boolean =>
  (clock ?? part) !== undefined && Object.keys(rest).every((key) => key === 'weak');
const isYear = ({ year, shift, weak: _, ...rest }: Fields): boolean =>
  (year !== undefined || shift?.unit === 'year') && Object.keys(rest).length === 0;
const needsYear = ({ month, quarter, half, week, year, shift, turn, clock }: Fields): boolean =>
  (month ?? quarter ?? half ?? week) !== undefined && (year ?? shift ?? turn ?? clock) === undefined;
const isWeekOnly = ({ shift, ...rest }: Fields): boolean => shift?.unit === 'week' && Object.keys(rest).length === 0;
const isWeekdayOnly = ({ weekday, day, month, shift, turn, nth }: Fields): boolean =>
  weekday !== undefined && (day ?? month ?? shift ?? turn ?? nth) === undefined;

function isPair(first: Fields, second: Fields): boolean {
  if (isDay(first)) return isTime(second) || (isWeekdayOnly(first) && isWeekOnly(second)) || (needsYear(first) && isYear(second));
  if (isTime(first)) return isDay(second);
  if (isWeekOnly(first)) return isWeekdayOnly(second);
  return (needsYear(first) && isYear(second)) || (isYear(first) && needsYear(second));
}

const textBetween = (reader: Reader, end: number, at: number): string =>
  reader.written.slice(itemAt(reader, end - 1).end, itemAt(reader, at).start).toLowerCase();

/** Tells whether another statement begins between a phrase and a later place. */
export const isOtherStatement = (reader: Reader, end: number, at: number): boolean => CLAUSE.test(textBetween(reader, end, at));

/** A preposition leads to it, or the text ends with it. */
function isLed(reader: Reader, { start, end }: Pick<Found, 'start' | 'end'>): boolean {
  const { prep, of, at, from } = wordAt(reader, start - 1);
  return (prep ?? of ?? at ?? from ?? wordAt(reader, start).at) !== undefined || isEnd(reader, end);
}
