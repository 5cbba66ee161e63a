/**
 * The Gregorian calendar as arithmetic on day numbers (1970-01-01 is 0). Everything between the phrase and the zone is counted in
 * these numbers: a day is one, never 24 hours (CTX-24).
 */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Days to 1 March of the year 0: years that start in March put the leap day last. */
const MARCH_0 = 719_468;
const DAYS_IN_400_YEARS = 146_097;

/** Day number of a date; the date need not exist (31 February is 3 March), months beyond 12 run on. */
export function dayOf(year: number, month: number, day: number): number {
  const months = year * 12 + month - 3;
  const marchYear = Math.floor(months / 12);
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (months - marchYear * 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_IN_400_YEARS + dayOfEra - MARCH_0;
}

export function civilOf(dayNumber: number): Civil {
  const shifted = dayNumber + MARCH_0;
  const era = Math.floor(shifted / DAYS_IN_400_YEARS);
  const dayOfEra = shifted - era * DAYS_IN_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Monday is 1, Sunday 7. */
export function weekdayOf(dayNumber: number): number {
  return ((((dayNumber + 3) % 7) + 7) % 7) + 1;
}

export function daysInMonth(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1);
}

export function exists(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** The same day of another month, or that month's last: 31 January and one month is 28 or 29 February. */
export function addMonths(dayNumber: number, months: number): number {
  if (months === 0) return dayNumber;
  const { year, month, day } = civilOf(dayNumber);
  const first = dayOf(year, month + months, 1);
  return first + Math.min(day, dayOf(year, month + months + 1, 1) - first) - 1;
}
