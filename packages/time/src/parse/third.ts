/** Early, mid and late: a third of a month, quarter, half or year, a few days of a week. The first or last day is the other reading of "start" and "end". */
import { inReach, type Days } from '../calendar.js';
import { addMonths } from '../civil.js';
import { isYearless } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { daySpan, unitSpan, type Span } from '../span.js';
import { DAY_MS } from '../zone.js';
import { readMoment, skipLinks } from './moment.js';
import { markAt, wordAt, type Reader } from './reader.js';
import { found, refuse, type Outcome } from './outcome.js';
import type { DayUnit } from '../types.js';

type Third = 'early' | 'mid' | 'late';

/** Months in a third. */
const MONTHS: Readonly<Partial<Record<string, number>>> = { quarter: 1, half: 2, year: 4 };

function thirdOf(span: Span, third: Third): Days | undefined {
  if (span.exact !== 0) return undefined;
  const [from, to] = [span.from / DAY_MS, span.to / DAY_MS];
  const months = MONTHS[span.grain];
  if (months !== undefined) {
    const [first, second] = [addMonths(from, months), addMonths(from, 2 * months)];
    return third === 'early' ? { from, to: first } : third === 'mid' ? { from: first, to: second } : { from: second, to };
  }
  if (span.grain === 'month')
    return third === 'early' ? { from, to: from + 10 } : third === 'mid' ? { from: from + 10, to: from + 20 } : { from: from + 20, to };
  if (span.grain !== 'week') return undefined;
  return third === 'early' ? { from, to: from + 3 } : third === 'mid' ? { from: from + 2, to: from + 4 } : { from: from + 4, to };
}

/** "Early March", "at the end of last month", "mid-2025". */
export function readThird(reader: Reader, at: number, direction: Direction): Outcome {
  const { third, edge } = wordAt(reader, at);
  const which = third ?? (edge === 'start' ? 'early' : edge === 'end' ? 'late' : undefined);
  if (which === undefined) return undefined;
  let next = skipLinks(reader, markAt(reader, at + 1) === '-' ? at + 2 : at + 1);
  const unit = bareUnit(reader, next);
  // "The end of the month of March"
  if (unit && wordAt(reader, next + 1).of && readMoment(reader, skipLinks(reader, next + 1))) next = skipLinks(reader, next + 1);
  const moment = readMoment(reader, next);
  if (moment) {
    const span = moment.clash ? undefined : resolve(reader.when, moment.fields, direction);
    const outcome = span ? cut(at, reader.end, span, which, edge !== undefined) : undefined;
    if (!outcome) return refuse(reader, 'vague', at);
    return { ...outcome, yearless: isYearless(moment.fields) };
  }
  const own = unit && unitSpan(reader.when, unit, 0);
  return own && cut(at, next + 1, own, which, edge !== undefined);
}

export function cut(start: number, end: number, span: Span, third: Third, isEdge: boolean): ReturnType<typeof found> | undefined {
  const days = thirdOf(span, third);
  if (!inReach(days)) return undefined;
  const day = third === 'early' ? days.from : days.to - 1;
  const other = daySpan({ from: day, to: day + 1 }, 'day');
  return { ...found(start, end, daySpan(days, 'day')), isCut: true, ...(isEdge && third !== 'mid' && { more: [other] }) };
}

function bareUnit(reader: Reader, at: number): DayUnit | undefined {
  const { unit, plural } = wordAt(reader, at);
  return plural || (unit !== 'week' && unit !== 'month' && unit !== 'quarter' && unit !== 'half' && unit !== 'year') ? undefined : unit;
}
