/**
 * IANA time zone names (CTX-03, CTX-23). `Intl` alone cannot answer "is this IANA": ICU also takes names of its own (`PST`, `JST`,
 * `SystemV/AST4`) and ones the database has withdrawn, and newer runtimes take offsets. So the name must be of the database,
 * by the rules below, and the runtime must know it, or nothing could be computed in it.
 */
import { remember } from './memo.js';
import type { Timestamp } from './timestamp.js';

/** ASCII on purpose: lower-casing maps the Kelvin sign to `k`. */
const FORM = /^[a-z][a-z0-9_+/-]*$/i;
const AREA = /^(?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|etc|europe|indian|mexico|pacific|us)\//;

/** The database's names without an area. A closed list: new ones all have an area. `Factory` is no zone of anyone's. */
const WITHOUT_AREA: ReadonlySet<string> = new Set(
  (
    'cet cst6cdt cuba eet egypt eire est est5edt gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong hst iceland iran israel jamaica ' +
    'japan kwajalein libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore turkey uct universal utc ' +
    'w-su wet zulu'
  ).split(' '),
);
/** Names the database dropped and ICU still knows. */
const WITHDRAWN: ReadonlySet<string> = new Set(['canada/east-saskatchewan', 'us/pacific-new', 'etc/unknown']);

let canonical: Set<string> | undefined;

/** Case-insensitive, links included (`Asia/Calcutta`); never an offset. The caller keeps its own spelling. */
export const isValidTimeZone: (name: string) => boolean = remember((name) => {
  if (!FORM.test(name)) return false;
  const lower = name.toLowerCase();
  canonical ??= new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.toLowerCase()));
  if (canonical.has(lower)) return true;
  // Links are not in the runtime's list; asking for one costs a formatter, hence the memo.
  return (WITHOUT_AREA.has(lower) || (AREA.test(lower) && !WITHDRAWN.has(lower))) && formatterFor(lower) !== undefined;
}, 64);

/** Formatters are large; a server sees few zones at a time. */
const MOST_FORMATTERS = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known) return known;
  try {
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', timeZoneName: 'longOffset' });
    keep(formatters, zone, formatter, MOST_FORMATTERS);
    return formatter;
  } catch {
    return undefined;
  }
}

/** Since 1973 every zone has changed its offset on a quarter of an hour, so within one the answer is the same. */
const QUARTER = 900_000;
const QUARTERS_SINCE = Date.UTC(1973, 0);
const MOST_QUARTERS = 512;
const MOST_ZONES = 64;
const zones = new Map<string, Map<number, number>>();

/** How far a zone is from UTC at an instant, in minutes, east positive; `undefined` for a zone nobody knows. */
export function zoneOffset(timezone: string, epochMilliseconds: number): number | undefined {
  if (!(epochMilliseconds >= QUARTERS_SINCE)) return askedOffset(timezone, epochMilliseconds);
  const quarter = Math.floor(epochMilliseconds / QUARTER);
  const quarters = zones.get(timezone);
  const known = quarters?.get(quarter);
  if (known !== undefined) return known;
  const offset = askedOffset(timezone, epochMilliseconds);
  if (offset === undefined) return undefined;
  if (quarters === undefined) keep(zones, timezone, new Map([[quarter, offset]]), MOST_ZONES);
  else keep(quarters, quarter, offset, MOST_QUARTERS);
  return offset;
}

/** Full means: forget them all; a peer may churn it but not grow it. */
function keep<K, V>(memo: Map<K, V>, key: K, value: V, most: number): void {
  if (memo.size >= most) memo.clear();
  memo.set(key, value);
}

function askedOffset(timezone: string, epochMilliseconds: number): number | undefined {
  const formatter = isValidTimeZone(timezone) ? formatterFor(timezone.toLowerCase()) : undefined;
  if (!formatter || !(Math.abs(epochMilliseconds) <= 8.64e15)) return undefined;
  // "3 PM GMT+01:00"; local mean times have seconds, GMT itself has none of it.
  const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatter.format(epochMilliseconds));
  if (!found) return undefined;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found;
  return (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) * (sign === '-' ? -1 : 1) || 0;
}

/**
 * CTX-27: the timestamp was written with another offset than the zone has at that instant. A flag for the tool, never an error.
 * `Z` and `-00:00` name the instant and say nothing of the local offset (RFC 9557 2.2), so they disagree with no zone:
 * a clock that only writes UTC is no sign of a wrong zone.
 */
export function offsetDisagrees({ text, epochMilliseconds, offsetMinutes }: Timestamp, timezone: string): boolean {
  if (offsetMinutes === 0 && (text.endsWith('Z') || text.endsWith('z') || text.endsWith('-00:00'))) return false;
  const offset = zoneOffset(timezone, epochMilliseconds);
  return offset !== undefined && Math.abs(offset - offsetMinutes) >= 1;
}
