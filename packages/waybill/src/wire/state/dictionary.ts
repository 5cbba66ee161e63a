import type { Report } from '../issue.js';
import { isObject, outOfBounds, setOwn, type Bounds, type Json, type Meta } from '../json.js';
import type { STATE_SPELLINGS } from '../keys.js';

// D-09
/**
 * The bounds of one dictionary on the wire. They are far above the jar's own limits, which an application may raise, and low enough
 * that no value exhausts the stack or the memory. A name whose value is beyond them is dropped; the others stay.
 */
export const STATE_BOUNDS = {
  names: 100_000,
  nameCharacters: 65_536,
  value: { depth: 512, values: 100_000, characters: 1_048_576 } satisfies Bounds,
} as const;

export type StateScope = keyof typeof STATE_SPELLINGS;

/** Makes a value for each scope. Returns undefined if neither scope has one. */
export function eachScope<T extends object>(
  make: (scope: StateScope) => T | undefined,
): { readonly [Scope in StateScope]?: T } | undefined {
  const session = make('session');
  const server = make('server');
  return (session ?? server) && { ...(session && { session }), ...(server && { server }) };
}

/** Checks the value under a name. Returns the value to keep, or calls `complain` and returns undefined. */
export type Accept<T> = (value: unknown, complain: (problem: string) => void, name: string) => T | undefined;

// STATE-05
/** `null` is allowed in results only, where it deletes. A request leaves out names that are not stored. */
export function acceptValue(allowNull: boolean): Accept<Json> {
  return (value, complain) => {
    const problem = value === null ? (allowNull ? undefined : 'is null, which means deleted') : unfit(value);
    if (problem === undefined) return value as Json;
    complain(problem);
    return undefined;
  };
}

export function unfit(value: unknown): string | undefined {
  // The short way: most values are short texts.
  if (typeof value === 'string' && value.length <= STATE_BOUNDS.value.characters) return undefined;
  return outOfBounds(value, STATE_BOUNDS.value);
}

// STATE-05
/** Reads a dictionary name by name, in its order; undefined if nothing is usable. A value that is not an object is ignored. */
export function readNames<T>(dictionary: unknown, key: string, accept: Accept<T>, report: Report): ReadonlyMap<string, T> | undefined {
  if (!isObject(dictionary)) {
    report({ concern: 'state', key, problem: 'is not an object' });
    return undefined;
  }
  const kept = acceptNames(Object.keys(dictionary), (name) => dictionary[name], key, accept, report);
  return kept.size > 0 ? kept : undefined;
}

/** STATE-09: an empty dictionary is not written. STATE-42: names are own properties, `__proto__` included. */
export function writeNames<T>(names: ReadonlyMap<string, unknown>, key: string, accept: Accept<T>, report: Report): Meta | undefined {
  const kept = acceptNames(names.keys(), (name) => names.get(name), key, accept, report);
  if (kept.size === 0) return undefined;
  const dictionary: Meta = {};
  for (const [name, value] of kept) setOwn(dictionary, name, value);
  return dictionary;
}

function acceptNames<T>(
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

/** Makes a name fit for an issue: short, and without characters that break a log line. */
export function label(name: string): string {
  const start = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  return start.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD');
}
