import { offsetAt } from './zone.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Distance {
  readonly count: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
}

/** How far an instant is from another, as people say it: hours within a day, then days, months and years of the user's calendar. */
export function distance(instant: number, from: number, zone: string): Distance {
  const gap = instant - from;
  const size = Math.abs(gap);
  if (size < MINUTE) return { count: whole(gap / 1000), unit: 'second' };
  if (size < HOUR) return { count: whole(gap / MINUTE), unit: 'minute' };
  // Past midnight it is tomorrow, but not while it is only a few hours away.
  if (size < 22 * HOUR) return { count: whole(gap / HOUR), unit: 'hour' };
  const [then, now] = [localDay(instant, zone), localDay(from, zone)];
  const days = then - now;
  if (days === 0) return { count: whole(gap / HOUR), unit: 'hour' };
  if (Math.abs(days) < 7) return { count: days, unit: 'day' };
  const months = monthsBetween(then, now);
  if (months === 0) return { count: whole(days / 7), unit: 'week' };
  return Math.abs(months) < 12 ? { count: months, unit: 'month' } : { count: Math.trunc(months / 12), unit: 'year' };
}

function whole(count: number): number {
  return Math.trunc(count) || 0;
}

function localDay(instant: number, zone: string): number {
  return Math.floor((instant + offsetAt(zone, instant) * MINUTE) / DAY);
}

/** Whole months: from 31 January to 1 February it is one day, not one month. */
function monthsBetween(then: number, now: number): number {
  const [a, b] = [new Date(then * DAY), new Date(now * DAY)];
  const months = (a.getUTCFullYear() - b.getUTCFullYear()) * 12 + a.getUTCMonth() - b.getUTCMonth();
  if (months > 0 && a.getUTCDate() < b.getUTCDate()) return months - 1;
  if (months < 0 && a.getUTCDate() > b.getUTCDate()) return months + 1;
  return months;
}
