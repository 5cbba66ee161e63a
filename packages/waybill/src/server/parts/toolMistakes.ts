/** Finds names in the option `tools` that fit nothing. Each is reported as a setup issue, with the name that was probably meant. */
import type { Issue } from '../../wire/issue.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { nearest } from '../../wire/nearest.js';
import type { ServerContextOptions } from '../options.js';

type Tools = NonNullable<ServerContextOptions['tools']>;

/** The capabilities of 2025-11-25 and 2026-07-28, and ours. */
const CAPABILITIES = ['elicitation', 'sampling', 'roots', 'tasks', 'state', 'extensions', 'experimental'];

// CAP-21
/** A newer revision may know more names, so an unknown one is no error. */
export function unknownCapabilities(tools: Tools = {}): readonly Issue[] {
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

function unknownTool(name: string, key: string, offered: ReadonlySet<string>): Issue {
  const near = nearest(name, offered);
  const instead = near === undefined ? 'write the name of a tool that the server registers' : `did you mean ${near}?`;
  return mistake(key, `names ${JSON.stringify(name)}, which is not in the list of tools; ${instead}`);
}

function mistake(key: string, problem: string): Issue {
  return { side: 'setup', concern: 'capabilities', key, problem };
}
