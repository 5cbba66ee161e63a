/** Sizes, durations and rates as people write them. The schema has checked their form. */
import type { Rate } from './types.js';

const BYTES: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 * 1024 };
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function quantity(text: string | number, units: Readonly<Record<string, number>>): number {
  if (typeof text === 'number') return text;
  const [, amount = '0', unit = ''] = /^(\d+) ?([A-Za-z]+)$/.exec(text) ?? [];
  return Number(amount) * (units[unit] ?? 1);
}

/** Bytes; a number is bytes. */
export const bytesOf = (text: string | number): number => quantity(text, BYTES);
/** A timer that is set for longer than this (24 days) ends at once. */
const LONGEST = 2 ** 31 - 1;

/** Milliseconds; a number is milliseconds. */
export const millisecondsOf = (text: string | number): number => Math.min(quantity(text, MILLISECONDS), LONGEST);

/** `50/s`, `1000/h`. */
export function rateOf(text: string): Rate {
  const [amount = '0', unit = 's'] = text.split('/');
  return { text, amount: Number(amount), milliseconds: MILLISECONDS[unit] ?? 1000 };
}
