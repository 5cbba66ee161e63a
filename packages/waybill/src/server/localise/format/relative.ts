import { offsetAt } from './zone.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Distance {
  readonly count: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
  /** Must be counted, not named. From 1 March, 31 January is one month ago, but "last month" would mean February. */
  readonly exact?: true;
}

/** The distance between two instants as people say it: hours within a day, then days, months and years of the user's calendar. */
export function distance(instant: number, from: number, zone: string): Distance {
  const gap = instant - from;
  const size = Math.abs(gap);
  if (size < MINUTE) return { count: whole(gap / 1000), unit: 'second' };
  if (size < HOUR) return { count: whole(gap / MINUTE), unit: 'minute' };
  // A moment past midnight is "tomorrow" only if it is more than a few hours away.
  if (size < 22 * HOUR) return { count: whole(gap / HOUR), unit: 'hour' };
  const [then, now] = [localDay(instant, zone), localDay(from, zone)];
  const days = then - now;
  if (days === 0) return { count: whole(gap / HOUR), unit: 'hour' };
  if (Math.abs(days) < 7) return { count: days, unit: 'day' };
  const months = monthsBetween(then, now);
  // Weeks begin on different days in different countries, so "last week" would be ambiguous.
  if (months === 0) return { count: whole(days / 7), unit: 'week', exact: true };
  const unit = Math.abs(months) < 12 ? 'month' : 'year';
  const count = unit === 'month' ? months : Math.trunc(months / 12);
  return calendarUnits(then, now, unit) === count ? { count, unit } : { count, unit, exact: true };
}

function whole(count: number): number {
  return Math.trunc(count) || 0;
}

function localDay(instant: number, zone: string): number {
  return Math.floor((instant + offsetAt(zone, instant) * MINUTE) / DAY);
}

function calendarUnits(then: number, now: number, unit: 'month' | 'year'): number {
  const [a, b] = [new Date(then * DAY), new Date(now * DAY)];
  const years = a.getUTCFullYear() - b.getUTCFullYear();
  return unit === 'year' ? years : years * 12 + a.getUTCMonth() - b.getUTCMonth();
}

/** Counts whole months: from 31 January to 1 February is one day, not one month. */
function monthsBetween(then: number, now: number): number {
  const months = calendarUnits(then, now, 'month');
  const days = new Date(then * DAY).getUTCDate() - new Date(now * DAY).getUTCDate();
  if (months > 0 && days < 0) return months - 1;
  if (months < 0 && days > 0) return months + 1;
  return months;
}
