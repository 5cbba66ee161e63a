/** A whole phrase at one place: since and until, from … to, so far, the rest of, or a moment; and the search for it in a sentence. */
import { inReach, unitAround, type DayUnit } from '../calendar.js';
import type { Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { daySpan, endOf, startOf, type Kind, type Span } from '../span.js';
import { DAY_MS } from '../zone.js';
import { resolveBetween } from './between.js';
import { GAP } from './lex.js';
import { moved, readLength } from './length.js';
import { readMoment, readSide, skipLinks, type Moment } from './moment.js';
import { itemAt, markAt, wordAt, type Reader } from './reader.js';
import type { Sense } from './word.js';

export interface Found {
  readonly span: Span;
  readonly kind: Kind;
  /** The phrase as fields, where other readings may follow from them. */
  readonly fields: Fields | undefined;
  readonly weak: boolean;
  readonly start: number;
  readonly end: number;
}

type Bound = NonNullable<Sense['bound']>;
/** About time, and not understood: better no answer than half of one. */
const REFUSED = Symbol('refused');
type Outcome = Found | typeof REFUSED | undefined;

/** The first phrase of the text; a weak one ("2024", "may") only where nothing else could be meant. */
export function findPhrase(reader: Reader, prefer: Direction['prefer']): Found | undefined {
  let at = 0;
  while (at < reader.items.length) {
    if (itemAt(reader, at) === GAP) at++;
    else if (wordAt(reader, at).each) at = skipRecurring(reader, at);
    else {
      const outcome = readPhrase(reader, at, prefer);
      if (outcome === REFUSED || (outcome && afterYear(reader, at))) return undefined;
      if (outcome && (!outcome.weak || standsAlone(reader, outcome))) return outcome;
      at = outcome ? outcome.end : at + 1;
    }
  }
  return undefined;
}

/** 康熙三年五月: a year of an era that is not known. */
const afterYear = (reader: Reader, at: number): boolean => itemAt(reader, at).glued && wordAt(reader, at - 1).yearSuffix === true;

function skipRecurring(reader: Reader, at: number): number {
  const next = skipLinks(reader, at + 1);
  return readMoment(reader, next) ? reader.end : next;
}

/** A weak phrase counts when it is all there is, or a preposition leads to it. */
function standsAlone(reader: Reader, { start, end }: Found): boolean {
  const before = wordAt(reader, start - 1);
  if (before.prep ?? (before.skip && wordAt(reader, start - 2).prep)) return true;
  if (before.of && wordAt(reader, start - 2).unit !== undefined) return true;
  const isFiller = (at: number): boolean => {
    const { word, num, mark } = itemAt(reader, at);
    return num === undefined && (mark !== '' || (word.skip ?? word.about ?? word.prep ?? word.of ?? word.at ?? false));
  };
  for (let at = 0; at < start; at++) if (at > 4 || !isFiller(at)) return false;
  for (let at = end; at < reader.items.length; at++) if (at > end + 4 || !isFiller(at)) return false;
  return true;
}

function readPhrase(reader: Reader, at: number, prefer: Direction['prefer']): Outcome {
  const word = wordAt(reader, at);
  const direction: Direction = { prefer, day: reader.when.today, inclusive: false };
  if (word.toDate) return toDate(reader, at, word.toDate);
  if (word.from ?? word.between) {
    const range = readRange(reader, at, at + 1, undefined, direction);
    if (range) return range;
  }
  if (word.bound) {
    const outcome = readBound(reader, at, word.bound, prefer);
    if (outcome) return outcome;
  }
  if (word.soFar) {
    const moment = readMoment(reader, skipLinks(reader, at + 1));
    if (moment) return soFar(reader, at, moment);
  }
  if (word.rest) {
    const rest = readRest(reader, at);
    if (rest) return rest;
  }
  if (word.vague ?? word.edge) return readPhrase(reader, skipLinks(reader, skipDash(reader, at + 1)), prefer) ? REFUSED : undefined;
  const week = word.unit === 'week' ? readWeekOf(reader, at, direction) : undefined;
  if (week) return week;
  return readAnchored(reader, at, direction) ?? readRange(reader, at, at, undefined, direction);
}

const skipDash = (reader: Reader, at: number): number => (markAt(reader, at) === '-' ? at + 1 : at);

/** "The week of October 6th": the one around that day. */
function readWeekOf(reader: Reader, at: number, direction: Direction): Outcome {
  if (!wordAt(reader, at + 1).of) return undefined;
  for (const place of [at + 1, skipLinks(reader, at + 1)]) {
    const moment = readMoment(reader, place);
    const span = moment && !moment.clash && !moment.fields.shift ? resolve(reader.when, moment.fields, direction) : undefined;
    if (span?.grain !== 'day' || span.exact !== 0) continue;
    const days = unitAround(reader.when, 'week', 0, span.from / DAY_MS);
    return { span: daySpan(days, 'week'), kind: 'period', fields: undefined, weak: false, start: at, end: reader.end };
  }
  return undefined;
}

/** A moment is the range that has no second end. */
function plain(reader: Reader, at: number, end: number, fields: Fields, direction: Direction): Outcome {
  const next = wordAt(reader, end);
  reader.end = end;
  if (next.spoils === true || (markAt(reader, end) === '(' && wordAt(reader, end + 1).spoils)) return REFUSED;
  if (next.soFar) return soFar(reader, at, { fields, clash: false });
  const behind = next.of || next.boundPost || next.lead === 1 ? readBehind(reader, at, end, fields, direction) : undefined;
  if (behind) return behind;
  if (next.boundPost) {
    if (readLength(reader, end + 1)) return REFUSED;
    reader.end = end + 1;
    return bounded(reader, at, next.boundPost, fields);
  }
  if (next.from ?? next.between) {
    const range = readRange(reader, at, end + 1, fields, direction);
    if (range) return range;
    if (itemAt(reader, end + 1).num !== undefined) return REFUSED;
  }
  if (next.bound && readBound(reader, end, next.bound, direction.prefer)) return REFUSED;
  if (
    (next.and && readMoment(reader, skipLinks(reader, end + 1))) ||
    overflows(reader, end) ||
    readLength(reader, next.and ? end + 1 : skipLinks(reader, end)) ||
    readVague(reader, skipLinks(reader, end))
  )
    return REFUSED;
  reader.end = end;
  const span = resolve(reader.when, fields, direction);
  if (!span) return fields.weak ? undefined : REFUSED;
  if (next.spoils && span.to - span.from > DAY_MS) return REFUSED;
  return { span, kind: 'period', fields, weak: fields.weak === true, start: at, end };
}

/** "Today, at the end of the afternoon": the rest narrows it down in a way that is not understood. */
function readVague(reader: Reader, at: number): boolean {
  const { vague, edge } = wordAt(reader, at);
  return (vague ?? edge) !== undefined && readMoment(reader, skipLinks(reader, at + 1)) !== undefined;
}

/** "January first two thousand": more than was understood. */
function overflows(reader: Reader, end: number): boolean {
  const { num, article } = wordAt(reader, skipLinks(reader, end));
  return num !== undefined && !article && num !== 1;
}

/** "3 weeks from tomorrow", "two days after 5 March". */
function readAnchored(reader: Reader, at: number, direction: Direction): Outcome {
  const length = readLength(reader, at);
  if (!length) return undefined;
  const { off, past, day: fused, rel, post } = wordAt(reader, reader.end);
  // "Two months after next Friday"
  if (post && Math.abs(rel ?? 0) === 2) return REFUSED;
  if (off === undefined || (past !== undefined && length.unit === 'minute')) return undefined;
  if (fused !== undefined)
    return length.ms === 0 ? dayFound(at, reader.end + 1, moved(reader.when.today + fused - off, length, off)) : REFUSED;
  // "For 10 days from 18 December" are all of them.
  if (wordAt(reader, at - 1).prep) return REFUSED;
  const moment = readMoment(reader, skipLinks(reader, reader.end + 1));
  const span = moment && !moment.clash ? resolve(reader.when, moment.fields, direction) : undefined;
  if (span?.grain !== 'day' || span.exact !== 0 || length.ms !== 0) return REFUSED;
  return dayFound(at, reader.end, moved(span.from / DAY_MS, length, off));
}

/** 昨日の2日前, two days before yesterday; "heute in zwei Wochen". */
function readBehind(reader: Reader, at: number, end: number, fields: Fields, direction: Direction): Outcome {
  const length = readLength(reader, end + 1);
  const lead = fields.shift?.unit === 'day' ? wordAt(reader, end).lead : undefined;
  const ago = lead ?? wordAt(reader, reader.end).ago;
  if (length && lead === undefined) reader.end++;
  const stop = reader.end;
  const span = resolve(reader.when, fields, direction);
  if (!length || ago === undefined || length.ms !== 0 || span?.grain !== 'day' || span.exact !== 0) return undefined;
  const day = moved(span.from / DAY_MS, length, ago);
  return dayFound(at, stop, day);
}

/** One day, found by counting. */
function dayFound(start: number, end: number, day: number): Outcome {
  const days = { from: day, to: day + 1 };
  return inReach(days) ? { span: daySpan(days, 'day'), kind: 'period', fields: undefined, weak: false, start, end } : REFUSED;
}

/** A to B, from A to B, between A and B, A - B; or, where nothing was opened and no second end comes, just A. */
function readRange(reader: Reader, start: number, at: number, around: Fields | undefined, direction: Direction): Outcome {
  const opened = at > start;
  const { between } = wordAt(reader, at - 1);
  const first = opened ? readEnd(reader, at) : readSide(reader, at);
  if (!first) return undefined;
  if (first.clash) return opened ? undefined : REFUSED;
  const firstEnd = reader.end;
  const last = readSecond(reader, firstEnd, opened && between === true);
  if (!last) return opened || first.fields.bare !== undefined ? undefined : plain(reader, at, firstEnd, first.fields, direction);
  const end = wordAt(reader, reader.end).boundPost === 'until' ? reader.end + 1 : reader.end;
  const span = last.clash ? undefined : resolveBetween(reader.when, first.fields, last.fields, around, direction);
  reader.end = end;
  if (span && overflows(reader, end)) return REFUSED;
  if (!span) return opened || first.fields.bare === undefined ? REFUSED : undefined;
  const weak = !opened && first.fields.weak === true && last.fields.weak === true;
  return { span, kind: 'period', fields: undefined, weak, start, end };
}

function readSecond(reader: Reader, at: number, between: boolean): Moment | undefined {
  const link = markAt(reader, at) === ',' ? at + 1 : at;
  const { to, and } = wordAt(reader, link);
  const mark = markAt(reader, link);
  const isDash = mark === '-' || mark === '~' || (mark === '/' && itemAt(reader, link + 1).digits === 4);
  if (!isDash && !to && !(between && and)) return undefined;
  return readEnd(reader, isDash && wordAt(reader, link + 1).to ? link + 2 : link + 1);
}

/** An end of a range, with or without the articles before it: whichever reads further. */
function readEnd(reader: Reader, at: number): Moment | undefined {
  let best: Moment | undefined;
  let reached = at;
  for (let next = at; next <= at + 2; next++) {
    const side = readSide(reader, next);
    if (side && (reader.end > reached || (best?.fields.bare !== undefined && side.fields.bare === undefined))) {
      best = side;
      reached = reader.end;
    }
    const { skip, prep, dayMark } = wordAt(reader, next);
    if (!(skip ?? prep ?? dayMark)) break;
  }
  reader.end = reached;
  return best;
}

/** Since, until, before, after, with "the beginning of" and "the end of" in between. */
function readBound(reader: Reader, at: number, bound: Bound, prefer: Direction['prefer']): Outcome {
  let next = skipLinks(reader, at + 1);
  const { edge } = wordAt(reader, next);
  if (edge) {
    next = skipLinks(reader, next + 1);
    const unit = bareUnit(reader, next);
    const fields = unit ? thisUnit(unit) : readMoment(reader, next)?.fields;
    if (unit) reader.end = next + 1;
    return fields && bounded(reader, at, edgeBound(bound, edge), fields);
  }
  for (let place = at + 1; place <= next; place++) {
    const length = bound === 'since' ? readLength(reader, place) : undefined;
    if (length && length.ms === 0) {
      const day = moved(reader.when.today, length, -1);
      return bounded(reader, at, bound, { span: daySpan({ from: day, to: day + 1 }, 'day') });
    }
    const moment = readMoment(reader, place);
    if (!moment) continue;
    // "After Friday": which one, and until when?
    const open = bound === 'after' && prefer === 'future' && isOpen(moment.fields);
    return moment.clash || open ? REFUSED : bounded(reader, at, bound, moment.fields);
  }
  return undefined;
}

const isOpen = ({ year, shift, turn, span }: Fields): boolean => year === undefined && !shift && !turn && !span;

function edgeBound(bound: Bound, edge: 'start' | 'end'): Bound {
  if (bound === 'since' || bound === 'after') return edge === 'start' ? 'since' : 'after';
  return edge === 'start' ? 'before' : 'until';
}

function bareUnit(reader: Reader, at: number): DayUnit | undefined {
  const { unit } = wordAt(reader, at);
  const { rel, post } = wordAt(reader, at + 1);
  if (!unit || unit === 'hour' || unit === 'minute' || unit === 'second' || (rel !== undefined && post)) return undefined;
  return unit;
}

const thisUnit = (unit: DayUnit): Fields => ({ shift: { unit, by: 0, loose: false } });

function bounded(reader: Reader, start: number, bound: Bound, fields: Fields): Outcome {
  const { when, end } = reader;
  const past = bound === 'since' || bound === 'after';
  const span = resolve(when, fields, { prefer: past ? 'past' : 'future', day: when.today, inclusive: false });
  if (!span) return REFUSED;
  const { grain } = span;
  const fine = grain === 'hour' || grain === 'minute' || grain === 'second';
  const edge = bound === 'since' || bound === 'before' || (bound === 'until' && fine) ? startOf(when, span) : endOf(when, span);
  if (!past) return { span: { from: edge, to: edge, grain, exact: 3 }, kind: 'until', fields: undefined, weak: false, start, end };
  if (edge > when.now) return REFUSED;
  return { span: { from: edge, to: when.now, grain, exact: 3 }, kind: 'since', fields: undefined, weak: false, start, end };
}

function toDate(reader: Reader, at: number, unit: DayUnit): Found {
  const span: Span = { from: unitAround(reader.when, unit, 0).from * DAY_MS, to: reader.when.now, grain: unit, exact: 2 };
  return { span, kind: 'since', fields: undefined, weak: false, start: at, end: at + 1 };
}

function soFar(reader: Reader, at: number, { fields, clash }: Moment): Outcome {
  if (wordAt(reader, reader.end).soFar) reader.end++;
  return clash ? REFUSED : bounded(reader, at, 'since', fields);
}

/** "The rest of the week": from now to its end. */
function readRest(reader: Reader, at: number): Outcome {
  const next = skipLinks(reader, at + 1);
  const unit = bareUnit(reader, next);
  const moment = unit ? undefined : readMoment(reader, next);
  if (unit) reader.end = next + 1;
  const fields = unit ? thisUnit(unit) : moment?.fields;
  if (!fields?.shift || fields.shift.by !== 0 || moment?.clash) return fields ? REFUSED : undefined;
  const { when, end } = reader;
  const whole = resolve(when, fields, { prefer: 'future', day: when.today, inclusive: true });
  if (!whole || startOf(when, whole) > when.now) return REFUSED;
  return { span: { ...whole, from: when.now, exact: 1 }, kind: 'period', fields: undefined, weak: false, start: at, end };
}
