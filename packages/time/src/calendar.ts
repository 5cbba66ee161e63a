/** One calendar unit around a day, as a half-open run of day numbers. */
import { addMonths, civilOf, dayOf, weekdayOf } from './civil.js';
import { foreignMonth, foreignYear } from './foreign.js';
import type { When } from './when.js';
import type { DayUnit, Unit } from './types.js';

/** Units of the clock, which may begin at any moment. */
export const isClockUnit = (unit: Unit | undefined): unit is 'hour' | 'minute' | 'second' =>
  unit === 'hour' || unit === 'minute' || unit === 'second';

export interface Days {
  readonly from: number;
  /** The first day after it. */
  readonly to: number;
}

/** The Gregorian months in a unit. */
export const MONTHS_IN: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, half: 6, year: 12 };

const FIRST_DAY = dayOf(1, 1, 1);
const LAST_DAY = dayOf(9999, 12, 31);

/** Years 1 to 9999: what every party along the way can write. */
export const inReach = (days: Days | undefined): days is Days => days !== undefined && days.from >= FIRST_DAY && days.to <= LAST_DAY;

/** The unit around `day`, or the one `by` units later or earlier. */
export function unitAround(when: When, unit: DayUnit, by: number, day: number = when.today): Days {
  switch (unit) {
    case 'day':
      return { from: day + by, to: day + by + 1 };
    case 'week': {
      const from = day - ((weekdayOf(day) - when.weekStart + 7) % 7) + 7 * by;
      return { from, to: from + 7 };
    }
    case 'weekend':
      return weekendAround(when, by, day);
    case 'month':
      if (when.locale.calendar) return foreignMonth(when.locale.calendar, day, by);
      break;
    case 'year':
      if (when.locale.calendar) return foreignYear(when.locale.calendar, day, by);
  }
  const length = MONTHS_IN[unit] ?? 1;
  const { year, month } = civilOf(day);
  const first = Math.floor((month - 1) / length) * length + 1 + by * length;
  return { from: dayOf(year, first, 1), to: dayOf(year, first + length, 1) };
}

/** The current run of weekend days or the next one, on whatever day weeks start. */
function weekendAround(when: When, by: number, day: number): Days {
  const { weekend } = when.locale;
  const isOff = (at: number): boolean => weekend.includes(weekdayOf(at));
  let from = day;
  if (isOff(from)) while (from > day - 6 && isOff(from - 1)) from--;
  else while (from < day + 6 && !isOff(from)) from++;
  let to = from + 1;
  while (to < from + 6 && isOff(to)) to++;
  return { from: from + 7 * by, to: to + 7 * by };
}

/** Calendar distance: years, quarters and months by the month, weeks by seven days. */
export function addUnits(day: number, unit: DayUnit, count: number): number {
  const months = MONTHS_IN[unit];
  if (months) return addMonths(day, months * count);
  return day + count * (unit === 'day' ? 1 : 7);
}

/** A week belongs to the month or year that has most of its days (ISO 8601's rule, for any first day of the week). */
export function weekIn(when: When, container: Days, nth: number): Days | undefined {
  const start = (day: number): number => day - ((weekdayOf(day) - when.weekStart + 7) % 7);
  const first = start(container.from + 3);
  const last = start(container.to - 4);
  const from = nth > 0 ? first + 7 * (nth - 1) : last + 7 * (nth + 1);
  return from >= first && from <= last ? { from, to: from + 7 } : undefined;
}
