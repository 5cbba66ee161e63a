/**
 * IANA time zone names (CTX-03, CTX-23). `Intl` alone cannot answer "is this IANA": ICU also accepts its own names (`PST`, `JST`,
 * `SystemV/AST4`) and ones the database has withdrawn, and newer runtimes accept offsets. So the name must be in the database, by the rules
 * below, and the runtime must know it, because nothing could be computed otherwise.
 */
import { keep } from '../memo.js';
import { remember } from './members.js';
import type { Timestamp } from './timestamp.js';

/** ASCII only: lower-casing would turn the Kelvin sign into `k`. */
const FORM = /^[a-z][a-z0-9_+/-]*$/i;
const AREA = /^(?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|etc|europe|indian|mexico|pacific|us)\//;

/** The database's names without an area. The list is closed: new names all have an area. `Factory` is not a real zone. */
const WITHOUT_AREA: ReadonlySet<string> = new Set(
  (
    'cet cst6cdt cuba eet egypt eire est est5edt gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong hst iceland iran israel jamaica ' +
    'japan kwajalein libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore turkey uct universal utc ' +
    'w-su wet zulu'
  ).split(' '),
);
/** Names that the database has dropped and ICU still accepts. */
const WITHDRAWN: ReadonlySet<string> = new Set(['canada/east-saskatchewan', 'us/pacific-new', 'etc/unknown']);

let canonical: Set<string> | undefined;

/** True for an IANA name in any case, links such as `Asia/Calcutta` included; never for an offset. */
export const isValidTimeZone: (name: string) => boolean = remember((name) => {
  if (!FORM.test(name)) return false;
  const lower = name.toLowerCase();
  canonical ??= new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.toLowerCase()));
  if (canonical.has(lower)) return true;
  // Links are not in the runtime's list. Checking one needs a formatter, so the result is remembered.
  return (WITHOUT_AREA.has(lower) || (AREA.test(lower) && !WITHDRAWN.has(lower))) && formatterFor(lower) !== undefined;
}, 64);

/** Formatters are large, and a server sees few zones at a time. */
const MAX_FORMATTERS = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known) return known;
  try {
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', timeZoneName: 'longOffset' });
    keep(formatters, zone, formatter, MAX_FORMATTERS);
    return formatter;
  } catch {
    return undefined;
  }
}

/** Since 1973 every zone has changed its offset on a quarter of an hour, so the offset is the same within one. */
const QUARTER = 900_000;
const QUARTERS_SINCE = Date.UTC(1973, 0);
const MAX_QUARTERS = 512;
const MAX_ZONES = 64;
const zones = new Map<string, Map<number, number>>();

/** The offset of a zone from UTC at an instant, in minutes, east positive; undefined for an unknown zone. */
export function zoneOffset(timezone: string, epochMilliseconds: number): number | undefined {
  if (!(epochMilliseconds >= QUARTERS_SINCE)) return askedOffset(timezone, epochMilliseconds);
  const quarter = Math.floor(epochMilliseconds / QUARTER);
  const quarters = zones.get(timezone);
  const known = quarters?.get(quarter);
  if (known !== undefined) return known;
  const offset = askedOffset(timezone, epochMilliseconds);
  if (offset === undefined) return undefined;
  if (quarters === undefined) keep(zones, timezone, new Map([[quarter, offset]]), MAX_ZONES);
  else keep(quarters, quarter, offset, MAX_QUARTERS);
  return offset;
}

function askedOffset(timezone: string, epochMilliseconds: number): number | undefined {
  const formatter = isValidTimeZone(timezone) ? formatterFor(timezone.toLowerCase()) : undefined;
  if (!formatter || !(Math.abs(epochMilliseconds) <= 8.64e15)) return undefined;
  // The text is "3 PM GMT+01:00". Local mean times also have seconds, and GMT itself has no offset.
  const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatter.format(epochMilliseconds));
  if (!found) return undefined;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found;
  return (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) * (sign === '-' ? -1 : 1) || 0;
}

// CTX-27
/**
 * True if the timestamp has another offset than the zone at that instant. A hint for the tool, never an error. `Z` and `-00:00` say
 * nothing about the local offset (RFC 9557 2.2), so they disagree with no zone: a clock that only writes UTC does not mean a wrong zone.
 */
export function offsetDisagrees({ text, epochMilliseconds, offsetMinutes }: Timestamp, timezone: string): boolean {
  if (offsetMinutes === 0 && (text.endsWith('Z') || text.endsWith('z') || text.endsWith('-00:00'))) return false;
  const offset = zoneOffset(timezone, epochMilliseconds);
  return offset !== undefined && Math.abs(offset - offsetMinutes) >= 1;
}
