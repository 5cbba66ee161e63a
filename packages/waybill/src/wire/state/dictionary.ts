import type { Report } from '../issue.js';
import { isObject, outOfBounds, setOwn, type Bounds, type Json, type Meta } from '../json.js';

/**
 * What one dictionary may hold on the wire: far above the jar's own limits (D-09), which the application may raise, and low enough that
 * nobody behind this reader meets a value that breaks recursion or memory. Beyond: the one name goes, the rest stays.
 */
export const STATE_BOUNDS = {
  names: 100_000,
  nameCharacters: 65_536,
  value: { depth: 512, values: 100_000, characters: 1_048_576 } satisfies Bounds,
} as const;

/** Judges the value under a name: what to keep, or `undefined` after a complaint. */
export type Accept<T> = (value: unknown, complain: (problem: string) => void, name: string) => T | undefined;

/** `null` is for results only: there it deletes (STATE-05); a request carries what is stored, and nothing stored is no name. */
export function acceptValue(allowNull: boolean): Accept<Json> {
  return (value, complain) => {
    const problem = value === null ? (allowNull ? undefined : 'is null, which means deleted') : unfit(value);
    if (problem === undefined) return value as Json;
    complain(problem);
    return undefined;
  };
}

export function unfit(value: unknown): string | undefined {
  // Most values are short scalars; a walk would cost more than they do.
  if (typeof value === 'string' && value.length <= STATE_BOUNDS.value.characters) return undefined;
  return outOfBounds(value, STATE_BOUNDS.value);
}

/** Name by name, in the dictionary's own order; nothing usable is nothing. Anything but an object is ignored (STATE-05). */
export function readNames<T>(dictionary: unknown, key: string, accept: Accept<T>, report: Report): ReadonlyMap<string, T> | undefined {
  if (!isObject(dictionary)) {
    report({ concern: 'state', key, problem: 'is not an object' });
    return undefined;
  }
  const kept = keep(Object.keys(dictionary), (name) => dictionary[name], key, accept, report);
  return kept.size > 0 ? kept : undefined;
}

/** STATE-09: an empty dictionary is not written. Names are set as own properties, whatever they are called (STATE-42). */
export function writeNames<T>(names: ReadonlyMap<string, unknown>, key: string, accept: Accept<T>, report: Report): Meta | undefined {
  const kept = keep(names.keys(), (name) => names.get(name), key, accept, report);
  if (kept.size === 0) return undefined;
  const dictionary: Meta = {};
  for (const [name, value] of kept) setOwn(dictionary, name, value);
  return dictionary;
}

function keep<T>(
  names: Iterable<string>,
  valueOf: (name: string) => unknown,
  key: string,
  accept: Accept<T>,
  report: Report,
): Map<string, T> {
  const kept = new Map<string, T>();
  let current = '';
  const complain = (problem: string): void => report({ concern: 'state', key: `${key}.${label(current)}`, problem });
  let seen = 0;
  for (const name of names) {
    if (++seen > STATE_BOUNDS.names) {
      report({ concern: 'state', key, problem: `holds more than ${STATE_BOUNDS.names} names` });
      break;
    }
    current = name;
    if (name.length > STATE_BOUNDS.nameCharacters) {
      complain(`has a name of more than ${STATE_BOUNDS.nameCharacters} characters`);
      continue;
    }
    const value = accept(valueOf(name), complain, name);
    if (value !== undefined) kept.set(name, value);
  }
  return kept;
}

/** A name as an issue may show it: short, and unable to break a log line. */
function label(name: string): string {
  const start = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  return start.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD');
}
