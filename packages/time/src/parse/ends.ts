/** The second end of a range: "to Friday", "- 5", "and noon". */
import type { Fields } from '../fields.js';
import { readYear } from './dates.js';
import { readLength } from './length.js';
import { readSide, skipLinks, type Moment } from './moment.js';
import { itemAt, markAt, wordAt, type Reader } from './reader.js';

export function readSecond(reader: Reader, at: number, between: boolean, opened: boolean): Moment | undefined {
  const link = markAt(reader, at) === ',' ? at + 1 : at;
  const { and, boundPost, upTo } = wordAt(reader, link);
  const to = wordAt(reader, link).to ?? (opened && upTo);
  // 今日から2日後 is two days after today.
  if (boundPost && readLength(reader, link + 1) && wordAt(reader, reader.end).ago !== undefined) return undefined;
  const mark = markAt(reader, link);
  const isDash =
    mark === '-' ||
    mark === '~' ||
    mark === '..' ||
    (mark === '/' && itemAt(reader, link).glued && itemAt(reader, link + 1).glued && itemAt(reader, link + 1).digits === 4);
  if (!isDash && !to && !(between && and)) return undefined;
  return readEnd(reader, isDash && wordAt(reader, link + 1).to ? link + 2 : link + 1);
}

/** An end of a range, with or without the articles before it: whichever reads further. */
export function readEnd(reader: Reader, at: number): Moment | undefined {
  let best: Moment | undefined;
  let reached = at;
  for (let next = at; next <= at + 2; next++) {
    const side = readSide(reader, next, true);
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

/** "March 3 to 5, 2025": the year stands behind both days. */
export function withYearBehind(reader: Reader, { month, day, year }: Fields, second: Moment): Moment {
  const { end } = reader;
  if (
    second.fields.bare === undefined ||
    second.fields.year !== undefined ||
    month === undefined ||
    day === undefined ||
    year !== undefined
  )
    return second;
  const found = readYear(reader, skipLinks(reader, end));
  if (found === undefined) reader.end = end;
  return found === undefined ? second : { ...second, fields: { ...second.fields, year: found } };
}

/** "January first two thousand": more than was understood. */
export function overflows(reader: Reader, end: number): boolean {
  const { num, article } = wordAt(reader, skipLinks(reader, end));
  return num !== undefined && !article && num !== 1;
}
