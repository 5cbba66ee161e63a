/**
 * Local days and clock times as instants (CTX-24, CTX-25). Offsets come from one cached formatter a zone and are
 * remembered for each UTC midnight: between two midnights with the same offset nothing changes, and only the few days with a
 * change are looked at more closely.
 */
import { isZoneName } from './zoneName.js';

export const DAY_MS = 86_400_000;

export interface Zone {
  /** An IANA name in the caller's spelling, or `+02:00`. */
  readonly id: string;
  /** Milliseconds east of UTC, where the zone is nothing but that (CTX-26). */
  readonly fixed: number | undefined;
  readonly clock: Intl.DateTimeFormat | undefined;
  readonly midnights: Map<number, number>;
}

/** A formatter is some 50 KB outside the heap; a server sees a few dozen zones. */
const MAX_ZONES = 256;
const MAX_MIDNIGHTS = 512;
/** The formatter's years stay four digits between these: before and after, the nearest known offset holds. */
const FIRST = -62_135_500_000_000;
const LAST = 253_402_200_000_000;

const zones = new Map<string, Zone>();

/** A zone or `undefined`: IANA names, `Z`, `±HH`, `±HHMM`, `±HH:MM`. */
export function findZone(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known) return known;
  const zone = makeZone(name);
  if (!zone) return undefined;
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

function makeZone(name: string): Zone | undefined {
  const offset = /^(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/.exec(name);
  if (offset) {
    const [, sign, hours = '0', minutes = '0'] = offset;
    const fixed = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000) || 0;
    const id = sign ? `${sign}${hours}:${minutes.padStart(2, '0')}` : 'UTC';
    return { id, fixed, clock: undefined, midnights: new Map() };
  }
  if (!isZoneName(name)) return undefined;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return { id: name, fixed: undefined, clock, midnights: new Map() };
}

/** `07/28/2026, 15:04:05` is six numbers, read by hand because this is the only slow step. */
function readOffset(clock: Intl.DateTimeFormat, instant: number): number {
  const at = Math.min(Math.max(instant, FIRST), LAST);
  const shown = clock.format(at);
  const fields = [0, 0, 0, 0, 0, 0];
  let field = -1;
  let inside = false;
  for (let i = 0; i < shown.length; i++) {
    const digit = shown.charCodeAt(i) - 48;
    const isDigit = digit >= 0 && digit <= 9;
    if (isDigit) {
      if (!inside) field++;
      fields[field] = (fields[field] ?? 0) * 10 + digit;
    }
    inside = isDigit;
  }
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = fields;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + (hour * 3600 + minute * 60 + second) * 1000 - Math.floor(at / 1000) * 1000;
}

function atMidnight(zone: Zone, clock: Intl.DateTimeFormat, utcDay: number): number {
  let offset = zone.midnights.get(utcDay);
  if (offset === undefined) {
    offset = readOffset(clock, utcDay * DAY_MS);
    if (zone.midnights.size >= MAX_MIDNIGHTS) zone.midnights.clear();
    zone.midnights.set(utcDay, offset);
  }
  return offset;
}

/** Milliseconds east of UTC at an instant. */
export function offsetAt(zone: Zone, instant: number): number {
  const { clock } = zone;
  if (!clock) return zone.fixed ?? 0;
  const utcDay = Math.floor(instant / DAY_MS);
  const before = atMidnight(zone, clock, utcDay);
  return before === atMidnight(zone, clock, utcDay + 1) ? before : readOffset(clock, instant);
}

/** Milliseconds on the local time line: what the clock on the wall shows, as if it were UTC. */
export function localOf(zone: Zone, instant: number): number {
  return instant + offsetAt(zone, instant);
}

/** The first instant of a local day: at midnight, or where a day begins at 01:00, there. Of two midnights the earlier. */
export function firstInstant(zone: Zone, day: number): number {
  const local = day * DAY_MS;
  const { clock } = zone;
  if (!clock) return local - (zone.fixed ?? 0);
  const before = atMidnight(zone, clock, day - 1);
  const after = atMidnight(zone, clock, day + 1);
  if (before === after) return local - before;
  const found = earliest(zone, local, before, after);
  return found ?? changeBetween(zone, local - Math.max(before, after), local - Math.min(before, after));
}

/** A clock time: of two the earlier; one that was skipped moves forward by the gap (CTX-25). */
export function instantOf(zone: Zone, local: number): number {
  if (!zone.clock) return local - (zone.fixed ?? 0);
  const before = offsetAt(zone, local - DAY_MS);
  const after = offsetAt(zone, local + DAY_MS);
  if (before === after) return local - before;
  return earliest(zone, local, before, after) ?? local - before;
}

function earliest(zone: Zone, local: number, before: number, after: number): number | undefined {
  const early = local - Math.max(before, after);
  const late = local - Math.min(before, after);
  if (offsetAt(zone, early) === local - early) return early;
  return offsetAt(zone, late) === local - late ? late : undefined;
}

/** The instant at which the offset changes, to the second. */
function changeBetween(zone: Zone, from: number, to: number): number {
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  const old = offsetAt(zone, low * 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1000) === old) low = middle;
    else high = middle;
  }
  return high * 1000;
}
