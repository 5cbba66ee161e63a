/** A moment on the user's clock (CTX-04): the instant, and the local offset it was written with. */
export interface Timestamp {
  // CTX-31
  /** The text as it was sent; a hop must not change it. */
  readonly text: string;
  readonly epochMilliseconds: number;
  /** East of UTC is positive. 0 for `Z`, and for `-00:00`, with which RFC 3339 says that the local offset is unknown. */
  readonly offsetMinutes: number;
}

/** Long enough for any real clock. A peer may send a fraction of a million digits. */
const LONGEST = 128;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const FRACTION = '0000-00-00T00:00:00.'.length;
const OFFSET = '+00:00'.length;
const [ZERO, MINUS, COLON] = [0x30, 0x2d, 0x3a];
/** The largest offset, in minutes. */
const DAY = 1440;

/**
 * Parses RFC 3339 `date-time` strictly: date, time and offset are required, and the date must exist. `Date.parse` accepts much more. It makes no
 * `Date`, because every tool call brings a timestamp.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  if (text.length > LONGEST || !DATE_TIME.test(text)) return undefined;
  const year = pairAt(text, 0) * 100 + pairAt(text, 2);
  const month = pairAt(text, 5);
  const day = pairAt(text, 8);
  const hour = pairAt(text, 11);
  const minute = pairAt(text, 14);
  const second = pairAt(text, 17);
  const end = text.length - (text.charCodeAt(text.length - 3) === COLON ? OFFSET : 1);
  const offsetMinutes = offsetAt(text, end);
  if (hour > 23 || minute > 59 || second > 60 || Number.isNaN(offsetMinutes)) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // A leap second keeps the date it was written with, as in Temporal: its :60 counts as :59.
  const minutes = daysBefore(year, month, day) * DAY + hour * 60 + minute - offsetMinutes;
  const epochMilliseconds = (minutes * 60 + Math.min(second, 59)) * 1000 + milliseconds(text, end);
  if (second === 60 && !endsMonth(new Date(epochMilliseconds))) return undefined;
  return { text, epochMilliseconds, offsetMinutes };
}

/** Reads two digits as a number. */
function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * ZERO;
}

/** Reads a fraction of a second as whole milliseconds. */
function milliseconds(text: string, end: number): number {
  return end > FRACTION ? Number(text.slice(FRACTION, Math.min(end, FRACTION + 3)).padEnd(3, '0')) : 0;
}

/** Reads the offset at the end of the text, in minutes, east of UTC positive; NaN if there is none. */
function offsetAt(text: string, at: number): number {
  if (text.length - at === 1) return 0;
  const hour = pairAt(text, at + 1);
  const minute = pairAt(text, at + 4);
  if (hour > 23 || minute > 59) return Number.NaN;
  return (hour * 60 + minute) * (text.charCodeAt(at) === MINUS ? -1 : 1) || 0;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01. It counts in years that begin in March, so that the leap day is the last one. `Date.UTC` takes five times as long. */
function daysBefore(year: number, month: number, day: number): number {
  const march = month > 2 ? year : year - 1;
  const leaps = Math.floor(march / 4) - Math.floor(march / 100) + Math.floor(march / 400);
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5);
  return march * 365 + leaps + ofYear + day - 719_469;
}

/** RFC 3339 5.7: a leap second is inserted at the end of a month, in UTC. */
function endsMonth(date: Date): boolean {
  const nextDay = new Date(date.getTime() + 86_400_000);
  return date.getUTCHours() === 23 && date.getUTCMinutes() === 59 && nextDay.getUTCDate() === 1;
}

/** The years 1 to 9999, less a day at each end, so that every zone can write them. */
const FIRST = Date.parse('0001-01-02T00:00:00Z');
const LAST = Date.parse('9999-12-30T00:00:00Z');

/** True if calendars can count from this instant. Other instants are valid RFC 3339 but useless for counting. */
export function isReckonable(epochMilliseconds: number): boolean {
  return epochMilliseconds >= FIRST && epochMilliseconds <= LAST;
}

/** Writes a moment as a clock at that offset shows it, or with `Z` if no offset is given. For the years 0 to 9999. */
export function formatTimestamp(epochMilliseconds: number, offsetMinutes?: number): Timestamp {
  // RFC 3339 has whole minutes only; rounding the offset does not change the instant.
  const offset = Math.trunc(offsetMinutes ?? 0) || 0;
  const local = new Date(epochMilliseconds + offset * 60_000).toISOString();
  if (offsetMinutes === undefined) return { text: local, epochMilliseconds, offsetMinutes: 0 };
  const text = local.slice(0, -1) + offsetText(offset);
  return { text, epochMilliseconds, offsetMinutes: offset };
}

// CTX-26
/** The offset of a timestamp as a zone, `+02:00`, for a request without a zone. When that offset changes is not known. */
export function fixedOffset({ offsetMinutes }: Timestamp): string {
  return offsetText(offsetMinutes);
}

function offsetText(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
