import type { JsonObject } from '../wire/json.js';
import { callTool, type CallOptions, type CallOutcome } from './call.js';
import type { TestContext } from './context.js';
import type { Target } from './target.js';

/** The values to try for each member of the context. `undefined` makes a call without it. */
export type Axes = { readonly [K in keyof TestContext]?: readonly TestContext[K][] };

export interface Row {
  readonly context: TestContext;
  readonly outcome: CallOutcome;
}

/** Calls the tool under every combination; the last axis changes fastest. The calls run one after the other, since a server may have one connection at a time. */
export async function matrix(target: Target, name: string, args: JsonObject, axes: Axes, options: CallOptions = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for (const context of combinations(axes)) rows.push({ context, outcome: await callTool(target, name, args, context, options) });
  return rows;
}

function combinations(axes: Axes): TestContext[] {
  let contexts: TestContext[] = [{}];
  for (const [axis, values] of Object.entries(axes) as [string, unknown][]) {
    if (!Array.isArray(values) || values.length === 0) throw new RangeError(`matrix.${axis}: expected a list of at least one value`);
    contexts = contexts.flatMap((context) => values.map((value: unknown) => ({ ...context, [axis]: value })));
  }
  return contexts;
}
