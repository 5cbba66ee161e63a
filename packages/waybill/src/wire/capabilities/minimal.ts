import { isEmpty, isObject, own, setOwn, type Json, type JsonObject } from '../json.js';
import { EXTENSION_ID } from '../keys.js';
import { CAPABILITY_BOUNDS } from './bounds.js';

/** Joins what several tools need. */
export function joinRequirements(requirements: Iterable<JsonObject>): JsonObject {
  const all: JsonObject = {};
  for (const required of requirements) join(all, required, 1);
  return all;
}

function join(into: JsonObject, required: JsonObject, depth: number): void {
  for (const [name, value] of Object.entries(required)) {
    if (value === false || value === null) continue;
    const known = own(into, name) as Json | undefined;
    const members = depth === 1 && name === 'elicitation' ? withMode(value) : value;
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
  const [state, experimental] = [own(declared, 'state') as Json | undefined, own(declared, 'experimental') as Json | undefined];
  if (state !== undefined) least['state'] = state;
  keepInner(least, 'experimental', 'state', experimental);
  keepInner(least, 'extensions', EXTENSION_ID, own(declared, 'extensions') as Json | undefined);
  return least;
}

function keepInner(least: JsonObject, name: string, member: string, declared: Json | undefined): void {
  const value = isObject(declared) ? (own(declared, member) as Json | undefined) : undefined;
  if (value === undefined) return;
  const found = own(least, name) as Json | undefined;
  least[name] = { ...(isObject(found) ? found : {}), [member]: value };
}

function common(declared: JsonObject, needed: JsonObject, depth: number): JsonObject {
  const least: JsonObject = {};
  for (const name of Object.keys(needed)) {
    const isElicitation = depth === 1 && name === 'elicitation';
    const required = own(needed, name) as Json;
    const wanted = isElicitation ? withMode(required) : required;
    const found = own(declared, name) as Json | undefined;
    const given = isElicitation && found !== undefined ? withMode(found) : found;
    if (given === undefined || wanted === false || wanted === null) continue;
    const part = isObject(given) && isObject(wanted) && depth <= CAPABILITY_BOUNDS.depth ? common(given, wanted, depth + 1) : given;
    // Without a mode it would say `form`, which was not declared.
    if (isElicitation && isObject(part) && isEmpty(part)) continue;
    setOwn(least, name, part);
  }
  return least;
}

/** CAP-20: `{}` and `true` stand for the form mode. */
function withMode(value: Json): Json {
  return value === true || (isObject(value) && isEmpty(value)) ? { form: {} } : value;
}
