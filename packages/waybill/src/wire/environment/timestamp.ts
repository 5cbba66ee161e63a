/** A moment on the user's clock (CTX-04): the instant, and the local offset it was written with. */
export interface Timestamp {
  /** As it was sent; a hop must not re-stamp it (CTX-31). */
  readonly text: string;
  readonly epochMilliseconds: number;
  /** East of UTC is positive. 0 for `Z`, and for `-00:00`, with which RFC 3339 says that the local offset is unknown. */
  readonly offsetMinutes: number;
}

/** Any real clock fits; a fraction of a million digits is not worth a scan. */
const LONGEST = 128;
const FORM = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339 `date-time`, strictly: date, time and offset are all required, and the date exists. `Date.parse` takes much more. */
export function parseTimestamp(text: string): Timestamp | undefined {
  if (text.length > LONGEST || !FORM.test(text)) return undefined;
  const year = two(text, 0) * 100 + two(text, 2);
  const [month, day, hour, minute, second] = [two(text, 5), two(text, 8), two(text, 11), two(text, 14), two(text, 17)];
  const offsetMinutes = offsetOf(text);
  if (hour > 23 || minute > 59 || second > 60 || Number.isNaN(offsetMinutes)) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // A leap second keeps the date it was written with, as in Temporal: its :60 counts as :59.
  const utc = instant(year, month, day) + ((hour * 60 + minute - offsetMinutes) * 60 + Math.min(second, 59)) * 1000 + milliseconds(text);
  if (second === 60 && !endsMonth(new Date(utc))) return undefined;
  return { text, epochMilliseconds: utc, offsetMinutes };
}

/** The number of two digits at a place where `FORM` has found digits. */
function two(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

function milliseconds(text: string): number {
  return text[19] === '.' ? Number((/^\d{1,3}/.exec(text.slice(20))?.[0] ?? '').padEnd(3, '0')) : 0;
}

/** East of UTC is positive; not a number where it is no offset. */
function offsetOf(text: string): number {
  const at = text.length - 6;
  const sign = text[at];
  if (text.endsWith('Z') || text.endsWith('z')) return 0;
  const [hour, minute] = [two(text, at + 1), two(text, at + 4)];
  if (hour > 23 || minute > 59) return Number.NaN;
  return (hour * 60 + minute) * (sign === '-' ? -1 : 1) || 0;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The first instant of a date. `Date.UTC` reads the years 0 to 99 as 1900 to 1999; 400 years have a fixed length. */
function instant(year: number, month: number, day: number): number {
  return Date.UTC(year + 400, month - 1, day) - 12_622_780_800_000;
}

/** RFC 3339 5.7: a leap second is inserted at the end of a month, in UTC. */
function endsMonth(date: Date): boolean {
  const nextDay = new Date(date.getTime() + 86_400_000);
  return date.getUTCHours() === 23 && date.getUTCMinutes() === 59 && nextDay.getUTCDate() === 1;
}

/** A moment as a clock at that offset shows it; `Z` where the offset is not told. For clocks of today: the years 0 to 9999. */
export function formatTimestamp(epochMilliseconds: number, offsetMinutes?: number): Timestamp {
  // RFC 3339 knows whole minutes; the instant is the same with any offset.
  const offset = Math.trunc(offsetMinutes ?? 0) || 0;
  const local = new Date(epochMilliseconds + offset * 60_000).toISOString();
  if (offsetMinutes === undefined) return { text: local, epochMilliseconds, offsetMinutes: 0 };
  const text = local.slice(0, -1) + offsetText(offset);
  return { text, epochMilliseconds, offsetMinutes: offset };
}

/** CTX-26: with no zone beside it, the timestamp's own offset is the zone, `+02:00`; when it changes is not known. */
export function fixedOffset({ offsetMinutes }: Timestamp): string {
  return offsetText(offsetMinutes);
}

function offsetText(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
