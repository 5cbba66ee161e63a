/**
 * Finds the Gregorian year of a written one in places that also count by another calendar: 2569 in Bangkok, 115 in
 * Taipei, 1405 in Tehran. A year belongs to the calendar in which people of today would write it. If two fit, there is no answer.
 */
import { civilOf, exists, type Civil } from './civil.js';
import type { Days } from './calendar.js';
import { foreignMonth, foreignYear, yearIn } from './foreign.js';
import { hasOurMonths } from './locale.js';
import type { When } from './when.js';

/** A year of three or more digits counts as one of another calendar only within this many years of today. */
const ALIVE = 100;
/** The same limit for two digits that fit both calendars. */
const NEAR = 10;
/** And a Gregorian one of two digits, beside a calendar that goes before it. */
const AROUND = 3;
/** And a Gregorian one, where it might be of another calendar that we do not read so far back. */
const FAR = 500;
const MAX_DAYS = 32;
const isShort = (written: number): boolean => written < 100;

/** The Gregorian year of one that is written beside a month of ours, or alone. */
export function civilYear(when: When, written: number): number | undefined {
  const { year: today } = civilOf(when.today);
  const by = find(when, written, hasOurMonths, (_, steps) => steps);
  if (by !== undefined) return today + by;
  // A year of a calendar with months of its own has no Gregorian year.
  if (find(when, written, isForeign, () => true)) return undefined;
  if (!isShort(written)) return written;
  const full = fullYear(today, written);
  // Two digits are Gregorian only near today if people also count by another calendar.
  return when.locale.ownYears && Math.abs(full - today) > AROUND ? undefined : full;
}

/** A date in figures, by the calendar of its year. */
export function civilDate(when: When, written: number, month: number, day: number): Civil | undefined {
  if (day < 1 || day > MAX_DAYS) return undefined;
  const days = foreignMonthOf(when, written, month);
  if (days !== undefined) return day >= 1 && days.from + day <= days.to ? civilOf(days.from + day - 1) : undefined;
  const year = civilYear(when, written);
  return year !== undefined && isLikely(when, year) && exists(year, month, day) ? { year, month, day } : undefined;
}

/** The days of a month in figures, where the year beside it is of a calendar with months of its own. */
export function foreignMonthOf(when: When, written: number, month: number): Days | undefined {
  if (month < 1 || month > MAX_MONTHS) return undefined;
  return find(when, written, isForeign, (calendar, steps) => {
    const key = `${calendar} ${yearIn(calendar, when.today) + steps} ${month}`;
    const known = found.get(key);
    if (known !== undefined) return known ?? undefined;
    const year = foreignYear(calendar, when.today, steps);
    const days = foreignMonth(calendar, year.from, month - 1);
    const made = days.to <= year.to ? days : undefined;
    if (found.size >= MAX_FOUND) found.clear();
    found.set(key, made ?? null);
    return made;
  });
}

/** Some years have thirteen. */
const MAX_MONTHS = 13;
/** A month is a hundred questions to `Intl`, and a text may have any number of figures. */
const found = new Map<string, Days | null>();
const MAX_FOUND = 4096;

/** True for a number that is probably a year and not a count. */
function isLikely({ locale, today }: When, year: number): boolean {
  if (locale.calendars.length > 0 && Math.abs(year - civilOf(today).year) > FAR) return false;
  return year >= 1000 && year <= 2999;
}

const isForeign = (calendar: string): boolean => !hasOurMonths(calendar);

/** Calls back with the first calendar that fits the written year, and with the number of years from now to it. */
function find<T>(
  { locale, today }: When,
  written: number,
  fits: (calendar: string) => boolean,
  make: (calendar: string, steps: number) => T,
): T | undefined {
  // Two digits are of the calendar that the locale puts first.
  if (isShort(written) && !locale.ownYears) return undefined;
  for (const calendar of locale.calendars) {
    const away = fits(calendar) ? written - yearIn(calendar, today) : Number.NaN;
    const steps = isShort(written) ? ((((away + 50) % 100) + 100) % 100) - 50 : away;
    if (Math.abs(steps) <= (isShort(written) ? NEAR : ALIVE)) return make(calendar, steps);
  }
  return undefined;
}

/** Two digits mean a year of the last eighty or the next twenty: people write more of what was. */
function fullYear(today: number, short: number): number {
  const near = Math.floor(today / 100) * 100 + short;
  return near - today > 20 ? near - 100 : today - near >= 80 ? near + 100 : near;
}
