/** The user's here and now: an instant, a zone and a locale. Wrong values are the programmer's, hence `RangeError` with their name. */
import { readInstant } from './instant.js';
import { findLocale, type LocaleRules } from './locale.js';
import { DAY_MS, findZone, localOf, type Zone } from './zone.js';
import type { WhenOptions } from './types.js';

export interface When {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly zone: Zone;
  /** The time that a clock on the wall shows, as milliseconds of local time. */
  readonly local: number;
  /** Day number of the user's today. */
  readonly today: number;
  readonly locale: LocaleRules;
  readonly weekStart: number;
  readonly isHoliday: WhenOptions['isHoliday'];
  readonly holidays: WhenOptions['holidays'];
  readonly fiscalYearStart: number | undefined;
}

export function readWhen(options: WhenOptions): When {
  if (typeof (options as unknown) !== 'object' || (options as unknown) === null)
    throw new TypeError('options: expected { now, timezone, locale }');
  const { now, timezone, locale = 'en', weekStart, isHoliday, holidays, fiscalYearStart } = options;
  const instant = readInstant(now);
  if (instant === undefined) throw new RangeError(`now: ${shown(now)} is not an instant (RFC 3339 with an offset) of the years 1 to 9999`);
  const zone = typeof timezone === 'string' ? findZone(timezone) : undefined;
  if (!zone) throw new RangeError(`timezone: ${shown(timezone)} is not an IANA time zone nor an offset`);
  const rules = typeof locale === 'string' ? findLocale(locale) : undefined;
  if (!rules) throw new RangeError(`locale: ${shown(locale)} is not a BCP 47 language tag`);
  if (weekStart !== undefined && !(Number.isInteger(weekStart) && weekStart >= 1 && weekStart <= 7))
    throw new RangeError(`weekStart: ${shown(weekStart)} is not a day from 1 (Monday) to 7 (Sunday)`);
  if (fiscalYearStart !== undefined && !(Number.isInteger(fiscalYearStart) && fiscalYearStart >= 1 && fiscalYearStart <= 12))
    throw new RangeError(`fiscalYearStart: ${shown(fiscalYearStart)} is not a month from 1 to 12`);
  for (const [name, given] of [['isHoliday', isHoliday] as const, ['holidays', holidays] as const])
    if (given !== undefined && typeof given !== 'function') throw new TypeError(`${name}: is not a function`);
  const local = localOf(zone, instant);
  const today = Math.floor(local / DAY_MS);
  return { now: instant, zone, local, today, locale: rules, weekStart: weekStart ?? rules.weekStart, isHoliday, holidays, fiscalYearStart };
}

/** The same place and week, for a phrase in English. */
export function inEnglish(when: When): When {
  return { ...when, locale: { ...when.locale, language: 'en' } };
}

/** The same moment on the clock of another zone. */
export function moveTo(when: When, zone: Zone): When {
  const local = localOf(zone, when.now);
  return { ...when, zone, local, today: Math.floor(local / DAY_MS) };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 64));
  return typeof value === 'object' && value !== null && 'epochMilliseconds' in value ? String(value.epochMilliseconds) : String(value);
}
