/** JSON from outside: not trusted, and with any member name, `__proto__` included. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}
/** A `_meta` object, or any other JSON object with unknown members. */
export type Meta = Record<string, unknown>;

/** No members, for places that need an object. */
export const EMPTY: Meta = Object.freeze({});

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object that a literal or `JSON.parse` makes, also in another realm. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Reads an own property, so that `__proto__` and `constructor` are names like any other. */
export function own(object: JsonObject, name: PropertyKey): Json | undefined;
export function own(object: object, name: PropertyKey): unknown;
export function own(object: object, name: PropertyKey): unknown {
  return Object.hasOwn(object, name) ? (object as Record<PropertyKey, unknown>)[name] : undefined;
}

/** True if the object has no own members. */
export function isEmpty(object: object): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}

/** Sets an own property of any name; a plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** Returns a copy with one member set. */
export function holding(object: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const copy = { ...object };
  setOwn(copy, name, value);
  return copy;
}

/** Returns a copy without these members. */
export function without(object: Meta, names: Iterable<string>): Meta {
  const dropped = new Set(names);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !dropped.has(name)));
}

/** Returns a copy with these members set. The value undefined removes a member. */
export function changed(object: Meta, changes: Meta): Meta {
  return Object.fromEntries(Object.entries({ ...object, ...changes }).filter(([, value]) => value !== undefined));
}

export interface Bounds {
  /** The levels to which arrays and objects may be nested. */
  readonly depth: number;
  /** The number of values (members, elements, scalars) that it may hold in all. */
  readonly values: number;
  /** The number of characters that its strings and names may have in all. */
  readonly characters: number;
}

/** A peer chooses how many members are too large. After this many reports the rest is dropped unread. */
const MAX_DROPPED = 16;
const LONGEST_NAME = 256;

/** The greatest depth that `bounds.depth` may allow: the walk below recurses, and a peer chooses the depth. */
const MAX_DEPTH = 1024;

/** Says why a value is not JSON or is too large to keep; undefined if it is fine. */
export function outOfBounds(value: unknown, bounds: Bounds): string | undefined {
  return walk(value, 0, { values: bounds.values, characters: bounds.characters }, bounds);
}

/** Keeps the members that fit into the bounds together, and reports the others. For an object that is too large as a whole. */
export function membersWithin(object: Meta, bounds: Bounds, dropped: (name: string, problem: string) => void): Meta {
  const kept: Meta = {};
  let left = { values: bounds.values - 1, characters: bounds.characters };
  let told = 0;
  for (const name of Object.keys(object)) {
    const after = { values: left.values, characters: left.characters - name.length };
    const problem = after.characters < 0 ? tooLong(bounds) : walk(object[name], 1, after, bounds);
    if (problem === undefined) {
      setOwn(kept, name, object[name]);
      left = after;
      continue;
    }
    dropped(name.slice(0, LONGEST_NAME), problem);
    if (++told === MAX_DROPPED) break;
  }
  return kept;
}

/** `left` counts down what remains of the bounds. */
function walk(item: unknown, depth: number, left: { values: number; characters: number }, bounds: Bounds): string | undefined {
  if (--left.values < 0) return `holds more than ${bounds.values} values`;
  if (typeof item === 'string') return (left.characters -= item.length) < 0 ? tooLong(bounds) : undefined;
  if (typeof item === 'number') return Number.isFinite(item) ? undefined : 'is not JSON';
  if (typeof item === 'boolean' || item === null) return undefined;
  if (typeof item !== 'object') return 'is not JSON';
  const deepest = Math.min(bounds.depth, MAX_DEPTH);
  if (depth >= deepest) return `is nested deeper than ${deepest}`;
  if (Array.isArray(item)) {
    for (const element of item) {
      const problem = walk(element, depth + 1, left, bounds);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  for (const name in item) {
    if (!Object.hasOwn(item, name)) continue;
    if ((left.characters -= name.length) < 0) return tooLong(bounds);
    const problem = walk((item as Record<string, unknown>)[name], depth + 1, left, bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function tooLong(bounds: Bounds): string {
  return `holds more than ${bounds.characters} characters`;
}
