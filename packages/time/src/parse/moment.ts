/** Pieces put together: "Friday" and "next week", "the third week" and "of March" and "2027", "tomorrow" and "at 5pm". */
import { civilOf, weekdayOf } from '../civil.js';
import { merge, type Fields } from '../fields.js';
import { areHours } from './clock.js';
import { readDay } from './dates.js';
import { readLength } from './length.js';
import { readBare, readPiece } from './pieces.js';
import { isCount, isCounted, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';

const MAX_PIECES = 6;
const MAX_LINKS = 4;
/** In days. */
const NEAR = 31;

export interface Moment {
  readonly fields: Fields;
  /** More about time follows at once and does not go with it: better no answer than half of one. */
  readonly clash: boolean;
}

/** Words and marks between two pieces that add nothing: of, the, on, a comma, brackets. */
export function skipLinks(reader: Reader, at: number): number {
  let next = at;
  while (next < at + MAX_LINKS) {
    const { word, mark } = itemAt(reader, next);
    const links = word.of ?? word.prep ?? word.about ?? (word.skip && word.num === undefined && word.day === undefined);
    if (!links && mark !== ',' && mark !== '(' && mark !== ')') break;
    next++;
  }
  return next;
}

export function readMoment(reader: Reader, at: number): Moment | undefined {
  const first = readPiece(reader, at) ?? readDayOf(reader, at);
  if (!first) return undefined;
  let fields: Fields = first;
  let end = reader.end;
  for (let pieces = 1; pieces < MAX_PIECES; pieces++) {
    const next = skipLinks(reader, end);
    // "Last year, same quarter"
    if (wordAt(reader, next).same) break;
    const piece = readLinked(reader, end, next) ?? readBehindWeekday(reader, fields, next) ?? readContainer(reader, fields, end, next);
    if (!piece) break;
    const { orPart } = wordAt(reader, reader.end - 1);
    const merged: Fields | undefined =
      merge(fields, piece, next > end || itemAt(reader, end).glued) ?? (orPart && merge(fields, { part: orPart }, true));
    if (!merged) {
      const { to, from, between, bound, of, lead, upTo } = wordAt(reader, end);
      const isLength = (of || lead !== undefined) && readLength(reader, end + 1) !== undefined;
      // "Five years ago in March" is not that day.
      const isMore = fields.span !== undefined && next > end && (piece.month ?? piece.day) !== undefined && !isUnknown(reader, reader.end);
      if ((piece.weak && !isMore) || isLength || (to ?? from ?? between ?? bound ?? upTo)) break;
      return { fields, clash: true };
    }
    fields = merged;
    end = reader.end;
  }
  reader.end = end;
  return { fields, clash: isPartOfOther(reader, fields, end) };
}

/** "The first half of March", "the last hour of the day": known, and not answered with the half of a year. */
function isPartOfOther(reader: Reader, { half, quarter, shift, span }: Fields, end: number): boolean {
  const isShare =
    half !== undefined || quarter !== undefined || shift?.unit === 'half' || shift?.unit === 'quarter' || (span?.exact ?? 0) > 0;
  if (!isShare || !wordAt(reader, end).of || wordAt(reader, end).to) return false;
  const { unit, plural, month, weekday } = wordAt(reader, skipLinks(reader, end));
  return (unit !== undefined && unit !== 'year' && !plural) || (month ?? weekday) !== undefined;
}

/** A link can be the first word of what follows ("in 3 weeks", "the 15th", "a las 5"): then it is read with it. */
function readLinked(reader: Reader, end: number, next: number): Fields | undefined {
  let best: Fields | undefined;
  let reached = end;
  for (let at = end; at <= next; at++) {
    const piece = readPiece(reader, at);
    if (!piece || reader.end <= reached) continue;
    best = piece;
    reached = reader.end;
  }
  reader.end = reached;
  return best;
}

/** "Friday 15", "martes el día once". */
function readBehindWeekday(reader: Reader, fields: Fields, at: number): Fields | undefined {
  if (fields.weekday === undefined || fields.day !== undefined || fields.turn || fields.shift) return undefined;
  if (wordAt(reader, at - 1).prep || wordAt(reader, at - 1).of) return undefined;
  const day = readDay(reader, at, true);
  // "Monday 3 meetings"
  if (day !== undefined && isCount(reader, reader.end) && !isNear(reader, fields.weekday, day)) return undefined;
  // "Friday 10-12 guests"
  if (markAt(reader, reader.end) === '-' && isCounted(reader, reader.end + 2)) return undefined;
  return day === undefined || areHours(reader, at) || wordAt(reader, reader.end).unit !== undefined ? undefined : { day };
}

/** Tells whether such a day is to be found around today. */
function isNear({ when }: Reader, weekday: number, day: number): boolean {
  for (let away = -NEAR; away <= NEAR; away++)
    if (weekdayOf(when.today + away) === weekday && civilOf(when.today + away).day === day) return true;
  return false;
}

/** "The first Monday of the month": this month. */
function readContainer(reader: Reader, { nth, shift, window, turn, half }: Fields, end: number, at: number): Fields | undefined {
  const { unit } = wordAt(reader, at);
  const counted =
    nth !== undefined || shift?.loose === true || window !== undefined || turn?.by === -1 || (half !== undefined && unit === 'month');
  if (!counted || at === end || (unit !== 'month' && unit !== 'year' && unit !== 'quarter')) return undefined;
  reader.end = at + 1;
  return { shift: { unit, by: 0, loose: false } };
}

/** "20 of next month": a number is a day when a month follows. */
function readDayOf(reader: Reader, at: number): Fields | undefined {
  // "Top 10 of last month"
  if (isUnknown(reader, at - 1) || wordAt(reader, at - 1).ord !== undefined) return undefined;
  const day = readDay(reader, at, true);
  if (day === undefined || !wordAt(reader, reader.end).of) return undefined;
  const piece = readPiece(reader, skipLinks(reader, reader.end));
  return piece?.shift?.unit === 'month' && !piece.part ? { ...piece, day } : undefined;
}

/** One end of a range: a moment, or a number whose meaning the other end gives. */
export function readSide(reader: Reader, at: number, opened: boolean): Moment | undefined {
  const moment = readMoment(reader, at);
  if (moment) return moment;
  const bare = readBare(reader, at);
  if (!bare) return undefined;
  const end = reader.end;
  const { word, mark } = itemAt(reader, end);
  if (word.to) return { fields: bare, clash: false };
  // A number is the end of a range only if a word or dash joins it to another, or "from" stands before it.
  if (!opened && mark === '') return undefined;
  const rest = readMoment(reader, skipLinks(reader, end));
  const merged = rest && !rest.clash ? merge(bare, rest.fields, true) : undefined;
  if (merged) return { fields: merged, clash: false };
  reader.end = end;
  return { fields: bare, clash: false };
}
