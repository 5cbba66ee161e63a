/** Dates that only scripts without spaces write: 月末, 1-3月, 令和8年, 康熙三年. */
import { unitAround } from '../calendar.js';
import type { Direction } from '../resolve.js';
import { daySpan, endOf } from '../span.js';
import { resolveBetween } from './between.js';
import { readYear } from './dates.js';
import { found, REFUSED, type Outcome } from './outcome.js';
import { itemAt, markAt, readNumber, wordAt, type Reader } from './reader.js';
import { cut } from './third.js';

/** 月末, 年初: the unit and its part in one word. */
export function readThirdOf(reader: Reader, at: number): Outcome {
  const { thirdUnit: unit, third, spoils } = wordAt(reader, at);
  // 先月末: 先 and 月末 are last month's end.
  const { rel, post } = itemAt(reader, at).glued ? wordAt(reader, at - 1) : wordAt(reader, -1);
  const isTurned = rel !== undefined && !post;
  const { from, to } = unitAround(reader.when, unit ?? 'month', isTurned ? rel : 0);
  const start = isTurned ? at - 1 : at;
  const span = daySpan({ from, to }, unit ?? 'month');
  // 月末まで, 到月底
  const isUntil = wordAt(reader, at + 1).boundPost === 'until';
  if (third !== 'early' && (isUntil || wordAt(reader, start - 1).to)) {
    const edge = endOf(reader.when, span);
    return found(isUntil ? start : start - 1, isUntil ? at + 2 : at + 1, { from: edge, to: edge, grain: span.grain, exact: 3 }, 'until');
  }
  if (wordAt(reader, at + 1).boundPost ?? wordAt(reader, start - 1).to) return REFUSED;
  return cut(start, at + 1, span, third ?? 'late', spoils === undefined);
}

/** 1-3月, 2025年7-9月: the word for the month is said once. */
export function readMonths(reader: Reader, at: number, direction: Direction): Outcome {
  const year = wordAt(reader, at + 1).yearSuffix ? readYear(reader, at) : undefined;
  const from = year === undefined ? at : reader.end;
  const [first, last] = [itemAt(reader, from).num, itemAt(reader, from + 2).num];
  const mark = markAt(reader, from + 1);
  if (first === undefined || last === undefined || !(mark === '-' || mark === '~' || wordAt(reader, from + 1).to)) return undefined;
  if (!wordAt(reader, from + 3).monthSuffix || itemAt(reader, from + 4).num !== undefined) return undefined;
  if (first < 1 || last < first || last > 12) return REFUSED;
  const dated = year === undefined ? {} : { year };
  const span = resolveBetween(reader.when, { month: first, ...dated }, { month: last, ...dated }, undefined, direction);
  return span ? { ...found(at, from + 4, span), yearless: year === undefined } : REFUSED;
}

/** The year of an era: 令和8年, 平成元年. */
export function readEra(reader: Reader, at: number): number | undefined {
  const { era = 0 } = wordAt(reader, at);
  const value = wordAt(reader, at + 1).ord === 1 ? 1 : readNumber(reader, at + 1);
  if (value === 1) reader.end = at + 2;
  if (value === undefined || !wordAt(reader, reader.end).yearSuffix) return undefined;
  reader.end++;
  return era + value;
}

/** 康熙三年五月: a year of an era that is not known. */
export const afterYear = (reader: Reader, at: number): boolean => itemAt(reader, at).glued && wordAt(reader, at - 1).yearSuffix === true;
