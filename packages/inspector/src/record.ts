/** Recorded calls: a call of the page as a file, and a file as a call. */
import { differingPaths } from '../../cli/src/differences.js';
import type { LoggedExchange, PageContext, Place } from '../../cli/src/inspect/protocol.js';
import {
  type Answer,
  type CallRecord,
  comparable,
  contextIn,
  RECORDED_METHODS,
  type RecordedContext,
} from '../../cli/src/record/record.js';
import { jsonIn } from './Json.js';
import { switches } from './context.js';
import { send, target } from './model.js';
import { t } from './texts.js';

/** The record of a call, or nothing if the task is not a call, has no result, or waits for the user's answer. `all`: the exchanges that it is one of. */
export function recordOf(exchange: LoggedExchange, all: readonly LoggedExchange[]): CallRecord | undefined {
  const { method, request, hop } = exchange;
  const result = resultOf(exchange);
  if (!RECORDED_METHODS.includes(method) || result === undefined || hop !== undefined || result.resultType === 'input_required')
    return undefined;
  const { _meta, inputResponses: _, requestState: __, ...params } = paramsOf(exchange);
  return {
    record: 1,
    revision: target.value?.revision ?? 'auto',
    context: contextIn(request),
    request: { method, params },
    answers: answersOf(exchange, all),
    result: comparable(result),
    redacted: ['headers', 'trace', 'state'],
  };
}

interface Params extends Record<string, unknown> {
  readonly inputResponses?: Readonly<Record<string, Answer>>;
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
export function answersOf(call: LoggedExchange, all: readonly LoggedExchange[]): Answer[] {
  const { inputResponses, requestState } = paramsOf(call);
  const before =
    inputResponses === undefined
      ? undefined
      : all.findLast((one) => one.number < call.number && one.method === call.method && resultOf(one)?.requestState === requestState);
  const earlier = before === undefined ? [] : answersOf(before, all);
  const end = call.at + (call.ms ?? 0);
  const asked = all.filter(({ askedBy, at }) => askedBy === 'them' && at >= call.at && at <= end);
  const given = asked.flatMap((one) => (one.method === 'elicitation/create' ? [resultOf(one) as Answer | undefined] : []));
  return [...earlier, ...Object.values(inputResponses ?? {}), ...given].flatMap((one) =>
    typeof one?.action === 'string' ? [bare(one)] : [],
  );
}

/** Without the metadata of its message. */
const bare = ({ action, content }: Answer): Answer => ({ action, ...(content !== undefined && { content }) });

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
  if (record !== 1 || context === undefined || request === undefined || !RECORDED_METHODS.includes(request.method))
    throw new Error(t('replay.notRecord'));
  const answer = await send(request.method, request.params, {
    context: pageContext(context),
    alone: true,
    answers,
    ...(context.state && { state: context.state }),
  });
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return differingPaths([result, comparable(answer.result)]);
}

function pageContext({ language, timezone, locale, now, location, capabilities }: RecordedContext): PageContext {
  const has = (path: string): boolean => {
    const [name = '', inner] = path.split('.');
    const found = capabilities?.[name] as object | undefined;
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
