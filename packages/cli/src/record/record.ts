/** The file of a recorded call. `waybill call --record` and the page write it, `waybill replay` and the page read it. */
import type { Json, Location } from 'waybill';
import { ignore, keysOf, readRequest } from 'waybill/adapter';

/** No headers, environment variables or command line stand in it. */
export interface CallRecord {
  readonly record: 1;
  readonly revision: string;
  readonly context: RecordedContext;
  readonly request: { readonly method: string; readonly params: Record<string, unknown> };
  /** The user's answers to questions of the server. */
  readonly answers: readonly Answer[];
  readonly result: unknown;
  /** The parts that were left out. */
  readonly redacted: readonly string[];
}

export interface RecordedContext {
  readonly language?: string;
  readonly timezone?: string;
  readonly locale?: string;
  readonly now?: string;
  readonly location?: Location;
  readonly capabilities?: Record<string, unknown>;
  /** By scope and name. Replay sends it. */
  readonly state?: RecordedState;
}

export type RecordedState = Partial<Record<'session' | 'server', Record<string, Json>>>;

export interface Answer extends Record<string, unknown> {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
}

export const RECORDED_METHODS: readonly string[] = ['tools/call', 'resources/read', 'prompts/get'];

/** The context that a request carries, without its state and trace. */
export function contextIn(request: unknown): RecordedContext {
  const { language, environment, capabilities = {} } = readRequest(request, { onIssue: ignore });
  const { now, ...places } = environment ?? {};
  return { ...(language && { language: language.text }), ...places, ...(now && { now: now.text }), capabilities };
}

/** A result without the parts that every call has anew: the envelope of the protocol, the trace, and state, which may be sealed. */
export function comparable(result: unknown): unknown {
  const { _meta, resultType: _, ...rest } = result as { _meta?: Record<string, unknown>; resultType?: string };
  const dropped = keysOf(['trace', 'state']);
  const kept = Object.entries(_meta ?? {}).filter(([key]) => !dropped.has(key));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
