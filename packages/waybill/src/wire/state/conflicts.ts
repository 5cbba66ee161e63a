import type { Report } from '../issue.js';
import { isObject, own, type Json, type Meta } from '../json.js';
import { STATE_CONFLICTS } from '../keys.js';
import type { StateChanges } from '../state.js';
import { eachScope, readNames, unfit, writeNames, type Accept, type StateScope } from './dictionary.js';

// D-08
/** The concurrent values of each name in arrival order. The last one also stands under the state key; `null` is a deletion. */
export interface StateConflicts {
  readonly session?: ReadonlyMap<string, readonly Json[]>;
  readonly server?: ReadonlyMap<string, readonly Json[]>;
}

// D-08
/** The number of concurrent values that a name may have; the oldest are dropped. */
export const MAX_CONFLICTS = 256;

const acceptValues: Accept<readonly Json[]> = (values, complain) => {
  if (!Array.isArray(values)) {
    complain('is not an array');
    return undefined;
  }
  if (values.length > MAX_CONFLICTS) complain(`lists more than ${MAX_CONFLICTS} values; the oldest are lost`);
  const kept = values.slice(-MAX_CONFLICTS).filter((value: unknown): value is Json => {
    const problem = unfit(value);
    if (problem !== undefined) complain(`lists a value that ${problem}`);
    return problem === undefined;
  });
  return kept.length > 0 ? kept : undefined;
};

/** `current`: the values under the state keys. If a list is malformed, only the list is dropped. */
export function readConflicts(meta: Meta, current: StateChanges | undefined, report: Report): StateConflicts | undefined {
  const conflicts = own(meta, STATE_CONFLICTS);
  if (conflicts === undefined) return undefined;
  if (!isObject(conflicts)) {
    report({ concern: 'state', key: STATE_CONFLICTS, problem: 'is not an object' });
    return undefined;
  }
  const read = (scope: StateScope): ReadonlyMap<string, readonly Json[]> | undefined => {
    const names = own(conflicts, scope);
    if (names === undefined) return undefined;
    const accept: Accept<readonly Json[]> = (values, complain, name) => {
      const kept = acceptValues(values, complain, name);
      const currentValue = current?.[scope]?.get(name);
      if (kept === undefined || currentValue === undefined || isSame(kept.at(-1), currentValue)) return kept;
      // Merging such a list would lose the current value, which may be the only one that is valid (D-08, D-13).
      complain('does not end with the current value');
      return undefined;
    };
    return readNames(names, `${STATE_CONFLICTS}.${scope}`, accept, report);
  };
  return eachScope(read);
}

/** Both values come from one message and one writer, so their members have the same order. */
function isSame(one: Json | undefined, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

export function writeConflicts(conflicts: StateConflicts, report: Report): Meta {
  const written = eachScope((scope) => {
    const names = conflicts[scope];
    return names && writeNames(names, `${STATE_CONFLICTS}.${scope}`, acceptValues, report);
  });
  return written ? { [STATE_CONFLICTS]: written } : {};
}
