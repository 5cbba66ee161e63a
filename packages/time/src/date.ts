/** Dates as callers write them. */
import { dayOf, exists } from './civil.js';
import type { DateLike } from './types.js';

/** The day number of a date that exists in the years 1 to 9999. */
export function readDate(date: DateLike): number | undefined {
  if (typeof date === 'string') {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(date) ?? [];
    return dayNumber(Number(year), Number(month), Number(day));
  }
  // A caller without types may pass anything.
  const { year, month, day } = Object(date) as Partial<Record<'year' | 'month' | 'day', number>>;
  return dayNumber(Number(year), Number(month), Number(day));
}

const dayNumber = (year: number, month: number, day: number): number | undefined =>
  year >= 1 && year <= 9999 && exists(year, month, day) ? dayOf(year, month, day) : undefined;
