/**
 * Calendar units as functions, for authors whose input is structured already. `shift` counts units from the current one:
 * `month(when, -1)` is last month.
 */
import { addUnits, inReach, unitAround } from './calendar.js';
import { readDate } from './date.js';
import { daySpan, periodOf, unitSpan } from './span.js';
import { readWhen } from './when.js';
import { DAY_MS } from './zone.js';
import type { DateLike, DayUnit, Period, WhenOptions } from './types.js';

type UnitFunction = (options: WhenOptions, shift?: number) => Period;

const unitFunction =
  (unit: DayUnit): UnitFunction =>
  (options, shift = 0) => {
    const when = readWhen(options);
    const span = Number.isInteger(shift) ? unitSpan(when, unit, shift) : undefined;
    const period = span && periodOf(when, span);
    if (!period) throw new RangeError(`shift: ${shift} ${unit}s from now is out of reach`);
    return period;
  };

export const day: UnitFunction = unitFunction('day');
export const week: UnitFunction = unitFunction('week');
/** The current or next run of weekend days. */
export const weekend: UnitFunction = unitFunction('weekend');
export const month: UnitFunction = unitFunction('month');
export const quarter: UnitFunction = unitFunction('quarter');
export const halfYear: UnitFunction = unitFunction('half');
export const year: UnitFunction = unitFunction('year');

/** Full days before today (`count` below zero) or after it: `rolling(when, -7, 'day')` are the last seven days. */
export function rolling(options: WhenOptions, count: number, unit: DayUnit = 'day'): Period {
  checkUnit(unit);
  const when = readWhen(options);
  const span = Number.isInteger(count) && count !== 0 ? rollingDays(when.today, count, unit) : undefined;
  const period = inReach(span) ? periodOf(when, daySpan(span, unit)) : undefined;
  if (!period) throw new RangeError(`count: ${count} ${unit}s from now is out of reach`);
  return period;
}

const UNITS: readonly unknown[] = ['day', 'week', 'weekend', 'month', 'quarter', 'half', 'year'] satisfies DayUnit[];

function checkUnit(unit: unknown): void {
  if (!UNITS.includes(unit)) throw new RangeError(`unit: ${JSON.stringify(unit)} is none of ${UNITS.join(', ')}`);
}

function rollingDays(today: number, count: number, unit: DayUnit): { from: number; to: number } {
  const edge = count < 0 ? today : today + 1;
  const other = addUnits(edge, unit, count);
  return count < 0 ? { from: other, to: edge } : { from: edge, to: other };
}

/** From the first instant of this week, month … until now. */
export function toDate(options: WhenOptions, unit: DayUnit): Period {
  checkUnit(unit);
  const when = readWhen(options);
  const { from } = unitAround(when, unit, 0);
  const period = periodOf(when, { from: from * DAY_MS, to: when.now, grain: unit, exact: 2 }, 'since');
  if (!period) throw new RangeError(`now: the ${unit} has only just begun`);
  return period;
}

/** From the first instant of one date to the last of another, both included. */
export function dates(options: WhenOptions, first: DateLike, last: DateLike = first): Period {
  const when = readWhen(options);
  const days = { from: dayAt('first', first), to: dayAt('last', last) + 1 };
  if (days.to <= days.from) throw new RangeError(`last: ${shownDate(last)} is before ${shownDate(first)}`);
  const period = inReach(days) ? periodOf(when, daySpan(days, 'day')) : undefined;
  if (!period) throw new RangeError(`first: ${shownDate(first)} to ${shownDate(last)} is not within the years 1 to 9999`);
  return period;
}

function dayAt(name: string, date: DateLike): number {
  const day = readDate(date);
  if (day === undefined) throw new RangeError(`${name}: ${shownDate(date)} is not a date, as 2026-05-03`);
  return day;
}

const shownDate = (date: DateLike): string => (typeof date === 'string' ? date : JSON.stringify(date));
