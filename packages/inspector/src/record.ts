/** Recorded calls, in the form that `waybill call --record` writes and `waybill replay` reads. */
import { keysOf, readRequest } from 'waybill/adapter';
import { differingPaths } from '../../cli/src/differences.js';
import type { LoggedExchange, PageContext, Place } from '../../cli/src/inspect/protocol.js';
import { jsonIn } from './Json.js';
import { type CallOptions, send, switches, target } from './model.js';
import { t } from './texts.js';

const METHODS = ['tools/call', 'resources/read', 'prompts/get'];

interface GivenAnswer {
  readonly action: string;
  readonly content?: object;
}

interface CallRecord {
  readonly record: 1;
  readonly revision: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly request: { readonly method: string; readonly params: Record<string, unknown> };
  readonly answers: readonly GivenAnswer[];
  readonly result: unknown;
  readonly redacted: readonly string[];
}

/** The record of a call, or nothing if the task is not a call, has no result, or waits for the user's answer. `all`: the exchanges that it is one of. */
export function recordOf(exchange: LoggedExchange, all: readonly LoggedExchange[]): CallRecord | undefined {
  const { method, request, hop } = exchange;
  const result = resultOf(exchange);
  if (!METHODS.includes(method) || result === undefined || hop !== undefined || result.resultType === 'input_required') return undefined;
  const { _meta, inputResponses: _, requestState: __, ...params } = paramsOf(exchange);
  const { language, environment, capabilities } = readRequest(request, { onIssue: () => undefined });
  const { now, ...places } = environment ?? {};
  const context = {
    ...places,
    ...(language && { language: language.text }),
    ...(now && { now: now.text }),
    capabilities: capabilities ?? {},
  };
  const revision = target.value?.revision ?? 'auto';
  return {
    record: 1,
    revision,
    context,
    request: { method, params },
    answers: answersOf(exchange, all),
    result: comparable(result),
    redacted: ['headers', 'trace', 'state'],
  };
}

interface Params extends Record<string, unknown> {
  readonly inputResponses?: Readonly<Record<string, GivenAnswer>>;
  readonly requestState?: string;
}
interface Result {
  readonly resultType?: string;
  readonly requestState?: string;
}

const paramsOf = ({ request }: LoggedExchange): Params => (request as { params?: Params }).params ?? {};
const resultOf = ({ answer }: LoggedExchange): Result | undefined => (answer as { result?: Result } | undefined)?.result;

/**
 * The answers of the user during a call. On 2026-07-28 each round repeats the request with its answers, and names the round before by its
 * state; on 2025-11-25 the server asks while the call waits.
 */
export function answersOf(call: LoggedExchange, all: readonly LoggedExchange[]): GivenAnswer[] {
  const { inputResponses, requestState } = paramsOf(call);
  const before =
    inputResponses === undefined
      ? undefined
      : all.findLast((one) => one.number < call.number && one.method === call.method && resultOf(one)?.requestState === requestState);
  const earlier = before === undefined ? [] : answersOf(before, all);
  const end = call.at + (call.ms ?? 0);
  const asked = all.filter(({ askedBy, at }) => askedBy === 'them' && at >= call.at && at <= end);
  const given = asked.flatMap((one) => (one.method === 'elicitation/create' ? [resultOf(one) as GivenAnswer | undefined] : []));
  return [...earlier, ...Object.values(inputResponses ?? {}), ...given].flatMap((one) =>
    typeof one?.action === 'string' ? [bare(one)] : [],
  );
}

/** Without the metadata of its message. */
const bare = ({ action, content }: GivenAnswer): GivenAnswer => ({ action, ...(content !== undefined && { content }) });

/** Hands the user a file. */
export function save(name: string, content: unknown): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Repeats a record on the current target, never on one that the file names. Returns the paths at which the answers differ. */
export async function replay(text: string): Promise<readonly string[]> {
  const { record, context, request, answers = [], result } = (jsonIn(text) ?? {}) as Partial<CallRecord>;
  if (record !== 1 || context === undefined || request === undefined || !METHODS.includes(request.method))
    throw new Error(t('replay.notRecord'));
  const answer = await send(request.method, request.params, { context: pageContext(context), alone: true, answers, ...stateOf(context) });
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return differingPaths([result, comparable(answer.result)]);
}

/** A file made with `--with-state` has the state that the call carried. */
const stateOf = ({ state }: Readonly<Record<string, unknown>>): Pick<CallOptions, 'state'> =>
  typeof state === 'object' && state !== null ? { state } : {};

function pageContext(context: Readonly<Record<string, unknown>>): PageContext {
  const { language, timezone, locale, now, location, capabilities } = context as Record<string, string | undefined> & {
    location?: Place;
    capabilities?: Record<string, Record<string, unknown> | undefined>;
  };
  const has = (path: string): boolean => {
    const [name = '', inner] = path.split('.');
    const found = capabilities?.[name];
    return found !== undefined && (inner === undefined || inner in found);
  };
  return {
    ...(language !== undefined && { language }),
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
    ...(now !== undefined && { now }),
    ...(location !== undefined && { place: { ...location, precision: precisionOf(location) } }),
    capabilities: switches.value.filter(has),
    trace: 'off',
  };
}

const precisionOf = ({ coordinates, city, region }: Partial<Place>): Place['precision'] =>
  coordinates !== undefined ? 'coordinates' : city !== undefined ? 'city' : region !== undefined ? 'region' : 'country';

/** A result as the SDK hands it on: without the envelope, and without state and trace, which differ from call to call. */
function comparable(result: unknown): unknown {
  const { _meta, resultType: _, ...rest } = result as { _meta?: Record<string, unknown>; resultType?: string };
  const dropped = keysOf(['state', 'trace']);
  const kept = Object.entries(_meta ?? {}).filter(([key]) => !dropped.has(key));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
