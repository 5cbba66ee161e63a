/** Days of a zone for the reference server, by Intl alone. */
const HOUR = 3_600_000;

export interface Zone {
  /** Milliseconds to add to UTC at an instant. */
  offset(instant: number): number;
}

export function namedZone(name: string): Zone | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name) || /^(?:[A-Z]{3}|GMT[+-].*)$/i.test(name) !== /^(UTC|GMT)$/i.test(name))
    return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    return {
      offset: (instant) => {
        const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
        const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
        return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
      },
    };
  } catch {
    return undefined;
  }
}

export const fixedZone = (offset: number): Zone => ({ offset: () => offset });

const dayOf = (zone: Zone, instant: number): number => Math.floor((instant + zone.offset(instant)) / (24 * HOUR));

/** The first instant of a day: midnight, or the end of the gap that swallowed it. */
function firstInstant(zone: Zone, day: number): number {
  let [before, after] = [day * 24 * HOUR - 30 * HOUR, day * 24 * HOUR + 30 * HOUR];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(zone, middle) >= day) after = middle;
    else before = middle;
  }
  return after;
}

/** The day of an instant, moved by a number of days. */
export function dayAround(zone: Zone, now: number, moved: number, always24: boolean): { start: string; end: string } {
  const day = dayOf(zone, now) + moved;
  const start = firstInstant(zone, day);
  const end = always24 ? start + 24 * HOUR : firstInstant(zone, day + 1);
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

/** A fault: every day begins at midnight, even where midnight does not exist. */
export function midnights(zone: Zone, now: number, moved: number): { start: string; end: string } {
  const [start, end] = [0, 1].map((later) => {
    const wall = (dayOf(zone, now) + moved + later) * 24 * HOUR;
    return wall - zone.offset(wall - zone.offset(wall));
  });
  return { start: new Date(start ?? NaN).toISOString(), end: new Date(end ?? NaN).toISOString() };
}

/** The hour of an instant by the clock of the zone. */
export function hourAround(zone: Zone, now: number): { start: string; end: string } {
  const offset = zone.offset(now);
  const start = Math.floor((now + offset) / HOUR) * HOUR - offset;
  return { start: new Date(start).toISOString(), end: new Date(start + HOUR).toISOString() };
}
