import { checkNames, quote } from '../check.js';
import { isPlainObject } from '../json.js';
import { isThenable } from '../maybe.js';
import { nearest } from '../nearest.js';
import { PRECISIONS } from '../environment.js';
import { LEVELS, POLICY_FIELDS, type Policy, type PolicyField, type PolicyRules } from './fields.js';
import { checkServer } from './servers.js';

/** A wrong policy would send what it should keep, so every name and level in it is judged. Throws an error that begins with the path. */
export function checkPolicy(policy: unknown, path = 'policy'): asserts policy is Policy {
  checkKnown(policy, ['default', 'servers'], path, 'member');
  const { default: base, servers } = policy;
  if (base !== undefined) checkPolicyRules(base, `${path}.default`);
  if (servers === undefined) return;
  expectPlain(servers, `${path}.servers`);
  for (const [server, rules] of Object.entries(servers)) {
    // The whole name: by it `policyFile` finds the line of a mistake.
    const at = `${path}.servers[${JSON.stringify(server)}]`;
    checkServer(server, at);
    checkPolicyRules(rules, at);
  }
}

/** Judges the rules for one server. */
export function checkPolicyRules(rules: unknown, path: string): asserts rules is PolicyRules {
  checkKnown(rules, POLICY_FIELDS, path, 'field');
  for (const [field, level] of Object.entries(rules)) if (level !== undefined) checkLevel(field as PolicyField, level, `${path}.${field}`);
}

function checkLevel(field: PolicyField, level: unknown, path: string): void {
  if (field === 'baggage' && Array.isArray(level)) {
    const at = level.findIndex((name) => typeof name !== 'string' || name === '');
    if (at >= 0) throw new TypeError(`${path}[${at}]: expected a name that is not empty`);
    return;
  }
  const words = wordsOf(field);
  if (typeof level === 'string' && words.includes(level)) return;
  const others = field === 'baggage' ? ' or a list of names' : '';
  const got = `expected one of ${words.join(', ')}${others}, got ${quote(level)}`;
  const near = typeof level === 'string' ? nearest(level, words) : undefined;
  throw new RangeError(`${path}: ${got}${near === undefined ? '' : `; did you mean ${near}?`}`);
}

/** The levels that a field may have. */
export function wordsOf(field: PolicyField): readonly string[] {
  if (field === 'location') return [...LEVELS, ...PRECISIONS];
  return field === 'capabilities' ? [...LEVELS, 'minimal'] : LEVELS;
}

/** A promise or a Map has no members of its own, so it would be a policy that allows everything (D-35). */
function expectPlain(given: unknown, path: string): asserts given is Record<string, unknown> {
  if (isThenable(given)) throw new TypeError(`${path}: expected an object, got a promise: await it`);
  if (!isPlainObject(given)) throw new TypeError(`${path}: expected an object`);
}

function checkKnown(given: unknown, names: readonly string[], path: string, what: string): asserts given is Record<string, unknown> {
  expectPlain(given, path);
  checkNames(given, names, path, `${path}.`, what);
}
