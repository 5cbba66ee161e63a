/** The result of reading a phrase at one place. */
import type { Days } from '../calendar.js';
import type { Fields } from '../fields.js';
import { spanOf, type Span } from '../span.js';
import { blames, type Reader, type Reason } from './reader.js';
import type { DayUnit, Kind } from '../types.js';

export interface Found {
  readonly span: Span;
  readonly kind: Kind;
  /** The phrase as fields, where other readings may follow from them. */
  readonly fields: Fields | undefined;
  readonly weak: boolean;
  /** A month or date without a year is in it: unless something tells, the nearest is meant. */
  readonly yearless: boolean;
  /** It has an open end, and looking back another one than looking ahead. */
  readonly isTurning?: boolean;
  /** A third of something: nothing may join it to another time. */
  readonly isCut?: boolean;
  /** Other readings that do not follow from the fields. */
  readonly more?: readonly Span[];
  readonly start: number;
  readonly end: number;
}

/** About time, and not understood: better no answer than half of one. */
export const REFUSED: unique symbol = Symbol('refused');
export type Outcome = Found | typeof REFUSED | undefined;

/** Notes why, and refuses. */
export function refuse(reader: Reader, reason: Reason, start: number, end?: number): typeof REFUSED {
  blames(reader, reason, start, end);
  return REFUSED;
}

export const found = (start: number, end: number, span: Span, kind: Kind = 'period'): Found => ({
  span,
  kind,
  fields: undefined,
  weak: false,
  yearless: false,
  start,
  end,
});

/** Days found by counting. */
export function foundDays(start: number, end: number, days: Days, grain: DayUnit = 'day'): Outcome {
  const span = spanOf(days, grain);
  return span ? found(start, end, span) : REFUSED;
}

export const foundDay = (start: number, end: number, day: number): Outcome => foundDays(start, end, { from: day, to: day + 1 });
