/** Dates as callers write them. */
import { dayOf, exists } from './civil.js';

/** 2026-05-03, with or without a time behind it, or an object with these members, as `Temporal.PlainDate` is. */
export type DateLike = string | { readonly year: number; readonly month: number; readonly day: number };

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
