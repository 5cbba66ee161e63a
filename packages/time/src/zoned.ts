/**
 * The ends of an interval. The members are named as in `Temporal.ZonedDateTime` and mean the same, so code that reads them does not change
 * once runtimes have Temporal. A polyfill would be half of the package; `Temporal.ZonedDateTime.from(String(end))` makes one where one is wanted.
 */
import { civilOf } from './civil.js';
import { DAY_MS, findZone, offsetAt, type Zone } from './zone.js';

const MINUTE_MS = 60_000;

/** A date of the ISO calendar, written 2026-03-18. */
export class CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;

  constructor(year: number, month: number, day: number) {
    this.year = year;
    this.month = month;
    this.day = day;
  }

  toString(): string {
    return `${padded(this.year, 4)}-${padded(this.month)}-${padded(this.day)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The date of a day number. */
export function calendarDate(dayNumber: number): CalendarDate {
  const { year, month, day } = civilOf(dayNumber);
  return new CalendarDate(year, month, day);
}

/** An instant, and the clock of a zone at it. */
export class ZonedMoment {
  readonly epochMilliseconds: number;
  readonly #zone: Zone;

  /** `timezone`: an IANA name, or an offset such as `+02:00`. */
  constructor(timezone: string, epochMilliseconds: number) {
    const zone = findZone(timezone);
    if (!zone) throw new RangeError(`timezone: ${JSON.stringify(timezone)} is not an IANA time zone nor an offset`);
    this.#zone = zone;
    this.epochMilliseconds = epochMilliseconds;
  }

  get epochNanoseconds(): bigint {
    return BigInt(this.epochMilliseconds) * 1_000_000n;
  }
  get timeZoneId(): string {
    return this.#zone.id;
  }
  get year(): number {
    return this.toPlainDate().year;
  }
  get month(): number {
    return this.toPlainDate().month;
  }
  get day(): number {
    return this.toPlainDate().day;
  }
  get hour(): number {
    return this.#clock.getUTCHours();
  }
  get minute(): number {
    return this.#clock.getUTCMinutes();
  }
  get second(): number {
    return this.#clock.getUTCSeconds();
  }
  get millisecond(): number {
    return this.#clock.getUTCMilliseconds();
  }
  /** Such as `+01:00`. */
  get offset(): string {
    return shownOffset(offsetAt(this.#zone, this.epochMilliseconds), 1000);
  }

  toPlainDate(): CalendarDate {
    return calendarDate(Math.floor(this.#clock.getTime() / DAY_MS));
  }

  /** The instant alone, written 2026-03-17T23:00:00Z. */
  toInstant(): Instant {
    return new Instant(this.epochMilliseconds);
  }

  withTimeZone(timezone: string): ZonedMoment {
    return new ZonedMoment(timezone, this.epochMilliseconds);
  }

  /** Such as 2026-03-18T00:00:00+01:00[Europe/Vienna]. */
  toString(): string {
    const offset = shownOffset(offsetAt(this.#zone, this.epochMilliseconds), MINUTE_MS);
    return `${this.toPlainDate().toString()}T${clockOf(this.#clock)}${offset}[${this.timeZoneId}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  toLocaleString(locale?: string | readonly string[], options?: Intl.DateTimeFormatOptions): string {
    const timeZone = this.timeZoneId;
    return new Date(this.epochMilliseconds).toLocaleString(locale as string[], { ...options, timeZone });
  }

  /** `a < b` would compare the texts, as of two zones it must not. */
  valueOf(): never {
    throw new TypeError('compare epochMilliseconds');
  }

  /** The clock on the wall, read as if it were UTC. */
  get #clock(): Date {
    return new Date(this.epochMilliseconds + offsetAt(this.#zone, this.epochMilliseconds));
  }
}

export class Instant {
  readonly epochMilliseconds: number;

  constructor(epochMilliseconds: number) {
    this.epochMilliseconds = epochMilliseconds;
  }

  toString(): string {
    return new Date(this.epochMilliseconds).toISOString().replace(FRACTION, '$1');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** No zeros at the end of the fraction, and no fraction of zeros. */
const FRACTION = /(?:\.0+|(\.\d*?)0+)(?=Z)/;

const clockOf = (clock: Date): string => clock.toISOString().replace(FRACTION, '$1').slice(11, -1);
const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** Local mean times have seconds; where a text is written for `unit` minutes, they are rounded as Temporal does. */
function shownOffset(offset: number, unit: number): string {
  const size = Math.round(Math.abs(offset) / unit) * (unit / 1000);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])];
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => padded(part)).join(':')}`;
}
