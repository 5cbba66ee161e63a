import { checkNames, expectFullText, expectOneOf, expects, expectText, type Check } from '../../wire/check.js';
import type { Owner, ItemFilter } from './stateJar.js';

type Filter = ItemFilter & { readonly server?: string };

const MEMBERS: Readonly<Record<keyof Filter, Check>> = {
  principal: expectText,
  server: expectFullText,
  scope: expectOneOf('session', 'server'),
  conversation: expects(
    'a conversation or its id',
    (value) => (typeof value === 'object' && value !== null) || (typeof value === 'string' && value !== ''),
  ),
};

export const OWNER: readonly (keyof Owner)[] = ['principal'];
export const PART: readonly (keyof ItemFilter)[] = ['principal', 'scope', 'conversation'];

/** Throws for a filter that is misspelt or empty by mistake: it would mean everything, and `clear` would forget everything. */
export function checkFilter(call: string, filter: object, members: readonly (keyof Filter)[]): void {
  checkNames(filter, members, `jar.${call}`);
  for (const name of members) {
    const path = `jar.${call}.${name}`;
    if (Object.hasOwn(filter, name)) required(MEMBERS[name], (filter as Filter)[name], path, 'leave it out if it is not needed');
  }
}

/** Checks a required argument. */
export function checkText(call: string, name: 'server' | 'name' | 'id', value: unknown): void {
  required(name === 'name' ? expectText : expectFullText, value, `jar.${call}.${name}`);
}

function required(check: Check, value: unknown, path: string, advice = 'it is missing'): void {
  if (value === undefined) throw new TypeError(`${path}: expected a value; ${advice}`);
  check(value, path);
}
