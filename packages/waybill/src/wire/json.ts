/** JSON as it arrives: never trusted, never assumed to have a prototype we like. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}
/** A `_meta` object, or any JSON object of which we only know that it is one. */
export type Meta = Record<string, unknown>;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property of the object itself: `__proto__` and `constructor` are names like any other. */
export function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own property whatever its name; a plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

export interface Bounds {
  /** How deep arrays and objects may nest. */
  readonly depth: number;
  /** How many values (members, elements, scalars) it may hold in all. */
  readonly values: number;
  /** How many characters its strings and names may have in all. */
  readonly characters: number;
}

/** Why a value is not JSON or is too large to keep, or `undefined`. No recursion: a peer chooses the depth. */
export function outOfBounds(value: unknown, bounds: Bounds): string | undefined {
  let values = 0;
  let characters = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > bounds.depth) return `is nested deeper than ${bounds.depth}`;
    values += level.length;
    if (values > bounds.values) return `holds more than ${bounds.values} values`;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'string') characters += item.length;
      else if (typeof item === 'object' && item !== null) {
        if (Array.isArray(item)) for (const element of item) next.push(element);
        else
          for (const name of Object.keys(item)) {
            characters += name.length;
            next.push((item as Record<string, unknown>)[name]);
          }
      } else if (typeof item !== 'boolean' && item !== null && !(typeof item === 'number' && Number.isFinite(item))) return 'is not JSON';
      if (characters > bounds.characters) return `holds more than ${bounds.characters} characters`;
    }
    level = next;
  }
  return undefined;
}
