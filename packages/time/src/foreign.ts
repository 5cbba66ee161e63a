/**
 * Months and years of calendars that are not Gregorian, read off `Intl`: a month begins where the calendar writes day 1,
 * a year where it writes another year. No tables, and every calendar the runtime knows.
 */
import { DAY_MS } from './zone.js';
import type { Days } from './calendar.js';

const writers = new Map<string, Intl.DateTimeFormat>();

function writer(calendar: string): Intl.DateTimeFormat {
  let found = writers.get(calendar);
  if (!found) {
    found = new Intl.DateTimeFormat('en', { calendar, timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' });
    writers.set(calendar, found);
  }
  return found;
}

function written(calendar: string, day: number, type: 'day' | 'year'): string {
  const parts = writer(calendar).formatToParts(day * DAY_MS);
  return parts.find((part) => part.type === type || (type === 'year' && part.type === ('relatedYear' as string)))?.value ?? '';
}

/** The year that a day has there. */
export const yearIn = (calendar: string, day: number): number => Number(written(calendar, day, 'year'));

const monthStart = (calendar: string, day: number): number => day - Number(written(calendar, day, 'day')) + 1;

/** Months have 29 to 32 days, but for the five or six days that end a Coptic year. */
function nextMonth(calendar: string, start: number): number {
  let day = start + 28;
  const first = monthStart(calendar, day);
  if (first > start) return first;
  do day++;
  while (day < start + 33 && written(calendar, day, 'day') !== '1');
  return day;
}

/** Walking is bounded: nobody asks for the thousandth month. */
const FURTHEST = 1300;

export function foreignMonth(calendar: string, day: number, by: number): Days {
  let from = monthStart(calendar, day);
  const steps = Math.min(Math.abs(by), FURTHEST);
  for (let i = 0; i < steps; i++) from = by < 0 ? monthStart(calendar, from - 1) : nextMonth(calendar, from);
  return { from, to: nextMonth(calendar, from) };
}

export function foreignYear(calendar: string, day: number, by: number): Days {
  const here = yearStart(calendar, day);
  const steps = Math.sign(by) * Math.min(Math.abs(by), FURTHEST / 12);
  // Near enough, and then on foot: a year of twelve moons is eleven days shorter.
  const length = nextYear(calendar, here) - here < 360 ? 354.367 : 365.2425;
  let from = steps === 0 ? here : yearStart(calendar, here + Math.round(steps * length) + 20);
  const target = yearIn(calendar, here) + steps;
  for (let tries = 0; tries < 4 && yearIn(calendar, from) !== target; tries++)
    from = yearIn(calendar, from) > target ? yearStart(calendar, from - 1) : nextYear(calendar, from);
  return { from, to: nextYear(calendar, from) };
}

function yearStart(calendar: string, day: number): number {
  const year = written(calendar, day, 'year');
  let from = monthStart(calendar, day);
  while (written(calendar, from - 1, 'year') === year) from = monthStart(calendar, from - 1);
  return from;
}

function nextYear(calendar: string, start: number): number {
  const year = written(calendar, start, 'year');
  let from = nextMonth(calendar, start);
  while (written(calendar, from, 'year') === year) from = nextMonth(calendar, from);
  return from;
}
