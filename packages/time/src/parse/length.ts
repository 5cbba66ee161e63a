/** Lengths ("3 weeks", "1 month and 2 days") and what is said with them: ago, from now, the last, the next. */
import { addMonths, weekdayOf } from '../civil.js';
import { MONTHS_IN, unitAround } from '../calendar.js';
import type { Fields } from '../fields.js';
import { daySpan, spanOf, type Span } from '../span.js';
import type { When } from '../when.js';
import { DAY_MS } from '../zone.js';
import { NOTHING, type Word } from './lexicon.js';
import { itemAt, markAt, readNumber, wordAt, type Reader } from './reader.js';
import type { DayUnit, Unit } from '../types.js';

export interface Length {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
  /** The finest unit named, and how many parts it was said in. */
  readonly unit: Unit;
  readonly parts: number;
  /** "2 quarters": counted in whole units, not in days. */
  readonly count: number;
}

const MS: Readonly<Partial<Record<Unit, number>>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
const DAYS: Readonly<Partial<Record<Unit, number>>> = { day: 1, week: 7 };
const FINER: Readonly<Partial<Record<Unit, Unit>>> = { hour: 'minute', minute: 'second', second: 'second' };
const MAX_COUNT = 100_000;
const DURING: ReadonlySet<string> = new Set(['es', 'pt']);

const skipMeasure = (reader: Reader, at: number): number => (wordAt(reader, at).measure ? at + 1 : at);

/** A number and a unit, and more of them behind a comma, "and" or nothing. */
export function readLength(reader: Reader, at: number): Length | undefined {
  let [months, days, ms, parts, next] = [0, 0, 0, 0, at];
  let unit: Unit | undefined;
  let first = 0;
  for (;;) {
    const from = parts > 0 && (wordAt(reader, next).and || markAt(reader, next) === ',') ? next + 1 : next;
    const value = readNumber(reader, from);
    if (value === undefined || value > MAX_COUNT) break;
    const place = skipMeasure(reader, reader.end);
    // "Two and a half hours", of which the last two words are thirty minutes
    const half = wordAt(reader, place).and && wordAt(reader, place + 1).article ? wordAt(reader, place + 2) : NOTHING;
    if (parts === 0 && (half.times === 30 || (half.unit === 'half' && wordAt(reader, place + 3).unit === undefined))) {
      const isHours = half.times === 30;
      reader.end = place + 3;
      const [hours, years] = isHours ? [value + 0.5, 0] : [0, value + 0.5];
      return { months: years * 12, days: 0, ms: hours * 3_600_000, unit: isHours ? 'minute' : 'year', parts: 2, count: value };
    }
    const { unit: named, times = 1, monthSuffix } = wordAt(reader, place);
    // 3月 is March; three months are 3か月, 三个月.
    if (!named || named === 'weekend' || (named === 'year' && value >= 1000) || (monthSuffix && place === reader.end)) break;
    // "A day and a half" is not half a year more.
    if (named === 'half' && parts > 0 && unit !== 'year') {
      if (!unit || !MS[unit]) return undefined;
      ms += (MS[unit] ?? 0) / 2;
      unit = 'minute';
      next = place + 1;
      break;
    }
    const amount = value * times;
    const inMonths = amount * (MONTHS_IN[named] ?? 0);
    if (MS[named]) ms += amount * MS[named];
    else if (!Number.isInteger(inMonths || amount)) return undefined;
    else if (inMonths) months += inMonths;
    else days += amount * (DAYS[named] ?? 0);
    if (parts === 0) first = amount;
    unit = named;
    parts++;
    next = place + 1;
    if (parts === 6) break;
  }
  if (!unit || first === 0) return undefined;
  reader.end = next;
  return { months, days, ms, unit, parts, count: first };
}

export function moved(day: number, { months, days }: Length, sign: number): number {
  return addMonths(day, sign * months) + sign * days;
}

function pointSpan(when: When, length: Length, sign: number): Span | undefined {
  if (length.ms === 0) {
    const day = moved(when.today, length, sign);
    return spanOf({ from: day, to: day + 1 }, 'day');
  }
  if (length.months !== 0 || length.days !== 0) return undefined;
  const from = when.now + sign * length.ms;
  const grain = FINER[length.unit] ?? 'second';
  return { from, to: from + (MS[grain] ?? 1000), grain, exact: 3 };
}

/** "3 weeks ago" from a unit and a number. */
export function pointSpanOf(when: When, unit: Unit, count: number, sign: number): Span | undefined {
  if (!Number.isInteger(count) || count > MAX_COUNT) return undefined;
  return pointSpan(when, lengthOf(unit, count), sign);
}

const lengthOf = (unit: Unit, count: number): Length => ({
  months: (MONTHS_IN[unit] ?? 0) * count,
  days: (DAYS[unit] ?? 0) * count,
  ms: (MS[unit] ?? 0) * count,
  unit,
  parts: 1,
  count,
});

/** Full days before today or after it; hours and minutes from this very moment; quarters and half-years whole. */
function rollingSpan(when: When, length: Length, sign: number): Span | undefined {
  const { unit, count, parts } = length;
  if (length.ms !== 0) {
    if (length.months !== 0) return undefined;
    return besideNow(when, sign * (length.ms + length.days * DAY_MS), unit);
  }
  if ((unit === 'quarter' || unit === 'half') && parts === 1) return wholeUnits(when, unit, count, sign);
  return besideToday(when, length, sign);
}

/** From now on, or up to now. */
const besideNow = ({ now }: When, ms: number, grain: Unit): Span => ({
  from: Math.min(now, now + ms),
  to: Math.max(now, now + ms),
  grain,
  exact: 3,
});

/** Full days before today, or after it. */
function besideToday(when: When, length: Length, sign: number): Span | undefined {
  const edge = sign < 0 ? when.today : when.today + 1;
  const other = moved(edge, length, sign);
  return spanOf(sign < 0 ? { from: other, to: edge } : { from: edge, to: other }, length.unit);
}

/** "3 weeks ago", "in 2 days", "3 Fridays from now": one day. */
export function readAgo(reader: Reader, at: number): Fields | undefined {
  const { lead } = wordAt(reader, at);
  if (lead !== undefined) {
    let from = at + 1;
    if (wordAt(reader, from).about) from++;
    const length = readLength(reader, from);
    if (!length) return undefined;
    // Spanish "en un año", Portuguese "em um ano" are rather how long something took.
    if (length.months === 12 && wordAt(reader, at).prep && DURING.has(reader.when.locale.language)) return { nth: { n: 0 } };
    // "há 2 dias atrás" says it twice.
    if (wordAt(reader, reader.end).ago === lead) reader.end++;
    return spanFields(pointSpan(reader.when, length, lead));
  }
  const length = readLength(reader, at);
  if (length) {
    const { ago, weak } = wordAt(reader, reader.end);
    // 25日で is "on the 25th", 2週間で "in two weeks".
    if (ago === undefined || (weak && (wordAt(reader, reader.end - 1).daySuffix ?? wordAt(reader, reader.end - 1).yearSuffix)))
      return undefined;
    // "A year ago today"
    reader.end += ago < 0 && length.ms === 0 && wordAt(reader, reader.end + 1).day === 0 && !wordAt(reader, reader.end + 1).part ? 2 : 1;
    return spanFields(pointSpan(reader.when, length, ago));
  }
  const value = readNumber(reader, at);
  const { weekday } = value === undefined ? wordAt(reader, -1) : wordAt(reader, reader.end);
  const { ago } = wordAt(reader, reader.end + 1);
  if (value === undefined || value > MAX_COUNT || weekday === undefined || ago === undefined) return undefined;
  reader.end += 2;
  const { today } = reader.when;
  const gap = ago < 0 ? ((weekdayOf(today) - weekday + 6) % 7) + 1 : ((weekday - weekdayOf(today) + 6) % 7) + 1;
  const day = today + ago * (gap + 7 * (value - 1));
  return spanFields(daySpan({ from: day, to: day + 1 }, 'day'));
}

/** "The last 7 days", "next 3 weeks", "3 próximas semanas", "2 mois passés". */
export function readRolling(reader: Reader, at: number): Fields | undefined {
  const word = wordAt(reader, at);
  if (word.rel !== undefined && (!word.post || word.pre)) {
    const sign = word.rolls ?? word.rel;
    if (Math.abs(sign) !== 1) return undefined;
    const full = readFull(reader, at + 1, sign);
    if (full) return full;
    const length = readLength(reader, skipMeasure(reader, at + 1));
    // 4月前10天 are its first ten days.
    if (length && word.ago !== undefined && itemAt(reader, at).glued && isPeriod(wordAt(reader, at - 1))) return { nth: { n: 0 } };
    return length ? rolling(reader, length, sign) : readSeveral(reader, at + 1);
  }
  const value = itemAt(reader, at).num ?? word.num;
  if (value === undefined) return undefined;
  const length = readLength(reader, at);
  if (length) {
    const { rel, post } = wordAt(reader, reader.end);
    if (!post || rel === undefined || Math.abs(rel) !== 1) return undefined;
    reader.end++;
    return rolling(reader, length, rel);
  }
  const amount = readNumber(reader, at);
  if (amount === undefined || amount > MAX_COUNT || amount === 0 || !Number.isInteger(amount)) return undefined;
  const { rel, post, pre } = wordAt(reader, reader.end);
  const { unit, times = 1, plural } = wordAt(reader, reader.end + 1);
  // "Top 5 last week": where the adjective only goes before, the noun must be several.
  if (!post && !plural && amount > 1) return undefined;
  if (rel === undefined || Math.abs(rel) !== 1 || (post && !pre) || !unit || unit === 'weekend') return undefined;
  reader.end += 2;
  return rolling(reader, lengthOf(unit, amount * times), rel);
}

/** Behind "last": a count, "full" and a unit. */
function readFull(reader: Reader, at: number, sign: number): Fields | undefined {
  const count = readNumber(reader, at);
  if (count === undefined || !wordAt(reader, reader.end).full || !Number.isInteger(count) || count > MAX_COUNT) return undefined;
  const { unit } = wordAt(reader, reader.end + 1);
  if (unit === undefined || unit === 'weekend' || MS[unit]) return undefined;
  reader.end += 2;
  return spanFields(wholeUnits(reader.when, unit as DayUnit, count, sign));
}

/** "The past fortnight" */
export function readTimes(reader: Reader, unit: Unit, by: number, times: number): Fields | undefined {
  return Math.abs(by) === 1 ? rolling(reader, lengthOf(unit, times), by) : undefined;
}

/** "Last 3 full months", "los últimos 3 meses completos": the calendar's months. */
export function wholeUnits(when: When, unit: DayUnit, count: number, sign: number): Span | undefined {
  const [near, far] = [unitAround(when, unit, sign), unitAround(when, unit, sign * count)];
  return spanOf(sign < 0 ? { from: far.from, to: near.to } : { from: near.from, to: far.to }, unit);
}

const isPeriod = ({ monthSuffix, yearSuffix, unit, span }: Word): boolean => (monthSuffix ?? yearSuffix ?? unit ?? span) !== undefined;

/** "The next two Fridays", "the last three weekends" are several stretches: known, and not answered. */
function readSeveral(reader: Reader, at: number): Fields | undefined {
  if (readNumber(reader, at) === undefined) return undefined;
  const { weekday, unit } = wordAt(reader, reader.end);
  if (weekday === undefined && unit !== 'weekend') return undefined;
  reader.end++;
  return { nth: { n: 0 } };
}

function rolling(reader: Reader, length: Length, sign: number): Fields | undefined {
  const span = rollingSpan(reader.when, length, sign);
  const { unit, parts, count } = length;
  if (!span || parts > 1 || length.ms !== 0) return spanFields(span);
  if (wordAt(reader, reader.end).full) {
    reader.end++;
    return spanFields(wholeUnits(reader.when, unit as DayUnit, count, sign));
  }
  return { span, window: { unit: unit as DayUnit, by: sign, count } };
}

/** The days before today that are as long as the unit, or after it. */
export const windowSpan = (when: When, unit: DayUnit, by: number): Span | undefined =>
  unit === 'day' || unit === 'weekend' ? undefined : besideToday(when, lengthOf(unit, Math.abs(by)), by);

/** "The last hour" ends now, "the last half hour" too; "this hour" is the one the clock shows. */
export function clockSpan(when: When, unit: 'hour' | 'minute' | 'second', by: number, times = 1): Span {
  if (Math.abs(by) !== 1) return clockUnitSpan(when, unit, by);
  return besideNow(when, by * times * (MS[unit] ?? 1000), unit);
}

/** The hour or minute that the clock shows, or one before or after it. */
export function clockUnitSpan(when: When, unit: 'hour' | 'minute' | 'second', by: number): Span {
  const size = MS[unit] ?? 1000;
  const from = Math.floor(when.local / size) * size - when.local + when.now + by * size;
  return { from, to: from + size, grain: unit, exact: 3 };
}

const spanFields = (span: Span | undefined): Fields | undefined => span && { span };
