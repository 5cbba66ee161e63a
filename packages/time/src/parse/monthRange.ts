/** Ranges of months that name the word for the month once. */
import type { Direction } from '../resolve.js';
import { resolveBetween } from './between.js';
import { readYear } from './dates.js';
import { found, REFUSED, type Outcome } from './outcome.js';
import { itemAt, markAt, wordAt, type Reader } from './reader.js';

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
