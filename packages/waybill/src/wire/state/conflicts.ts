import type { Report } from '../issue.js';
import { isObject, own, type Json, type Meta } from '../json.js';
import { STATE_CONFLICTS } from '../keys.js';
import { readNames, unfit, writeNames, type Accept } from './dictionary.js';

/** D-08: for each name the concurrent values in arrival order; the last is the one under the state key. `null` is a deletion. */
export interface StateConflicts {
  readonly session?: ReadonlyMap<string, readonly Json[]>;
  readonly server?: ReadonlyMap<string, readonly Json[]>;
}

/** D-08: beyond it the oldest goes. */
export const MOST_CONFLICTS = 256;

const acceptValues: Accept<readonly Json[]> = (values, complain) => {
  if (!Array.isArray(values)) {
    complain('is not an array');
    return undefined;
  }
  if (values.length > MOST_CONFLICTS) complain(`lists more than ${MOST_CONFLICTS} values; the oldest are lost`);
  const kept = values.slice(-MOST_CONFLICTS).filter((value: unknown): value is Json => {
    const problem = unfit(value);
    if (problem !== undefined) complain(`lists a value that ${problem}`);
    return problem === undefined;
  });
  return kept.length > 0 ? kept : undefined;
};

export function readConflicts(meta: Meta, report: Report): StateConflicts | undefined {
  const conflicts = own(meta, STATE_CONFLICTS);
  if (conflicts === undefined) return undefined;
  if (!isObject(conflicts)) {
    report({ concern: 'state', key: STATE_CONFLICTS, problem: 'is not an object' });
    return undefined;
  }
  const read = (scope: 'session' | 'server'): ReadonlyMap<string, readonly Json[]> | undefined => {
    const names = own(conflicts, scope);
    return names === undefined ? undefined : readNames(names, `${STATE_CONFLICTS}.${scope}`, acceptValues, report);
  };
  const session = read('session');
  const server = read('server');
  return session || server ? { ...(session && { session }), ...(server && { server }) } : undefined;
}

export function writeConflicts(conflicts: StateConflicts, report: Report): Meta {
  const session = conflicts.session && writeNames(conflicts.session, `${STATE_CONFLICTS}.session`, acceptValues, report);
  const server = conflicts.server && writeNames(conflicts.server, `${STATE_CONFLICTS}.server`, acceptValues, report);
  return session || server ? { [STATE_CONFLICTS]: { ...(session && { session }), ...(server && { server }) } } : {};
}
