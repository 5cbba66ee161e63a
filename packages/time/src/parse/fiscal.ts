/** Fiscal years and their quarters, where the caller says in which month they start: FY25, "last fiscal year", "Q1 FY2025", 2025年度. */
import { civilOf, dayOf } from '../civil.js';

import { civilYear } from '../years.js';
import { foundDays, REFUSED, refuse, type Outcome } from './outcome.js';
import { itemAt, wordAt, type Reader } from './reader.js';

/** `undefined` where the phrase at this place names no fiscal year. */
export function readFiscal(reader: Reader, at: number): Outcome {
  const { rel, post, label } = wordAt(reader, at);
  let next = at;
  let quarter: number | undefined;
  // "Q1 FY25", "last fiscal year", 2025年度
  if (label === 'quarter' && itemAt(reader, at + 1).num !== undefined) {
    quarter = itemAt(reader, at + 1).num;
    next = wordAt(reader, at + 2).of ? at + 3 : at + 2;
  } else if ((rel !== undefined && !post) || itemAt(reader, at).num !== undefined) next = at + 1;
  const { fiscal, rel: turned } = wordAt(reader, next);
  if (!fiscal) return undefined;
  const { fiscalYearStart: first } = reader.when;
  if (first === undefined) return refuse(reader, 'calendar', next);
  let end = next + 1;
  const behind = wordAt(reader, end);
  let year = next > at && quarter === undefined ? itemAt(reader, at).num : undefined;
  if (year === undefined && itemAt(reader, end).num !== undefined) year = itemAt(reader, end++).num;
  if (quarter === undefined && wordAt(reader, end).label === 'quarter' && itemAt(reader, end + 1).num !== undefined) {
    quarter = itemAt(reader, end + 1).num;
    end += 2;
  }
  let by = rel ?? turned;
  if (year === undefined && by === undefined && behind.post && behind.rel !== undefined) {
    by = behind.rel;
    end++;
  }
  if (year !== undefined ? by !== undefined : by === undefined && quarter === undefined) return REFUSED;
  const start = year === undefined ? currentStart(reader, first) + (by ?? 0) : startYear(reader, year, first, fiscal);
  if (start === undefined || (quarter !== undefined && (quarter < 1 || quarter > 4))) return REFUSED;
  const month = first + (quarter === undefined ? 0 : (quarter - 1) * 3);
  const days = { from: dayOf(start, month, 1), to: dayOf(start, month + (quarter === undefined ? 12 : 3), 1) };
  return foundDays(at, end, days, quarter === undefined ? 'year' : 'quarter');
}

/** The calendar year in which the current fiscal year began. */
function currentStart({ when }: Reader, first: number): number {
  const { year, month } = civilOf(when.today);
  return month >= first ? year : year - 1;
}

/** FY25 is named by the year in which it ends, 2025年度 by the one in which it begins. */
function startYear({ when }: Reader, written: number, first: number, named: 'end' | 'start'): number | undefined {
  const year = civilYear(when, written);
  return year === undefined || named === 'start' || first === 1 ? year : year - 1;
}
