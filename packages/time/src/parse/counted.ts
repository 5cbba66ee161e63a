/** Days counted from another day, and the week around one. */
import { unitAround } from '../calendar.js';
import type { Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { daySpan } from '../span.js';
import { DAY_MS } from '../zone.js';
import { moved, readLength } from './length.js';
import { readMoment, skipLinks } from './moment.js';
import { found, foundDay, REFUSED, type Outcome } from './outcome.js';
import { wordAt, type Reader } from './reader.js';

/** "3 weeks from tomorrow", "two days after 5 March". */
export function readAnchored(reader: Reader, at: number, direction: Direction): Outcome {
  const length = readLength(reader, at);
  if (!length) return undefined;
  const { off, past, day: fused } = wordAt(reader, reader.end);
  if (off === undefined || (past !== undefined && length.unit === 'minute')) return undefined;
  if (fused !== undefined)
    return length.ms === 0 ? foundDay(at, reader.end + 1, moved(reader.when.today + fused - off, length, off)) : REFUSED;
  // "For 10 days from 18 December" are all of them.
  if (wordAt(reader, at - 1).prep) return REFUSED;
  const moment = readMoment(reader, skipLinks(reader, reader.end + 1));
  const span = moment && !moment.clash ? resolve(reader.when, moment.fields, direction) : undefined;
  if (span?.grain !== 'day' || span.exact !== 0 || length.ms !== 0) return REFUSED;
  return foundDay(at, reader.end, moved(span.from / DAY_MS, length, off));
}

/** 昨日の2日前, two days before yesterday; "heute in zwei Wochen". */
export function readBehind(reader: Reader, at: number, end: number, fields: Fields, direction: Direction): Outcome {
  const length = readLength(reader, end + 1);
  const lead = fields.shift?.unit === 'day' ? wordAt(reader, end).lead : undefined;
  const ago = lead ?? wordAt(reader, reader.end).ago;
  if (length && lead === undefined) reader.end++;
  const stop = reader.end;
  const span = resolve(reader.when, fields, direction);
  if (!length || ago === undefined || length.ms !== 0 || span?.grain !== 'day' || span.exact !== 0) return undefined;
  const day = moved(span.from / DAY_MS, length, ago);
  return foundDay(at, stop, day);
}

/** "The week of October 6th": the one around that day; "week commencing 2 March". */
export function readWeekOf(reader: Reader, at: number, direction: Direction): Outcome {
  const { weekOf } = wordAt(reader, at);
  if (!wordAt(reader, at + 1).of && !weekOf) return undefined;
  for (const place of [at + 1, skipLinks(reader, at + 1)]) {
    const moment = readMoment(reader, place);
    const span = moment && !moment.clash && !moment.fields.shift ? resolve(reader.when, moment.fields, direction) : undefined;
    if (span?.grain !== 'day' || span.exact !== 0) continue;
    // "Semana del 16 al 22 de marzo"
    if (wordAt(reader, reader.end).to) return undefined;
    const day = span.from / DAY_MS;
    const from = weekOf === 1 ? day : day - 6;
    const days = weekOf ? { from, to: from + 7 } : unitAround(reader.when, 'week', 0, day);
    return found(at, reader.end, daySpan(days, 'week'));
  }
  return undefined;
}
