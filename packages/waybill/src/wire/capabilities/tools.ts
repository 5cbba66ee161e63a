/**
 * The capabilities that a tool needs of its caller: `requiredCapabilities` in the tool's own `_meta` (CAP-10), and beside it
 * `whenCapabilitiesUnavailable`, which was considered and not adopted; D-15 offers it as an opt-in. It marks a tool that replaces another
 * one if the caller lacks something. Both come from a server and are not trusted (CAP-23). A malformed annotation is ignored: the tool is
 * offered, and the check at call time decides (CAP-15).
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

/** Returns the tool with its annotation, or the same object if there is nothing to add. An annotation by the author wins. */
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
    report({ concern: 'capabilities', key: REQUIRED_CAPABILITIES, problem: 'differs between the tool and the declaration' });
  if (!addsRequired && !addsUnless) return tool;
  const meta: Meta = {
    ...found,
    ...(addsRequired && { [REQUIRED_CAPABILITIES]: required }),
    ...(addsUnless && { [WHEN_CAPABILITIES_UNAVAILABLE]: unless }),
  };
  return { ...tool, _meta: meta };
}

// D-15
/** Applies both rules to one tool. Each tool is judged by itself, so a replacement has no replacement of its own. */
export function offersTool(requirement: Requirement, declared: JsonObject | undefined): boolean {
  if (requirement.required && !hasCapabilities(requirement.required, declared)) return false;
  return !(requirement.unless && hasCapabilities(requirement.unless, declared));
}

export interface ChooseToolsOptions {
  /** Hides a replacement from a caller that can use the tool it replaces. Off by default. */
  readonly substitution?: boolean;
}

// BASE-13
/** Chooses the tools to offer to a caller with these capabilities, in their order. */
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
  // Every caller meets an empty requirement, so the tool would be hidden from everybody.
  report({ concern: 'capabilities', key: WHEN_CAPABILITIES_UNAVAILABLE, problem: 'names no capability' });
  return undefined;
}
