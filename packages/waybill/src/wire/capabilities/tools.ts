/**
 * What a tool needs of its caller: `requiredCapabilities` in the tool's own `_meta` (CAP-10), and beside it
 * `whenCapabilitiesUnavailable`, considered and not adopted, which D-15 offers as an opt-in: a tool that stands in for another where
 * the caller lacks something. Both come from a server and are not trusted (CAP-23). A malformed annotation is none:
 * the tool is offered, and the check at call time decides (CAP-15).
 */
import type { Report } from '../issue.js';
import { isObject, own, type Json, type JsonObject, type Meta } from '../json.js';
import { REQUIRED_CAPABILITIES, WHEN_CAPABILITIES_UNAVAILABLE } from '../keys.js';
import { checkCapabilities } from './bounds.js';
import { canonicalJson } from './canonical.js';
import { hasCapabilities } from './match.js';

export interface Requirement {
  /** Offered only to a caller that has all of these. */
  readonly required?: JsonObject;
  /** Offered only to a caller that does not have all of these: its better counterpart needs them. */
  readonly unless?: JsonObject;
}

export function readRequirement(tool: unknown, report: Report): Requirement {
  const meta = isObject(tool) ? own(tool, '_meta') : undefined;
  if (!isObject(meta)) return {};
  const required = checkCapabilities(own(meta, REQUIRED_CAPABILITIES), REQUIRED_CAPABILITIES, report);
  const unless = readUnless(meta, report);
  return { ...(required && { required }), ...(unless && { unless }) };
}

/** The tool with its annotation. What its author wrote there already wins; with nothing to add it is the same object. */
export function writeRequirement<Tool extends object>(tool: Tool, requirement: Requirement, report: Report): Tool {
  const found = own(tool, '_meta') ?? {};
  if (!isObject(found)) {
    report({ concern: 'capabilities', key: '_meta', problem: 'is not an object, so nothing can be added to it' });
    return tool;
  }
  const added: Meta = { [REQUIRED_CAPABILITIES]: requirement.required, [WHEN_CAPABILITIES_UNAVAILABLE]: requirement.unless };
  const { required, unless } = readRequirement({ _meta: added }, report);
  const addsRequired = required !== undefined && !Object.hasOwn(found, REQUIRED_CAPABILITIES);
  const addsUnless = unless !== undefined && !Object.hasOwn(found, WHEN_CAPABILITIES_UNAVAILABLE);
  if (required !== undefined && !addsRequired && canonicalJson(required) !== canonicalJson(found[REQUIRED_CAPABILITIES] as Json))
    report({ concern: 'capabilities', key: REQUIRED_CAPABILITIES, problem: 'is another in the tool itself than in the declaration' });
  if (!addsRequired && !addsUnless) return tool;
  const meta: Meta = {
    ...found,
    ...(addsRequired && { [REQUIRED_CAPABILITIES]: required }),
    ...(addsUnless && { [WHEN_CAPABILITIES_UNAVAILABLE]: unless }),
  };
  return { ...tool, _meta: meta };
}

/** Both rules of one tool; every tool is judged by itself, so a stand-in has no stand-in of its own (D-15). */
export function offersTool(requirement: Requirement, declared: JsonObject | undefined): boolean {
  if (requirement.required && !hasCapabilities(requirement.required, declared)) return false;
  return !(requirement.unless && hasCapabilities(requirement.unless, declared));
}

export interface ChooseToolsOptions {
  /** D-15: also hide a stand-in from a caller that can have the real thing. Off by default. */
  readonly substitution?: boolean;
}

/** The tools to offer to a caller with these capabilities, in the order given (BASE-13). */
export function chooseTools<Tool>(
  tools: readonly Tool[],
  declared: JsonObject | undefined,
  report: Report,
  { substitution = false }: ChooseToolsOptions = {},
): Tool[] {
  return tools.filter((tool) => {
    const { unless, ...requirement } = readRequirement(tool, report);
    return offersTool(substitution && unless ? { ...requirement, unless } : requirement, declared);
  });
}

function readUnless(meta: Meta, report: Report): JsonObject | undefined {
  const unless = checkCapabilities(own(meta, WHEN_CAPABILITIES_UNAVAILABLE), WHEN_CAPABILITIES_UNAVAILABLE, report);
  if (unless === undefined || !hasCapabilities(unless, {})) return unless;
  // Everybody has nothing, so by the letter the tool would be hidden from everybody.
  report({ concern: 'capabilities', key: WHEN_CAPABILITIES_UNAVAILABLE, problem: 'names no capability' });
  return undefined;
}
