import { CAPABILITY_BOUNDS } from '../../wire/capabilities/bounds.js';
import type { Requirement } from '../../wire/capabilities.js';
import { isObject, membersWithin, type JsonObject } from '../../wire/json.js';
import type { ServerContextOptions, ToolNeeds } from '../options.js';

/** Reads the author's declaration of what each tool needs; errors name the path. */
export function readNeeds(tools: NonNullable<ServerContextOptions['tools']>): ReadonlyMap<string, Requirement> {
  const needs = new Map<string, Requirement>();
  const add = (name: string, requirement: Requirement): void => void needs.set(name, { ...needs.get(name), ...requirement });
  for (const [name, { requires, otherwise }] of Object.entries(tools as Record<string, ToolNeeds>)) {
    const required = requires === undefined ? undefined : checked(requires, `tools.${name}.requires`);
    if (required !== undefined) add(name, { required });
    if (otherwise === undefined) continue;
    if (required === undefined) throw new TypeError(`tools.${name}.otherwise: needs requires: without it the tool is offered to everybody`);
    checkStandIn(tools, needs, name, otherwise);
    add(otherwise, { unless: required });
  }
  return needs;
}

function checked(requires: unknown, path: string): JsonObject {
  if (!isObject(requires)) throw new TypeError(`${path}: expected an object, such as { elicitation: { form: {} } }`);
  const wrong = (name: string, problem: string): never => {
    throw new TypeError(`${path}.${name}: ${problem}`);
  };
  // A capability is declared as an object, so no declaration would ever meet `true`.
  for (const [name, value] of Object.entries(requires))
    if (!isObject(value)) wrong(name, 'expected an object; use {} to ask for the capability alone');
  return membersWithin(requires, CAPABILITY_BOUNDS, wrong) as JsonObject;
}

/** D-15: one level, and each stand-in replaces one tool: with two tools nobody could say when it is needed. */
function checkStandIn(tools: Record<string, ToolNeeds>, needs: ReadonlyMap<string, Requirement>, name: string, otherwise: unknown): void {
  const path = `tools.${name}.otherwise`;
  if (typeof otherwise !== 'string') throw new TypeError(`${path}: expected the name of a tool`);
  if (otherwise === name) throw new RangeError(`${path}: a tool cannot stand in for itself`);
  if (Object.hasOwn(tools, otherwise) && tools[otherwise]?.otherwise !== undefined)
    throw new RangeError(`${path}: ${otherwise} has its own stand-in; only one level is possible`);
  if (needs.get(otherwise)?.unless !== undefined) throw new RangeError(`${path}: ${otherwise} stands in for another tool already`);
}
