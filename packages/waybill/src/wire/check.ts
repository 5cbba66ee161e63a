import type { WireOptions } from './concern.js';
import { isObject } from './json.js';
import { isThenable } from './maybe.js';
import { isMetaKey } from './meta.js';
import { nearest } from './nearest.js';

/**
 * Checks of options: every room checks what a program hands in with these. A check throws a TypeError or RangeError whose message begins
 * with the path: `limits.size: expected a positive integer`. It accepts `undefined`, which means that the option is not set.
 */
export type Check = (value: unknown, path: string) => void;
export type Checks = Readonly<Record<string, Check>>;

/** Makes a check from a predicate. `what` completes the sentence "expected …". A RangeError also shows the value. */
export function expects(
  what: string,
  isRight: (value: unknown) => boolean,
  Fault: typeof TypeError | typeof RangeError = TypeError,
): Check {
  return (value, path) => {
    if (value === undefined || isRight(value)) return;
    const got = isThenable(value) ? ', got a promise: await it' : Fault === RangeError ? `, got ${quote(value)}` : '';
    throw new Fault(`${path}: expected ${what}${got}`);
  };
}

export const expectFlag = expects('true or false', (value) => typeof value === 'boolean');
export const expectFunction = expects('a function', (value) => typeof value === 'function');
export const expectList = expects('a list', Array.isArray);
export const expectObject = expects('an object', isObject);
export const expectText = expects('a text', (value) => typeof value === 'string');
export const expectFullText = expects('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const expectPositive = expects('a positive integer', (value) => Number.isSafeInteger(value) && (value as number) > 0, RangeError);
/** Timers of JavaScript fire at once if they are set for longer. */
export const LONGEST_TIMER = 2 ** 31 - 1;
export const expectMilliseconds = expects(
  `a number of milliseconds from 0 to ${LONGEST_TIMER}`,
  (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER,
  RangeError,
);
export const expectTimeout = expects(
  `a number of milliseconds above 0, at most ${LONGEST_TIMER}`,
  (value) => typeof value === 'number' && value > 0 && value <= LONGEST_TIMER,
  RangeError,
);
export const expectTexts = expects('a list of texts', isTexts);
export const expectStorage = expectMethods('an AsyncLocalStorage', 'run', 'getStore');

/** D-35: a member that is present and `undefined` is most likely a misspelt name. If it meant "no principal", all users would share one. */
export const expectPrincipal: Check = (value, path) => {
  if (value === null || (typeof value === 'string' && value !== '')) return;
  throw new TypeError(`${path}: expected a text that is not empty, or null for no particular user`);
};

export function expectOneOf(...values: readonly unknown[]): Check {
  return expects(`one of ${values.map(String).join(', ')}`, (value) => values.includes(value), RangeError);
}

/** Expects an object with these functions, from a module or another library. */
export function expectMethods(what: string, ...names: readonly string[]): Check {
  return expects(what, (value) => {
    const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    return !isThenable(given) && names.every((name) => typeof given[name] === 'function');
  });
}

/** Checks every member of an object. A member without a check is unknown. `prefix` stands before the name of each member in messages. */
export function checkMembers(given: unknown, checks: Checks, path: string, prefix = `${path}.`): void {
  checkNames(given, Object.keys(checks), path, prefix);
  for (const [name, value] of Object.entries(given)) checks[name]?.(value, prefix + name);
}

/** The same as a check, for options inside options. */
export function expectMembers(checks: Checks): Check {
  return (value, path) => {
    if (value !== undefined) checkMembers(value, checks, path);
  };
}

/**
 * Checks only the names, for options whose values are checked elsewhere. A misspelt name would be ignored silently, so it is an error.
 * `what`: the word for one name in messages.
 */
export function checkNames(
  given: unknown,
  names: readonly string[],
  path: string,
  prefix = `${path}.`,
  what = 'option',
): asserts given is object {
  if (!isObject(given)) throw new TypeError(`${path}: expected an object`);
  const stray = Object.keys(given).find((name) => !names.includes(name));
  if (stray === undefined) return;
  const near = nearest(stray, names);
  const advice = near === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${near}?`;
  throw new TypeError(`${prefix}${stray}: unknown ${what}; ${advice}`);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/** Shows a value in a message to the programmer: short, and on one line. */
export function quote(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return `a value of type ${typeof value}`;
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}

/** The checks of the options that both halves take for the wire. */
export const WIRE_CHECKS: Readonly<Record<keyof WireOptions, Check>> = {
  wire: expectOneOf('current', 'seed'),
  environmentKey: expects('a valid _meta key', (value) => typeof value === 'string' && isMetaKey(value), RangeError),
  dialects: expects("a list of 'openai'", (value) => Array.isArray(value) && value.every((name) => name === 'openai')),
  stateKeys: expectOneOf('seed', 'alias'),
};

/** Returns the options for the wire among others, without those that are not set. */
export function wireIn(options: WireOptions): WireOptions {
  const names = Object.keys(WIRE_CHECKS) as (keyof WireOptions)[];
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}
