import { OTHER } from './names.js';

/** Longest name of a peer's. */
export const MAX_NAME = 256;

/** Metrics keep a row for every combination of values, and peers invent values: the first `limit` stay what they are, the rest is one. */
export function fewValues(limit: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= limit || value.length > MAX_NAME) return OTHER;
    seen.add(value);
    return value;
  };
}
