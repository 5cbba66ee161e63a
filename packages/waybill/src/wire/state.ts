/**
 * State: SEP-1655 (an issue, closed as dormant). Like cookies, but JSON and per server: a result sets names under one of two `_meta` keys, one
 * a lifetime (session, server), and every later request to that server carries them back. Additive by name, the whole value
 * overwrites, `null` deletes (STATE-05…07). The keys have four spellings (D-02). Errors and notifications carry none
 * (STATE-02, STATE-10).
 */
import type { Concern, Facet, WireOptions } from './concern.js';
import type { Report } from './issue.js';
import { isObject, own, type Json, type Meta } from './json.js';
import { STATE_CONFLICTS, STATE_SPELLINGS } from './keys.js';
import { readConflicts, writeConflicts, type StateConflicts } from './state/conflicts.js';
import { acceptValue, eachScope, readNames, writeNames, type Accept, type StateScope } from './state/dictionary.js';

export { MAX_CONFLICTS, type StateConflicts } from './state/conflicts.js';
export { eachScope, label, STATE_BOUNDS, type StateScope } from './state/dictionary.js';

// STATE-22
/** The changes of a result, by scope and name: a whole value, or `null` to delete. Both scopes may have the same name. */
export interface StateChanges {
  readonly session?: ReadonlyMap<string, Json>;
  readonly server?: ReadonlyMap<string, Json>;
}

// D-08, STATE-43
/** The values of a request: the stored ones, and concurrent ones that are not merged yet. An attacker may have written them. */
export interface StateValues extends StateChanges {
  readonly conflicts?: StateConflicts;
}

const requestValue = acceptValue(false);
const resultValue = acceptValue(true);

/** D-02: the first spelling present wins; each other one in the same message is an issue. */
function readScope(meta: Meta, scope: StateScope, accept: Accept<Json>, report: Report): ReadonlyMap<string, Json> | undefined {
  let first: string | undefined;
  for (const key of STATE_SPELLINGS[scope]) {
    if (own(meta, key) === undefined) continue;
    if (first === undefined) first = key;
    else report({ concern: 'state', key, problem: `is ignored beside ${first}` });
  }
  return first === undefined ? undefined : readNames(own(meta, first), first, accept, report);
}

function readScopes(meta: Meta, accept: Accept<Json>, report: Report): StateChanges | undefined {
  return eachScope((scope) => readScope(meta, scope, accept, report));
}

function writeScopes(value: StateChanges, accept: Accept<Json>, report: Report, options: WireOptions): Meta {
  const meta: Meta = {};
  for (const scope of ['session', 'server'] as const) {
    const names = value[scope];
    const key = STATE_SPELLINGS[scope][options.stateKeys === 'alias' ? 3 : 0];
    const dictionary = names && writeNames(names, key, accept, report);
    if (dictionary) meta[key] = dictionary;
  }
  return meta;
}

const KEYS: ReadonlySet<string> = new Set([...STATE_SPELLINGS.session, ...STATE_SPELLINGS.server, STATE_CONFLICTS]);

/** Looks at each key that is there: most requests have none of the nine. */
function mentionsState(meta: Meta): boolean {
  for (const key in meta) if (KEYS.has(key)) return true;
  return false;
}

const request: Facet<StateValues> = {
  read(meta: Meta, report: Report): StateValues | undefined {
    if (!mentionsState(meta)) return undefined;
    const scopes = readScopes(meta, requestValue, report);
    const conflicts = readConflicts(meta, scopes, report);
    return conflicts === undefined ? scopes : { ...scopes, conflicts };
  },
  write(value: StateValues, report: Report, options: WireOptions): Meta {
    return { ...writeScopes(value, requestValue, report, options), ...(value.conflicts && writeConflicts(value.conflicts, report)) };
  },
};

const result: Facet<StateChanges> = {
  read: (meta, report) => readScopes(meta, resultValue, report),
  write: (value, report, options) => writeScopes(value, resultValue, report, options),
};

export const state: Concern<StateValues, StateChanges, never, never> & { readonly result: Facet<StateChanges> } = {
  name: 'state',
  keys: () => [...KEYS],
  request,
  result,
};

// STATE-05…07
/** Applies changes. A name is overwritten as a whole, `null` deletes it, and other names stay. */
export function applyState(current: ReadonlyMap<string, Json>, changes: ReadonlyMap<string, Json>): Map<string, Json> {
  const next = new Map(current);
  for (const [name, value] of changes) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

// STATE-13, D-04
/** True if these raw capabilities say that the client keeps state: `state` or `experimental.state`. */
export function declaresState(capabilities: unknown): boolean {
  const member = (object: unknown, name: string): unknown => (isObject(object) ? own(object, name) : undefined);
  return isObject(member(capabilities, 'state')) || isObject(member(member(capabilities, 'experimental'), 'state'));
}
