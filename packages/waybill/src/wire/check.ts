import { isObject, own } from './json.js';

/** How options that a program hands in are judged: what is wrong, as a sentence without its subject, or `undefined`. */
export type Check = (value: unknown) => string | undefined;

export const isFlag: Check = (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false');
export const isRecord: Check = (value) => (isObject(value) ? undefined : 'is not an object');
export const isFunction: Check = (value) => (typeof value === 'function' ? undefined : 'is not a function');

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/** Something with these functions: what a module or another library hands in. `problem`: what it is where it lacks one. */
export function hasFunctions(problem: string, ...names: readonly string[]): Check {
  return (value) => {
    const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    if (typeof given['then'] === 'function') return 'is a promise; await it';
    return names.every((name) => typeof given[name] === 'function') ? undefined : problem;
  };
}

/** Judges every member that is set. One that `checks` does not name, under `prefix`, is `unknown`. */
export function checkMembers(
  members: object,
  checks: Readonly<Record<string, Check>>,
  fail: { unknown(path: string): Error; wrong(path: string, problem: string): Error },
  prefix = '',
): void {
  for (const [name, value] of Object.entries(members) as [string, unknown][]) {
    const path = prefix + name;
    const check = own(checks, path) as Check | undefined;
    if (check === undefined) throw fail.unknown(path);
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) throw fail.wrong(path, problem);
  }
}

/** Options of a call whose values are judged where they are used: a name that is none of them is a slip of the pen. */
export function checkNames(options: unknown, names: readonly string[], call: string): void {
  if (!isObject(options)) throw new TypeError(`${call}: the options are not an object; there are ${names.join(', ')}`);
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray !== undefined) throw new TypeError(`${call}.${stray}: is no option; there are ${names.join(', ')}`);
}
