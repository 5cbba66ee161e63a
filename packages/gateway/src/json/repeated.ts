/** Names that stand twice in one object. `JSON.parse` takes the last value, other readers take the first. */
import { skipBlanks, skipString, skipValue } from './spans.js';
import { isObject } from './values.js';

/**
 * True if an object on this path has two members of one name. The text must be that of the value. Rules judge the parsed value, so an upstream
 * that takes the first one would get what no rule has seen.
 */
export function hasRepeatedNames(text: string, value: unknown, path: readonly string[]): boolean {
  let at = skipBlanks(text, 0);
  let holder = value;
  for (let depth = 0; isObject(holder); depth++) {
    const name = path[depth];
    const found = membersAt(text, at, name);
    if (found.count !== Object.keys(holder).length) return true;
    if (name === undefined || found.value === undefined) return false;
    at = found.value;
    holder = holder[name];
  }
  return false;
}

/** Counts the members of the object that begins at `at`, and finds the value of one. */
function membersAt(text: string, at: number, name: string | undefined): { readonly count: number; readonly value: number | undefined } {
  let count = 0;
  let found: number | undefined;
  for (let next = skipBlanks(text, at + 1); text[next] === '"'; count++) {
    const nameEnd = skipString(text, next);
    const value = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    if (name !== undefined && JSON.parse(text.slice(next, nameEnd)) === name) found = value;
    next = skipBlanks(text, skipValue(text, value));
    if (text[next] === ',') next = skipBlanks(text, next + 1);
  }
  return { count, value: found };
}
