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
const FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** RFC 3339 `date-time`, strictly: date, time and offset are all required, and the date exists. `Date.parse` takes much more. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const found = text.length <= LONGEST ? FORM.exec(text) : null;
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const [hour, minute, second] = [Number(found[4]), Number(found[5]), Number(found[6])];
  const milliseconds = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const [offsetHour, offsetMinute] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offsetMinutes = (offsetHour * 60 + offsetMinute) * (found[8] === '-' ? -1 : 1) || 0;

  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have lands in another month.
  if (date.getUTCMonth() !== month - 1) return undefined;
  // A leap second keeps the date it was written with, as in Temporal: its :60 counts as :59.
  date.setUTCHours(hour, minute - offsetMinutes, Math.min(second, 59), milliseconds);
  if (second === 60 && !endsMonth(date)) return undefined;
  return { text, epochMilliseconds: date.getTime(), offsetMinutes };
}

/** RFC 3339 5.7: a leap second is inserted at the end of a month, in UTC. */
function endsMonth(date: Date): boolean {
  const nextDay = new Date(date.getTime() + 86_400_000);
  return date.getUTCHours() === 23 && date.getUTCMinutes() === 59 && nextDay.getUTCDate() === 1;
}

/** CTX-26: with no zone beside it, the timestamp's own offset is the zone, `+02:00`; when it changes is not known. */
export function fixedOffset({ offsetMinutes }: Timestamp): string {
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
