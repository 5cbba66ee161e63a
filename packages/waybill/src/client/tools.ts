import { hasCapabilities, missingCapabilities, readRequirement, type Requirement } from '../wire/capabilities.js';
import type { Report } from '../wire/issue.js';
import { isObject, own, type Json, type JsonObject, type Meta } from '../wire/json.js';
import { UNAVAILABLE } from '../wire/keys.js';

export type Unmet = 'filter' | 'disable' | 'allow';

interface OfferOptions {
  readonly unmet: Unmet;
  readonly substitution: boolean;
  readonly report: Report;
}

/**
 * CAP-12…14, D-15: changes one page of tools to what the client offers; returns the same array if nothing changes. Annotations come from a
 * server and are bounded (CAP-23).
 */
export function offer(
  tools: readonly unknown[],
  declared: JsonObject | undefined,
  { unmet, substitution, report }: OfferOptions,
  learn: (name: string, requirement: Requirement) => void,
): readonly unknown[] {
  const offered: unknown[] = [];
  let changed = false;
  for (const listed of tools) {
    const tool = ours(listed, report);
    const requirement = readRequirement(tool, report);
    const name = isObject(tool) ? own(tool, 'name') : undefined;
    if (typeof name === 'string') learn(name, requirement);
    const missing = requirement.required && missingCapabilities(requirement.required, declared);
    const replaced = substitution && requirement.unless !== undefined && hasCapabilities(requirement.unless, declared);
    const kept = !replaced && !(missing !== undefined && unmet === 'filter');
    const shown = missing !== undefined && unmet === 'disable' ? disabled(tool as Meta, missing) : tool;
    if (kept) offered.push(shown);
    changed ||= !kept || shown !== listed;
  }
  return changed ? offered : tools;
}

/** Removes a reason that a server wrote: only the layer writes one, and it never crosses the wire. */
function ours(tool: unknown, report: Report): unknown {
  const meta = isObject(tool) ? own(tool, '_meta') : undefined;
  if (!isObject(tool) || !isObject(meta) || !Object.hasOwn(meta, UNAVAILABLE)) return tool;
  report({ concern: 'capabilities', key: UNAVAILABLE, problem: 'may only be written by the layer' });
  const { [UNAVAILABLE]: _, ...rest } = meta;
  return { ...tool, _meta: rest };
}

function disabled(tool: Meta, missing: JsonObject): Meta {
  return { ...tool, _meta: { ...(tool['_meta'] as Meta), [UNAVAILABLE]: { reason: describe(missing), missing } } };
}

const MAX_NAMES = 8;

/** Says for people what a tool lacks: `needs sampling.tools and roots`. */
export function describe(missing: JsonObject): string {
  const names: string[] = [];
  const todo: [path: string, value: Json][] = [['', missing]];
  for (let next = todo.shift(); next !== undefined && names.length < MAX_NAMES; next = todo.shift()) {
    const [path, value] = next;
    const members = isObject(value) ? Object.entries(value) : [];
    if (members.length === 0) names.push(path);
    for (const [name, inner] of members) todo.push([path === '' ? name : `${path}.${name}`, inner]);
  }
  return `needs ${names.join(' and ')}${todo.length > 0 ? ' and more' : ''}, which this client did not declare`;
}
