import { OTHER } from './names.js';

/** The longest name of a peer, on a span and in a metric. */
export const MAX_NAME = 256;

/**
 * Metrics keep a row for every combination of values, and peers invent values: the first `limit` values stay, all others become one. Values
 * in `known` always stay.
 */
export function fewValues(limit: number, known: readonly string[] = []): (value: string) => string {
  const seen = new Set(known);
  const most = seen.size + limit;
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= most || value.length > MAX_NAME) return OTHER;
    seen.add(value);
    return value;
  };
}
