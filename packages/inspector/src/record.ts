/** Recorded calls, in the form that `waybill call --record` writes and `waybill replay` reads. */
import { keysOf, readRequest } from 'waybill/adapter';
import { differingPaths } from '../../cli/src/differences.js';
import type { LoggedExchange, PageContext, Place } from '../../cli/src/inspect/protocol.js';
import { send, switches, target } from './model.js';

const METHODS = ['tools/call', 'resources/read', 'prompts/get'];

interface CallRecord {
  readonly record: 1;
  readonly revision: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly request: { readonly method: string; readonly params: Record<string, unknown> };
  readonly answers: readonly unknown[];
  readonly result: unknown;
  readonly redacted: readonly string[];
}

/** The record of an exchange, or nothing if it is not a call with a result. */
export function recordOf({ method, request, answer, hop }: LoggedExchange): CallRecord | undefined {
  const result = (answer as { result?: unknown } | undefined)?.result;
  if (!METHODS.includes(method) || result === undefined || hop !== undefined) return undefined;
  const { _meta, ...params } = (request as { params: Record<string, unknown> }).params;
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
    answers: [],
    result: comparable(result),
    redacted: ['headers', 'trace', 'state'],
  };
}

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
  const { record, context, request, result } = JSON.parse(text) as Partial<CallRecord>;
  if (record !== 1 || context === undefined || request === undefined || !METHODS.includes(request.method))
    throw new Error('waybill call … --record FILE');
  const answer = await send(request.method, request.params, pageContext(context), true);
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return differingPaths([result, comparable(answer.result)]);
}

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
