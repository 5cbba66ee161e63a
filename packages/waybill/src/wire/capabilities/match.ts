/**
 * Decides whether declared capabilities cover a requirement, and what is missing (CAP-12, CAP-13, CAP-20…22).
 *
 * A requirement is read member by member, with the same rules at every level, `extensions` included:
 * - an object needs an object that covers each of its members; `{}` and `true` both say no more than "supported";
 * - a list needs a list with all its elements; a text or a number needs an equal one;
 * - `false` and `null` ask for nothing. Declared, they support nothing;
 * - `elicitation` without a mode means `form`, required or declared (BASE-16).
 *
 * Only members of the object itself count, and a member that is not declared is missing: absence never implies support.
 */
import { ContextError, refusals } from '../errors.js';
import { isEmpty, isObject, own, setOwn, type Json, type JsonObject } from '../json.js';
import { CAPABILITY_BOUNDS } from './bounds.js';
import { canonicalJson } from './canonical.js';
import { EXTENSION_ID } from '../keys.js';

const ELICITATION = 'elicitation';
const FORM: JsonObject = Object.freeze({ form: Object.freeze({}) });
const FORM_PATH: readonly string[] = [ELICITATION, 'form'];

// CAP-22
/** The part of the requirement that is not declared, in the shape of the requirement; undefined if nothing is missing. */
export function missingCapabilities(required: JsonObject, declared: JsonObject | undefined): JsonObject | undefined {
  return missingMembers(required, declared ?? {}, 1);
}

export function hasCapabilities(required: JsonObject, declared: JsonObject | undefined): boolean {
  return missingCapabilities(required, declared) === undefined;
}

/** The short way for a requirement that is one path, such as `sampling.tools`: handlers check those on every call. */
export function reaches(required: readonly string[], declared: JsonObject | undefined): boolean {
  const path = required.length === 1 && required[0] === ELICITATION ? FORM_PATH : required;
  let at = declared ?? {};
  for (let depth = 0; depth < path.length; depth++) {
    const given: Json | undefined = own(at, path[depth] as string);
    if (!isSupport(given) || depth >= CAPABILITY_BOUNDS.depth) return false;
    const reached = depth === 0 && path[0] === ELICITATION ? withMode(given) : given;
    at = reached === true ? {} : reached;
  }
  return true;
}

// CAP-03, BASE-03, D-29
/** Refuses a request with exactly what it cannot use, and names declared capabilities that do not help. */
export function requireCapabilities(required: JsonObject, usable: JsonObject | undefined, declared = usable): void {
  const missing = missingCapabilities(required, usable);
  if (missing === undefined) return;
  const paths = pathsIn(missing);
  const unsaid = new Set(pathsIn(missingCapabilities(required, declared) ?? {}));
  const useless = paths.filter((path) => !unsaid.has(path)).join(', ');
  const why = useless === '' ? '' : ` (${useless}: declared, but this connection cannot carry a request back to the client)`;
  const message = `${refusals['missing-capability'].message}: ${paths.join(', ')}${why}`;
  throw new ContextError('missing-capability', { requiredCapabilities: missing }, { message });
}

/** Writes missing capabilities as a program names them: `sampling.tools`. */
function pathsIn(missing: JsonObject): string[] {
  return Object.entries(missing).flatMap(([name, part]) =>
    isObject(part) && !isEmpty(part) ? pathsIn(part).map((path) => `${name}.${path}`) : [name],
  );
}

function missingMembers(required: JsonObject, declared: JsonObject, depth: number): JsonObject | undefined {
  let missing: JsonObject | undefined;
  for (const name in required) {
    if (!Object.hasOwn(required, name)) continue;
    const wanted = required[name] as Json;
    const given = own(declared, name);
    const modes = depth === 1 && name === ELICITATION && isSupport(given);
    const rest = modes ? missingPart(withMode(wanted), withMode(given), depth) : missingPart(wanted, given, depth);
    if (rest !== undefined) setOwn((missing ??= {}), name, rest);
  }
  return missing;
}

/** The missing part of one value: all of it, or only the missing members if both are objects. */
function missingPart(wanted: Json, given: Json | undefined, depth: number): Json | undefined {
  if (wanted === false || wanted === null) return undefined;
  if (wanted === true) return isSupport(given) ? undefined : wanted;
  if (Array.isArray(wanted)) return Array.isArray(given) && holdsAll(given, wanted) ? undefined : wanted;
  if (!isObject(wanted)) return wanted === given ? undefined : wanted;
  // Beyond the bounds everything counts as missing: a peer chooses the depth, and this recurses (CAP-23).
  if (!isSupport(given) || depth > CAPABILITY_BOUNDS.depth) return wanted;
  return missingMembers(wanted, given === true ? {} : given, depth + 1);
}

function isSupport(value: Json | undefined): value is true | JsonObject {
  return value === true || isObject(value);
}

/** CAP-20: `{}` and `true` stand for the form mode. */
function withMode<T extends Json>(value: T): T | JsonObject {
  return value === true || (isObject(value) && isEmpty(value)) ? FORM : value;
}

function holdsAll(given: readonly Json[], wanted: readonly Json[]): boolean {
  const texts = new Set(given.map(canonicalJson));
  return wanted.every((element) => texts.has(canonicalJson(element)));
}

/** Joins what several tools need. */
export function joinRequirements(requirements: Iterable<JsonObject>): JsonObject {
  const all: JsonObject = {};
  for (const required of requirements) join(all, required, 1);
  return all;
}

function join(into: JsonObject, required: JsonObject, depth: number): void {
  for (const [name, value] of Object.entries(required)) {
    if (value === false || value === null) continue;
    const known = own(into, name);
    const members = depth === 1 && name === ELICITATION ? withMode(value) : value;
    if (!isObject(members) || depth > CAPABILITY_BOUNDS.depth) setOwn(into, name, isObject(known) ? known : members);
    else {
      const inner: JsonObject = isObject(known) ? known : {};
      setOwn(into, name, inner);
      join(inner, members, depth + 1);
    }
  }
}

// D-16
/** The part of a declaration that is needed. State and this layer's own extension stay: other fields of a policy govern those. */
export function leastCapabilities(declared: JsonObject, needed: JsonObject): JsonObject {
  const least = common(declared, needed, 1);
  const state = own(declared, 'state');
  if (state !== undefined) least['state'] = state;
  keepInner(least, 'experimental', 'state', own(declared, 'experimental'));
  keepInner(least, 'extensions', EXTENSION_ID, own(declared, 'extensions'));
  return least;
}

function keepInner(least: JsonObject, name: string, member: string, declared: Json | undefined): void {
  const value = isObject(declared) ? own(declared, member) : undefined;
  if (value === undefined) return;
  const found = own(least, name);
  least[name] = { ...(isObject(found) ? found : {}), [member]: value };
}

function common(declared: JsonObject, needed: JsonObject, depth: number): JsonObject {
  const least: JsonObject = {};
  for (const name of Object.keys(needed)) {
    const isElicitation = depth === 1 && name === ELICITATION;
    const required = own(needed, name) as Json;
    const wanted = isElicitation ? withMode(required) : required;
    const found = own(declared, name);
    const given = isElicitation && found !== undefined ? withMode(found) : found;
    if (given === undefined || wanted === false || wanted === null) continue;
    const part = isObject(given) && isObject(wanted) && depth <= CAPABILITY_BOUNDS.depth ? common(given, wanted, depth + 1) : given;
    // Without a mode it would say `form`, which was not declared.
    if (isElicitation && isObject(part) && isEmpty(part)) continue;
    setOwn(least, name, part);
  }
  return least;
}
