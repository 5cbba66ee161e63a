// CTX-04
/** A moment on the user's clock: the instant, and the local offset it was written with. */
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
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses RFC 3339 `date-time` strictly: date, time and offset are required, and the date must exist. `Date.parse` accepts much more. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const found = text.length > LONGEST ? null : DATE_TIME.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const [fraction = '', sign, hours = '0', minutes = '0'] = found.slice(7);
  if (hour > 23 || minute > 59 || second > 60 || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) || 0;
  // A leap second keeps the date it was written with, as in Temporal: its :60 counts as :59.
  date.setUTCHours(hour, minute - offsetMinutes, Math.min(second, 59), Number(fraction.slice(0, 3).padEnd(3, '0')));
  return second === 60 && !endsMonth(date) ? undefined : { text, epochMilliseconds: date.getTime(), offsetMinutes };
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
