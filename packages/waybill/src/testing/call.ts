import type { ServerContext } from '../server/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Message } from '../transport/index.js';
import { checkNames, expectFunction } from '../wire/check.js';
import type { Issue } from '../wire/issue.js';
import { isObject, type Json, type JsonObject, type Meta } from '../wire/json.js';
import { readError, readRequest, readResult, type Context } from '../wire/read.js';
import { applyState, type StateChanges, type StateScope } from '../wire/state.js';
import { checkContext, mapsOf, requestWith, type TestContext, type TestState } from './context.js';
import type { SeenMessage, Link, Respond } from './link.js';
import { openTarget, type Opened, type Target } from './target.js';

/** Options of `callTool`. Those of the wire, such as `environmentKey`, must match the server's. */
export interface CallOptions extends WireOptions {
  /** The server half, for a target that was not passed to `attach` or `http` yet. */
  readonly layer?: ServerContext | undefined;
  /** Answers requests of the server to its client on 2025-11-25, such as `elicitation/create`. Without it they are refused. */
  readonly respond?: Respond | undefined;
}

export interface CallOutcome {
  /** The answer has either `result` or `error`. */
  readonly result?: Meta;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** The language that the answer claims. */
  readonly language: string | undefined;
  /** The state that the answer sets; `null` deletes. */
  readonly changes: Required<TestState>;
  /** The state that a client keeps after the call: pass it as `state` to the next one. */
  readonly state: Required<TestState>;
  /** The issues of the request and of the answer. The server reports its own to its `onIssue`. */
  readonly issues: readonly Issue[];
  /** Every message in order, the handshake included. */
  readonly messages: readonly SeenMessage[];
}

const OPTIONS = ['layer', 'respond', 'wire', 'environmentKey', 'dialects', 'stateKeys'] satisfies (keyof CallOptions)[];

/** Calls one tool on a connection of its own, and closes it. Rejects if the test itself is wrong: no such tool, not a server. */
export async function callTool(
  target: Target,
  name: string,
  args: JsonObject = {},
  context: TestContext = {},
  options: CallOptions = {},
): Promise<CallOutcome> {
  checkContext(context);
  checkNames(options, OPTIONS, 'callTool');
  expectFunction(options.respond, 'callTool.respond');
  const lines: SeenMessage[] = [];
  const issues: Issue[] = [];
  const opened = await openTarget(target, context, options, lines);
  try {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const about = { era: opened.era, declare: !opened.isInitialized };
    const request = requestWith(call, context, about, { ...options, onIssue: (issue) => issues.push(issue) });
    const answer = await opened.link.ask(request);
    const messages = [...lines];
    if (mayBeUnknown(answer)) await requireTool(opened, name, context);
    return outcomeOf(answer, context, [...issues, ...readRequest(request, options).issues], messages);
  } finally {
    await opened.link.close();
  }
}

function outcomeOf(answer: Message, { state = {} }: TestContext, issues: readonly Issue[], messages: readonly SeenMessage[]): CallOutcome {
  const { result, error } = answer as Pick<CallOutcome, 'result' | 'error'>;
  const told: Context<'result'> = error === undefined ? readResult(answer) : readError(answer);
  const set: StateChanges = told.state ?? {};
  const kept = mapsOf(state) ?? {};
  const after = (scope: StateScope): ReadonlyMap<string, Json> => applyState(kept[scope] ?? new Map(), set[scope] ?? new Map());
  return {
    ...(error === undefined ? result && { result } : { error }),
    language: told.language?.text,
    changes: { session: plain(set.session), server: plain(set.server) },
    state: { session: plain(after('session')), server: plain(after('server')) },
    issues: [...issues, ...told.issues],
    messages,
  };
}

const plain = (map: ReadonlyMap<string, Json> | undefined): Record<string, Json> => Object.fromEntries(map ?? []);

/** An unknown tool has no code of its own: both SDKs answer with a general error, or with a result that is one. */
function mayBeUnknown({ result, error }: Message): boolean {
  if (isObject(error)) return error['code'] === -32602 || error['code'] === -32601;
  return isObject(result) && result['isError'] === true;
}

async function requireTool({ link, era, isInitialized }: Opened, name: string, context: TestContext): Promise<void> {
  const names = await toolsOf(link, (message) => requestWith(message, { ...context, meta: undefined }, { era, declare: !isInitialized }));
  if (names === undefined || names.includes(name)) return;
  throw new Error(`callTool: the server lists no tool ${JSON.stringify(name)}; it has ${names.join(', ') || 'none'}`);
}

/** The names of the tools; undefined if the server has no list or more than one page. */
async function toolsOf(link: Link, stamp: (message: Message) => Message): Promise<readonly string[] | undefined> {
  const { result } = await link.ask(stamp({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }));
  if (!isObject(result) || !Array.isArray(result['tools']) || result['nextCursor'] !== undefined) return undefined;
  return result['tools'].map((tool: { name: string }) => tool.name);
}

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
