/** The user's here and now: an instant, a zone and a locale. Wrong values are the programmer's, hence `RangeError` with their name. */
import { isReckonable, parseTimestamp } from '../wire/environment.js';
import { isObject } from '../wire/json.js';
import { findLocale, type LocaleRules } from './locale.js';
import { DAY_MS, findZone, localOf, type Zone } from './zone.js';

/** RFC 3339 text, milliseconds since 1970, a `Date`, a `Timestamp` of the wire or anything of Temporal that is an instant. */
export type Now = string | number | { readonly epochMilliseconds: number } | Date;

export interface WhenOptions {
  readonly now: Now;
  /** An IANA name, or an offset such as `+02:00` where only a timestamp is known (CTX-26). */
  readonly timeZone: string;
  readonly locale?: string;
  /** Monday 1 to Sunday 7; the locale's own unless given. */
  readonly weekStart?: number;
}

export interface When {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly zone: Zone;
  /** What the clock on the wall shows, on the local time line. */
  readonly local: number;
  /** Day number of the user's today. */
  readonly today: number;
  readonly locale: LocaleRules;
  readonly weekStart: number;
}

export function readWhen(options: WhenOptions): When {
  if (!isObject(options)) throw new TypeError('options: expected { now, timeZone, locale }');
  const { now, timeZone, locale = 'en', weekStart } = options;
  const instant = readNow(now);
  if (instant === undefined) throw new RangeError(`now: ${shown(now)} is not an instant (RFC 3339 with an offset) of the years 1 to 9999`);
  const zone = typeof timeZone === 'string' ? findZone(timeZone) : undefined;
  if (!zone) throw new RangeError(`timeZone: ${shown(timeZone)} is not an IANA time zone nor an offset`);
  const rules = typeof locale === 'string' ? findLocale(locale) : undefined;
  if (!rules) throw new RangeError(`locale: ${shown(locale)} is not a BCP 47 language tag`);
  if (weekStart !== undefined && !(Number.isInteger(weekStart) && weekStart >= 1 && weekStart <= 7))
    throw new RangeError(`weekStart: ${shown(weekStart)} is not a day from 1 (Monday) to 7 (Sunday)`);
  const local = localOf(zone, instant);
  return { now: instant, zone, local, today: Math.floor(local / DAY_MS), locale: rules, weekStart: weekStart ?? rules.weekStart };
}

function readNow(now: Now): number | undefined {
  const instant =
    typeof now === 'string'
      ? parseTimestamp(now)?.epochMilliseconds
      : typeof now === 'number'
        ? now
        : now instanceof Date
          ? now.getTime()
          : (now as Partial<typeof now> | undefined)?.epochMilliseconds;
  return typeof instant === 'number' && isReckonable(instant) ? Math.floor(instant) : undefined;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 64));
  return typeof value === 'object' && value !== null && 'epochMilliseconds' in value ? String(value.epochMilliseconds) : String(value);
}
