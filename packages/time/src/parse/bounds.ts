/** Stretches with one end: since, until, before, so far, year to date; and the rest of one that has begun. */
import { inReach, isClockUnit, unitAround } from '../calendar.js';
import { isYearless, type Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { daySpan, endOf, startOf, type Span } from '../span.js';
import { DAY_MS } from '../zone.js';
import { moved, readLength } from './length.js';
import type { Word } from './lexicon.js';
import { readMoment, skipLinks, type Moment } from './moment.js';
import { readNoun } from './pieces.js';
import { found, REFUSED, type Found, type Outcome } from './outcome.js';
import { itemAt, markAt, wordAt, type Reader } from './reader.js';
import type { Sense } from './word.js';
import type { DayUnit } from '../types.js';

type Bound = NonNullable<Sense['bound']>;

/** Since, until, before, after, with "the beginning of" and "the end of" in between. */
export function readBound(reader: Reader, at: number, bound: Bound, prefer: Direction['prefer']): Outcome {
  let next = skipLinks(reader, at + 1);
  const { edge } = wordAt(reader, next);
  if (edge) {
    next = skipLinks(reader, next + 1);
    const unit = bareUnit(reader, next);
    const moment = unit ? undefined : readMoment(reader, next);
    const fields = unit ? thisUnit(unit) : moment?.fields;
    if (moment?.clash) return REFUSED;
    if (unit) reader.end = next + 1;
    return fields && bounded(reader, at, edgeBound(unit && bound === 'either' ? 'since' : bound, edge), fields, prefer);
  }
  // "Since the month of January"
  if (
    wordAt(reader, next).unit === 'month' &&
    wordAt(reader, next + 1).of &&
    wordAt(reader, skipLinks(reader, next + 1)).month !== undefined
  )
    next = skipLinks(reader, next + 1);
  for (let place = at + 1; place <= next; place++) {
    const length = bound === 'since' || bound === 'either' ? readLength(reader, place) : undefined;
    // 从15年一月 is since a month.
    if (length && itemAt(reader, reader.end).num !== undefined && itemAt(reader, reader.end).glued) return undefined;
    if (length && length.ms === 0) {
      const day = moved(reader.when.today, length, -1);
      const days = { from: day, to: day + 1 };
      return inReach(days) ? bounded(reader, at, 'since', { span: daySpan(days, 'day') }, prefer) : REFUSED;
    }
    const moment = readMoment(reader, place);
    if (!moment) continue;
    // French "des 3 derniers mois" looks like "dès".
    if (bound === 'onward' && moment.fields.window) return undefined;
    // "Dal 1° maggio in poi"
    if ((bound === 'onward' || bound === 'either') && wordAt(reader, reader.end).onward) reader.end++;
    return moment.clash ? REFUSED : bounded(reader, at, bound, moment.fields, prefer);
  }
  return undefined;
}

/** "From" has been read; "on" has to end the phrase, or it is of what comes next: "from yesterday on the radio". */
export function readOnward(reader: Reader, at: number, prefer: Direction['prefer']): Outcome {
  const moment = readMoment(reader, skipLinks(reader, at + 1));
  const { end } = reader;
  if (!moment || !wordAt(reader, end).onward || (end + 1 < reader.items.length && markAt(reader, end + 1) === '')) return undefined;
  reader.end = end + 1;
  return moment.clash ? REFUSED : bounded(reader, at, 'onward', moment.fields, prefer);
}

/** "From next Monday" begins then; "orders from last week" are of that week. */
export function readAhead(reader: Reader, at: number): Outcome {
  const moment = readMoment(reader, skipLinks(reader, at + 1));
  const by = moment?.fields.shift?.by ?? moment?.fields.turn?.by ?? 0;
  return !moment || moment.clash || by <= 0 ? undefined : bounded(reader, at, 'onward', moment.fields, 'future');
}

/**
 * "Before last Monday": elsewhere the first two words are one ("the week before last"), but with the noun behind them they are a bound and
 * a relative word. With a noun on both sides ("the week before last Monday") it is counted from a day, which is not understood.
 */
export function readFused(reader: Reader, at: number): Outcome {
  const { rel = 0 } = wordAt(reader, at);
  const noun = wordAt(reader, at + 1);
  const fields = readNoun(reader, { rel: Math.sign(rel), near: undefined, window: undefined }, noun, at + 2);
  if (!fields) return undefined;
  const { unit, weekday } = wordAt(reader, at - 1);
  if ((unit ?? weekday) !== undefined) return REFUSED;
  // More of the date behind the noun: "before last Monday at 3".
  if (readMoment(reader, at + 1) && reader.end > at + 2) return REFUSED;
  reader.end = at + 2;
  return bounded(reader, at, rel < 0 ? 'before' : 'after', fields, 'future');
}

/** "Before last", "after next", which follow their noun. */
export const isFused = ({ rel, post, pre }: Word): boolean => post === true && !pre && Math.abs(rel ?? 0) === 2;

function edgeBound(bound: Bound, edge: 'start' | 'end'): Bound {
  if (bound === 'onward' || bound === 'either') return edge === 'start' ? bound : 'after';
  if (bound === 'since' || bound === 'after') return edge === 'start' ? 'since' : 'after';
  return edge === 'start' ? 'before' : 'until';
}

function bareUnit(reader: Reader, at: number): DayUnit | undefined {
  const { unit } = wordAt(reader, at);
  const { rel, post } = wordAt(reader, at + 1);
  if (!unit || isClockUnit(unit) || (rel !== undefined && post)) return undefined;
  return unit;
}

const thisUnit = (unit: DayUnit): Fields => ({ shift: { unit, by: 0, loose: false } });

/** "From yesterday on" runs until now, "from Monday on" has no end. */
export function bounded(reader: Reader, start: number, bound: Bound, fields: Fields, prefer: Direction['prefer']): Outcome {
  const { when, end } = reader;
  const span = resolve(when, fields, { prefer: bound === 'since' ? 'past' : prefer, day: when.today, inclusive: false });
  if (!span) return REFUSED;
  const { grain } = span;
  const fine = isClockUnit(grain);
  const isEnd = bound === 'after' ? fields.clock === undefined : bound === 'until' && !fine;
  const edge = isEnd ? endOf(when, span) : startOf(when, span);
  const yearless = bound === 'either' || isYearless(fields);
  const open: Span = { from: edge, to: edge, grain, exact: 3 };
  if (bound === 'until' || bound === 'before') return { ...found(start, end, open, 'until'), yearless };
  // "From this month on" has begun, and goes on.
  const isRunning = (bound === 'onward' || bound === 'either') && endOf(when, span) > when.now;
  if (edge > when.now || isRunning || (edge === when.now && bound === 'after'))
    return bound === 'since' ? REFUSED : { ...found(start, end, open, 'from'), yearless, isTurning: true };
  return {
    ...found(start, end, { ...open, to: when.now }, 'since'),
    yearless: yearless && bound !== 'since',
    isTurning: bound !== 'since',
  };
}

export function toDate(reader: Reader, at: number, unit: DayUnit): Found {
  const span: Span = { from: unitAround(reader.when, unit, 0).from * DAY_MS, to: reader.when.now, grain: unit, exact: 2 };
  return found(at, at + 1, span, 'since');
}

export function soFar(reader: Reader, at: number, { fields, clash }: Moment): Outcome {
  if (wordAt(reader, reader.end).soFar) reader.end++;
  return clash ? REFUSED : bounded(reader, at, 'since', fields, 'past');
}

/** "The rest of the week": from now to its end. */
export function readRest(reader: Reader, at: number): Outcome {
  const next = skipLinks(reader, at + 1);
  const unit = bareUnit(reader, next);
  const moment = unit ? undefined : readMoment(reader, next);
  if (unit) reader.end = next + 1;
  const fields = unit ? thisUnit(unit) : moment?.fields;
  if (!fields?.shift || fields.shift.by !== 0 || moment?.clash) return fields ? REFUSED : undefined;
  const { when, end } = reader;
  const whole = resolve(when, fields, { prefer: 'future', day: when.today, inclusive: true });
  if (!whole || startOf(when, whole) > when.now) return REFUSED;
  return found(at, end, { ...whole, from: when.now, exact: 1 });
}
