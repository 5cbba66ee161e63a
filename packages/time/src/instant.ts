/** Instants as callers write them. */
import { exists } from './civil.js';
import type { Now } from './types.js';

/** `Date.parse` takes more than RFC 3339 and moves 30 February to March. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(\.\d{1,96})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The years 1 to 9999, less a day at each end: in any zone the date can still be written. */
const FIRST = Date.parse('0001-01-02T00:00:00Z');
const LAST = Date.parse('9999-12-30T00:00:00Z');

export function readInstant(now: Now): number | undefined {
  const instant =
    typeof now === 'string'
      ? parseInstant(now)
      : typeof now === 'number'
        ? now
        : now instanceof Date
          ? now.getTime()
          : (now as Partial<typeof now> | undefined)?.epochMilliseconds;
  return typeof instant === 'number' && instant >= FIRST && instant <= LAST ? Math.floor(instant) : undefined;
}

function parseInstant(text: string): number | undefined {
  const found = DATE_TIME.exec(text);
  if (!found) return undefined;
  const [, year, month, day, clock = '', second, fraction = '', offset = ''] = found;
  if (!exists(Number(year), Number(month), Number(day))) return undefined;
  // A leap second counts as the second before it.
  return Date.parse(`${text.slice(0, 10)}T${clock}${second === '60' ? '59' : second}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
}
