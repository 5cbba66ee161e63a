import { isObject } from '../wire/json.js';

/** What each member of an object may be, by its name. Each throws an error that begins with the path. */
export type Checks = Readonly<Record<string, (value: unknown, path: string) => void>>;

/** Judges every member that is there; one that is not named is a slip of the pen. `prefix` ends with a dot. */
export function check(given: unknown, checks: Checks, what: string, prefix = ''): void {
  if (!isObject(given)) throw new TypeError(`${prefix && `${prefix.slice(0, -1)}: `}expected an object`);
  for (const [name, value] of Object.entries(given)) {
    const one = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (one === undefined) throw new TypeError(`${prefix}${name}: is not ${what}; there are ${Object.keys(checks).join(', ')}`);
    one(value, prefix + name);
  }
}

/** For options whose values are judged elsewhere. */
export function onlyNames(given: object, names: readonly string[], path: string, what = 'an option'): void {
  const stray = Object.keys(given).find((name) => !names.includes(name));
  if (stray !== undefined) throw new TypeError(`${path}.${stray}: is not ${what}; there are ${names.join(', ')}`);
}

export function text(value: unknown, path: string): void {
  if (value !== undefined && typeof value !== 'string') throw new TypeError(`${path}: expected a text`);
}

export function fullText(value: unknown, path: string): void {
  if (value !== undefined && (typeof value !== 'string' || value === '')) throw new TypeError(`${path}: expected a text that is not empty`);
}

/** D-35: a member that is there and is `undefined` is most likely a misspelt name; taken for nobody, all users would be one. */
export function principal(value: unknown, path: string): void {
  if (value === null || (typeof value === 'string' && value !== '')) return;
  throw new TypeError(`${path}: expected a text that is not empty, or null for nobody in particular`);
}

export function object(value: unknown, path: string): void {
  if (value !== undefined && !isObject(value)) throw new TypeError(`${path}: expected an object`);
}

export function functionOrNothing(value: unknown, path: string): void {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`${path}: expected a function`);
}

export function oneOf(...values: readonly unknown[]): (value: unknown, path: string) => void {
  return (value, path) => {
    if (value !== undefined && !values.includes(value)) throw new TypeError(`${path}: expected one of ${values.map(String).join(', ')}`);
  };
}
