/** One piece of a phrase: a unit from now, a weekday, a part of the day, an ordinal, a date, a clock time. The longest wins. */
import { isClockUnit } from '../calendar.js';
import { weekdayOf } from '../civil.js';
import type { Fields } from '../fields.js';
import type { Span } from '../span.js';
import { civilYear } from '../years.js';
import { readClock } from './clock.js';
import { readCompact } from './compact.js';
import { readNamedDate, readYear } from './dates.js';
import { isJoined, readNumericDate } from './figures.js';
import { readIso } from './iso.js';
import { clockSpan, clockUnitSpan, readAgo, readLength, readRolling, readTimes, windowSpan } from './length.js';
import { NOTHING, NUMBER_STARTS, START, type Word } from './lexicon.js';
import { isCount, isSum, itemAt, readNumber, readOrdinal, wordAt, type Reader } from './reader.js';
import type { DayUnit } from '../types.js';

type Rule = (reader: Reader, at: number) => Fields | undefined;
const RULES: readonly (readonly [bit: number, rule: Rule])[] = [
  [START.relative, readRelative],
  [START.turned, readTurned],
  [START.rolling, readRolling],
  [START.ago, readAgo],
  [START.nth, readNth],
  [START.labelled, readLabelled],
  [START.iso, readIso],
  [START.iso, readCompact],
  [START.numeric, readNumericDate],
  [START.named, readNamedDate],
  [START.clock, readClock],
];

export function readPiece(reader: Reader, at: number): Fields | undefined {
  const { num, word, mark } = itemAt(reader, at);
  const starts = num === undefined ? (mark === '@' ? START.clock : word.starts) : NUMBER_STARTS;
  reader.steps++;
  if (num !== undefined && isLone(reader, at)) return undefined;
  if (starts === 0 || (num !== undefined && isJoined(reader, at))) return undefined;
  // "Fifty nine" is one number: its second half begins nothing.
  if (word.num !== undefined && !word.article && isNumberWord(reader, at - 1)) return undefined;
  let best: Fields | undefined;
  let end = at;
  for (const [bit, rule] of RULES) {
    if ((starts & bit) === 0) continue;
    reader.steps++;
    const found = rule(reader, at);
    if (found && reader.end > end) {
      best = found;
      end = reader.end;
    }
  }
  reader.end = end;
  return best;
}

/** A number with nothing beside it that could make it a date, a time or a length: most numbers of a long text. */
export function isLone(reader: Reader, at: number): boolean {
  const { digits } = itemAt(reader, at);
  const next = itemAt(reader, at + 1);
  return digits !== 4 && next.mark === '' && next.word === NOTHING;
}

const isNumberWord = (reader: Reader, at: number): boolean => wordAt(reader, at).num !== undefined && !wordAt(reader, at).article;

/** Words that are a phrase by themselves, and "this", "last", "next" before a noun. */
function readRelative(reader: Reader, at: number): Fields | undefined {
  const word = wordAt(reader, at);
  if (word.rel !== undefined && (!word.post || word.pre)) {
    const noun = wordAt(reader, at + 1).measure ? at + 2 : at + 1;
    const found = readNoun(reader, word, wordAt(reader, noun), noun + 1);
    if (found) return found;
  }
  if (word.now) {
    reader.end = at + 1;
    const span: Span = { from: reader.when.now, to: reader.when.now + 1000, grain: 'second', exact: 3 };
    return word.weak ? { span, weak: true } : { span };
  }
  if (word.day !== undefined) {
    reader.end = at + 1;
    const shift = { unit: 'day', by: word.day, loose: false } as const;
    return word.part ? { shift, part: word.part } : { shift };
  }
  if (word.span) {
    reader.end = at + 1;
    return { shift: { unit: word.span[0], by: word.span[1], loose: false, open: word.unit === 'weekend' } };
  }
  if (word.twelve) {
    reader.end = at + 1;
    const span = windowSpan(reader.when, 'year', -1);
    return span && { span };
  }
  if (word.part && word.weekday === undefined) {
    reader.end = at + 1;
    return { part: word.part, weak: true };
  }
  return undefined;
}

/** The noun comes first: "semaine dernière", "lunes pasado", "the week before last". */
function readTurned(reader: Reader, at: number): Fields | undefined {
  const noun = wordAt(reader, at);
  if ((noun.unit ?? noun.weekday ?? noun.month ?? noun.part) === undefined) return undefined;
  const word = wordAt(reader, at + 1);
  if (word.rel === undefined || !word.post) return undefined;
  // In "por semana próximo mes" the adjective belongs to what follows.
  if (word.pre && wordAt(reader, at + 2).unit !== undefined && !wordAt(reader, at - 1).skip) return undefined;
  // "Hora anterior" is the one before this one on the clock, "la última hora" ends now.
  if (isClockUnit(noun.unit) && (noun.times ?? 1) === 1 && !noun.plural) {
    reader.end = at + 2;
    return { span: clockUnitSpan(reader.when, noun.unit, word.rel) };
  }
  const found = readNoun(reader, word, noun, at + 2);
  // "La semana pasada" is never the last of something.
  return found?.shift ? { ...found, shift: { ...found.shift, behind: true } } : found;
}

export function readNoun(
  reader: Reader,
  { rel: by = 0, near, window }: Pick<Word, 'rel' | 'near' | 'window'>,
  noun: Word,
  end: number,
): Fields | undefined {
  reader.end = end;
  if (noun.unit !== undefined) {
    // "Essa dia 16" is a date.
    if (noun.plural || (noun.dayMark && itemAt(reader, end).num !== undefined)) return undefined;
    if (isClockUnit(noun.unit)) return { span: clockSpan(reader.when, noun.unit, by, noun.times) };
    if ((noun.times ?? 1) !== 1) return readTimes(reader, noun.unit, by, noun.times ?? 1);
    if (near && noun.unit === 'weekend') return relativeUnit(reader, 'weekend', isWeekend(reader) ? 1 : 0, false);
    return relativeUnit(reader, noun.unit, by, window === true);
  }
  const turn = { by, near: near === true };
  if (noun.weekday !== undefined) return { weekday: noun.weekday, turn };
  // "Last March 3" is known, and not answered.
  const isDated = itemAt(reader, end).num !== undefined && itemAt(reader, end).digits <= 2 && !isCount(reader, end + 1);
  if (noun.month !== undefined && isDated) return { nth: { n: 0 } };
  if (noun.month !== undefined) return { month: noun.month, turn };
  const part = noun.orPart ?? (noun.day === undefined ? noun.part : undefined);
  if (part !== undefined && Math.abs(by) <= 1) return { shift: { unit: 'day', by, loose: false }, part };
  return undefined;
}

const isWeekend = ({ when }: Reader): boolean => when.locale.weekend.includes(weekdayOf(when.today));

function relativeUnit(reader: Reader, unit: DayUnit, by: number, window: boolean): Fields | undefined {
  const span = window && unit !== 'quarter' ? windowSpan(reader.when, unit, by) : undefined;
  return span ? { span, window: { unit, by, count: 1 } } : { shift: { unit, by, loose: true } };
}

/** "Third week", "first Monday", "2nd half", "third quarter"; weekdays alone. */
function readNth(reader: Reader, at: number): Fields | undefined {
  const { weekday, weak, half, quarter, part, plural } = wordAt(reader, at);
  if (half !== undefined || quarter !== undefined) {
    reader.end = at + 1;
    return half !== undefined ? { half } : { quarter: quarter ?? 1 };
  }
  const n = readOrdinal(reader, at);
  // "Les 10 premiers jours"
  const { num: count = wordAt(reader, at - 1).num, digits } = itemAt(reader, at - 1);
  const { unit: counted } = n === 1 ? wordAt(reader, reader.end) : NOTHING;
  const isSeveral = counted !== undefined && counted !== 'quarter' && counted !== 'half' && count !== undefined && digits <= 2;
  if (isSeveral && !wordAt(reader, at - 1).article) return { nth: { n: 0 } };
  if (n !== undefined) {
    const { measure, of } = wordAt(reader, reader.end);
    let next = measure || (of && wordAt(reader, at).ordMark) ? reader.end + 1 : reader.end;
    // "Third last week" counts from the end, "first ten days" are ten.
    const sign = wordAt(reader, next).rel === -1 && !wordAt(reader, next).post ? -1 : 1;
    if (sign < 0) next++;
    const count = n === 1 ? readLength(reader, next) : undefined;
    if (count && count.parts === 1 && count.ms === 0) return { nth: { n, unit: count.unit as DayUnit, count: count.count } };
    const noun = wordAt(reader, next);
    reader.end = next + 1;
    if (sign < 0 && noun.unit !== 'week' && noun.unit !== 'day' && noun.unit !== 'month' && noun.weekday === undefined) return undefined;
    // "11. KW"
    if (noun.numbered && sign > 0) return n <= 53 ? yearBehind(reader, { week: n }) : undefined;
    if (noun.unit === 'quarter') return n <= 4 ? { quarter: n } : undefined;
    if (noun.unit === 'half') return n <= 2 ? { half: n } : undefined;
    // "Les trois premiers mois": how many is said elsewhere, or not at all.
    if (noun.plural && noun.unit !== undefined) return { nth: { n: 0 } };
    if (noun.unit === 'week' || noun.unit === 'day' || noun.unit === 'month' || noun.unit === 'weekend')
      return { nth: { n: n * sign, unit: noun.unit } };
    if (noun.weekday !== undefined) return { nth: noun.plural ? { n: 0 } : { n: n * sign, weekday: noun.weekday } };
  }
  // "Mondays" are many.
  if (weekday === undefined || plural) return undefined;
  reader.end = at + 1;
  return part ? { weekday, part } : weak ? { weekday, weak } : { weekday };
}

/** Q3, H1, week 27, KW 27, the year 2015. */
function readLabelled(reader: Reader, at: number): Fields | undefined {
  const { label, weak, plural } = wordAt(reader, at);
  if (label === undefined) return undefined;
  const value = itemAt(reader, at + 1).num;
  if (value === undefined || (weak && !itemAt(reader, at + 1).glued)) return undefined;
  reader.end = at + 2;
  if (label === 'quarter') return value >= 1 && value <= 4 ? yearBehind(reader, { quarter: value }) : undefined;
  if (label === 'half') return value >= 1 && value <= 2 ? yearBehind(reader, { half: value }) : undefined;
  if (label === 'week')
    return value >= 1 && value <= 53 && itemAt(reader, at + 1).digits <= 2 ? yearBehind(reader, { week: value }) : undefined;
  const year = readYear(reader, at + 1);
  // "Los años 1970" are ten.
  if (year !== undefined && plural) return { nth: { n: 0 } };
  return year === undefined ? undefined : { year };
}

/** Q3-2026, Q3/2026, Q3'26. */
function yearBehind(reader: Reader, fields: Fields): Fields {
  const end = reader.end;
  const { mark, glued, num, digits } = itemAt(reader, end);
  // Behind a space only where nothing follows that it could be a count of.
  if (num !== undefined && digits === 2 && (glued || end + 1 === reader.items.length)) {
    const year = civilYear(reader.when, num);
    reader.end = end + 1;
    return year === undefined ? fields : { ...fields, year };
  }
  if (!glued || (mark !== '-' && mark !== '/') || !itemAt(reader, end + 1).glued) return fields;
  const short = itemAt(reader, end + 1);
  if (mark === '/' && short.digits === 2) reader.end = end + 2;
  const year = mark === '/' && short.digits === 2 ? civilYear(reader.when, short.num ?? 0) : readYear(reader, end + 1);
  if (year === undefined) reader.end = end;
  return year === undefined ? fields : { ...fields, year };
}

/** Inside ranges: "from 4 to 22", "between 9 and 11". */
export function readBare(reader: Reader, at: number): Fields | undefined {
  const from = wordAt(reader, at).dayMark || wordAt(reader, at).at ? at + 1 : at;
  const value = readOrdinal(reader, from) ?? readNumber(reader, from);
  if (isSum(reader, reader.end)) return undefined;
  if (isJoined(reader, from) || (wordAt(reader, reader.end).unit && !wordAt(reader, reader.end).oclock)) return undefined;
  return value !== undefined && value >= 0 && value <= 31 && Number.isInteger(value) && !wordAt(reader, from).article
    ? { bare: value }
    : undefined;
}
