import { CAPABILITY_BOUNDS } from '../../wire/capabilities/bounds.js';
import type { Requirement } from '../../wire/capabilities.js';
import { isObject, membersWithin, type JsonObject, own, type Meta } from '../../wire/json.js';
import type { ServerContextOptions } from '../options.js';
import type { Issue } from '../../wire/issue.js';
import { nearest } from '../../wire/nearest.js';

type Tools = NonNullable<ServerContextOptions['tools']>;

/** Reads the author's declaration of what each tool needs; errors name the path. */
export function readNeeds(tools: Tools): ReadonlyMap<string, Requirement> {
  const needs = new Map<string, Requirement>();
  const add = (name: string, requirement: Requirement): void => void needs.set(name, { ...needs.get(name), ...requirement });
  for (const [name, { requires, otherwise }] of Object.entries(tools)) {
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
function checkStandIn(tools: Tools, needs: ReadonlyMap<string, Requirement>, name: string, otherwise: unknown): void {
  const path = `tools.${name}.otherwise`;
  if (typeof otherwise !== 'string') throw new TypeError(`${path}: expected the name of a tool`);
  if (otherwise === name) throw new RangeError(`${path}: a tool cannot stand in for itself`);
  if (Object.hasOwn(tools, otherwise) && tools[otherwise]?.otherwise !== undefined)
    throw new RangeError(`${path}: ${otherwise} has its own stand-in; only one level is possible`);
  if (needs.get(otherwise)?.unless !== undefined) throw new RangeError(`${path}: ${otherwise} stands in for another tool already`);
}

/** The capabilities of 2025-11-25 and 2026-07-28, and ours. */
const CAPABILITIES = ['elicitation', 'sampling', 'roots', 'tasks', 'state', 'extensions', 'experimental'];

/** CAP-21: returns an issue for each unknown capability. It is no error, because a newer revision may know more names. */
export function unknownCapabilities(tools: Tools): readonly Issue[] {
  return Object.entries(tools).flatMap(([tool, { requires = {} }]) =>
    Object.keys(requires)
      .filter((name) => !CAPABILITIES.includes(name))
      .map((name) => {
        const near = nearest(name, CAPABILITIES);
        const instead = near === undefined ? 'declare your own under extensions or experimental' : `did you mean ${near}?`;
        return mistake(`tools.${tool}.requires.${name}`, `is no known capability, so few clients declare it; ${instead}`);
      }),
  );
}

/** Reads every page of the tool list until the first list is complete. Then it returns an issue for each name that was in none. */
export function unknownTools(tools: Tools): (result: Meta, params: unknown) => readonly Issue[] {
  const named = new Map<string, string>();
  for (const [tool, { otherwise }] of Object.entries(tools)) {
    if (otherwise !== undefined) named.set(otherwise, `tools.${tool}.otherwise`);
    named.set(tool, `tools.${tool}`);
  }
  const offered = new Set<string>();
  let hasBegun = false;
  let isDone = named.size === 0;
  return (result, params) => {
    if (isDone) return [];
    // Another replica may have served the pages before this one.
    hasBegun ||= !isObject(params) || own(params, 'cursor') === undefined;
    if (!hasBegun) return [];
    for (const tool of Array.isArray(result['tools']) ? result['tools'] : [])
      if (isObject(tool) && typeof tool['name'] === 'string') offered.add(tool['name']);
    if (result['nextCursor'] !== undefined) return [];
    isDone = true;
    return [...named].filter(([name]) => !offered.has(name)).map(([name, key]) => unknownTool(name, key, offered));
  };
}

/** Names the tool that was probably meant. */
function unknownTool(name: string, key: string, offered: ReadonlySet<string>): Issue {
  const near = nearest(name, offered);
  const instead = near === undefined ? 'write the name of a tool that the server registers' : `did you mean ${near}?`;
  return mistake(key, `names ${JSON.stringify(name)}, which is not in the list of tools; ${instead}`);
}

function mistake(key: string, problem: string): Issue {
  return { side: 'setup', concern: 'capabilities', key, problem };
}
