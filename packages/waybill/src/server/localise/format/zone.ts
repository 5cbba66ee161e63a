import { zoneOffset } from '../../../wire/environment.js';

/** A zone that `Intl` can format in, for the user's zone. */
export interface FormatZone {
  readonly timeZone: string;
  /** Minutes to add to an instant first. If the runtime has no zone of that offset, the local time is formatted as if it were UTC. */
  readonly shift: number;
}

const OFFSET = /^([+-])(\d\d):(\d\d)$/;
const UTC: FormatZone = { timeZone: 'UTC', shift: 0 };

// CTX-26
/** A fixed offset such as `+05:30` is a zone, too. Node 20 accepts none of that form. */
export function formatZone(zone: string): FormatZone {
  const minutes = offsetIn(zone);
  if (minutes === undefined) return { timeZone: zone, shift: 0 };
  if (minutes === 0) return UTC;
  // `Etc/GMT-2` is two hours east of Greenwich.
  if (minutes % 60 === 0 && minutes >= -12 * 60 && minutes <= 14 * 60)
    return { timeZone: `Etc/GMT${minutes > 0 ? '-' : '+'}${Math.abs(minutes) / 60}`, shift: 0 };
  return { timeZone: 'UTC', shift: minutes };
}

/** The offset of a zone from UTC at an instant, in minutes. */
export function offsetAt(zone: string, instant: number): number {
  return offsetIn(zone) ?? zoneOffset(zone, instant) ?? 0;
}

function offsetIn(zone: string): number | undefined {
  const found = OFFSET.exec(zone);
  return found ? (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) : undefined;
}

/** Removes the zone name from a style: a shifted time is formatted as UTC and would be labelled so. */
export function withoutZoneName(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions {
  const { timeZoneName: _, ...rest } = style;
  return rest.timeStyle === 'long' || rest.timeStyle === 'full' ? { ...rest, timeStyle: 'medium' } : rest;
}
