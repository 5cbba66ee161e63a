/** Quarters and halves as reports write them: 3Q25, 1H 2025, 25Q3, 2025H1, 3T25. */
import type { Fields } from '../fields.js';
import { civilYear } from '../years.js';
import { GAP } from './lex.js';
import { itemAt, type Reader } from './reader.js';

/** On the text as it was written: 1H25 is half a year, 1h25 a time. */
const FORM = /(?:([1-4])([QqTtHS])(?:'?(\d{2})| ?(\d{4}))|(\d{4}|\d{2})-?([QqTHS])([1-4]))(?![\p{L}\d])/uy;
export const ROMANCE: ReadonlySet<string> = new Set(['fr', 'es', 'it', 'pt']);

export function readCompact(reader: Reader, at: number): Fields | undefined {
  const { start, num } = itemAt(reader, at);
  if (num === undefined) return undefined;
  FORM.lastIndex = start;
  const found = FORM.exec(reader.written);
  if (!found) return undefined;
  const [, first, unitBehind, short, long, before, unitBefore, last] = found;
  const unit = (unitBehind ?? unitBefore ?? '').toLowerCase();
  const which = Number(first ?? last);
  const isQuarter = unit === 'q' || unit === 't';
  if ((unit === 't' || unit === 's') && !ROMANCE.has(reader.when.locale.language)) return undefined;
  if (!isQuarter && which > 2) return undefined;
  const year = civilYear(reader.when, Number(short ?? long ?? before));
  if (year === undefined) return undefined;
  const stop = FORM.lastIndex;
  let end = at + 1;
  while (itemAt(reader, end) !== GAP && end < reader.items.length && itemAt(reader, end).start < stop) end++;
  reader.end = end;
  return isQuarter ? { quarter: which, year } : { half: which, year };
}
