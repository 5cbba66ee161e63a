/** Stretches that begin now, or end with the day or month that is now: "from today on", "by EOD". */
import { resolve, type Direction } from '../resolve.js';
import { endOf, unitSpan } from '../span.js';
import { DAY_MS } from '../zone.js';
import { readSecond } from './ends.js';
import { readMoment, skipLinks } from './moment.js';
import { found, REFUSED, type Outcome } from './outcome.js';
import { wordAt, type Reader } from './reader.js';
import type { DayUnit } from '../types.js';

/** "From today until Friday", "from now on until Friday": one word says both where it begins and that something does. */
export function readBegun(reader: Reader, at: number, direction: Direction): Outcome {
  const last = readSecond(reader, at + 1, false, true);
  if (!last) return undefined;
  const { when, end } = reader;
  const until = last.clash ? undefined : resolve(when, last.fields, { ...direction, inclusive: true });
  if (!until || endOf(when, until) <= when.now) return REFUSED;
  const from = wordAt(reader, at).day === 0 ? when.today * DAY_MS : when.now;
  return found(at, end, { ...until, from, exact: wordAt(reader, at).day === 0 ? until.exact : until.exact === 0 ? 1 : until.exact });
}

/** "From today on", "from now on". */
export function fromNow(reader: Reader, at: number): Outcome {
  const { when } = reader;
  const isToday = wordAt(reader, at).day === 0;
  const end = wordAt(reader, at + 1).onward || wordAt(reader, at + 1).boundPost === 'onward' ? at + 2 : at + 1;
  const from = isToday ? when.today * DAY_MS : when.now;
  return found(at, end, { from, to: from, grain: isToday ? 'day' : 'second', exact: isToday ? 0 : 3 }, 'from');
}

/** "By EOD": until the end of today. */
export function readDeadline(reader: Reader, at: number, unit: DayUnit): Outcome {
  const moment = readMoment(reader, skipLinks(reader, at + 1));
  const stop = moment ? reader.end : at + 1;
  const direction: Direction = { prefer: 'future', day: reader.when.today, inclusive: true };
  const span = moment ? (moment.clash ? undefined : resolve(reader.when, moment.fields, direction)) : unitSpan(reader.when, unit, 0);
  if (span?.grain !== unit || span.exact !== 0) return REFUSED;
  const edge = endOf(reader.when, span);
  return found(at, stop, { from: edge, to: edge, grain: unit, exact: 3 }, 'until');
}
