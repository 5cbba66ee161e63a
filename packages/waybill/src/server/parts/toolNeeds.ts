import { CAPABILITY_BOUNDS } from '../../wire/capabilities/bounds.js';
import type { Requirement } from '../../wire/capabilities.js';
import { isObject, membersWithin, type JsonObject } from '../../wire/json.js';
import type { ServerContextOptions, ToolNeeds } from '../options.js';

/** What each tool is annotated with and checked for, from the author's declaration; wrong ones are named by their path. */
export function readNeeds(tools: NonNullable<ServerContextOptions['tools']>): ReadonlyMap<string, Requirement> {
  const needs = new Map<string, Requirement>();
  const add = (name: string, requirement: Requirement): void => void needs.set(name, { ...needs.get(name), ...requirement });
  for (const [name, { requires, otherwise }] of Object.entries(tools as Record<string, ToolNeeds>)) {
    const required = requires === undefined ? undefined : checked(requires, `tools.${name}.requires`);
    if (required !== undefined) add(name, { required });
    if (otherwise === undefined) continue;
    if (required === undefined)
      throw new TypeError(`tools.${name}.otherwise: expected requires beside it, since there is nothing to stand in for without`);
    checkStandIn(tools, needs, name, otherwise);
    add(otherwise, { unless: required });
  }
  return needs;
}

function checked(requires: unknown, path: string): JsonObject {
  if (!isObject(requires)) throw new TypeError(`${path}: expected an object such as { elicitation: { form: {} } }`);
  const wrong = (name: string, problem: string): never => {
    throw new TypeError(`${path}.${name}: ${problem}`);
  };
  // A capability is declared by an object; beside `true` no declaration would ever reach it.
  for (const [name, value] of Object.entries(requires))
    if (!isObject(value)) wrong(name, 'expected an object; {} asks for it without more');
  return membersWithin(requires, CAPABILITY_BOUNDS, wrong) as JsonObject;
}

/** D-15: one level, and one tool to stand in for: with two of them nobody could say when it is needed. */
function checkStandIn(tools: Record<string, ToolNeeds>, needs: ReadonlyMap<string, Requirement>, name: string, otherwise: unknown): void {
  const path = `tools.${name}.otherwise`;
  if (typeof otherwise !== 'string') throw new TypeError(`${path}: expected the name of a tool`);
  if (otherwise === name) throw new RangeError(`${path}: expected another tool than itself`);
  if (Object.hasOwn(tools, otherwise) && tools[otherwise]?.otherwise !== undefined)
    throw new RangeError(`${path}: ${otherwise} has a stand-in of its own; there is one level only`);
  if (needs.get(otherwise)?.unless !== undefined) throw new RangeError(`${path}: ${otherwise} stands in for another tool already`);
}
