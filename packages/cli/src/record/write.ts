/** A recorded call: what was asked, under which context, and the answer. No headers, environment variables or command line stand in it. */
import { writeFileSync, chmodSync } from 'node:fs';
import type { Json, StateChanges } from 'waybill';
import { keysOf, readRequest } from 'waybill/adapter';
import { usage } from '../failure.js';
import { reasonOf } from '../json.js';
import { isOn, type Run, textOf } from '../run.js';
import type { Session } from '../session/session.js';
import type { Answer } from '../session/elicit.js';

export interface CallRecord {
  readonly record: 1;
  readonly revision: string;
  readonly context: RecordedContext;
  readonly request: { readonly method: string; readonly params: Record<string, unknown> };
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
  readonly location?: Record<string, unknown>;
  readonly capabilities?: Record<string, unknown>;
  /** By scope and name. Replay sends it. */
  readonly state?: RecordedState;
}

export type RecordedState = Partial<Record<'session' | 'server', Record<string, Json>>>;

export function record(session: Session, request: { method: string; params: object }, result: unknown, run: Run): void {
  const file = textOf(run, 'record');
  if (file === undefined) return;
  const withState = isOn(run, 'withState');
  const sent = session.tap.crossings.find(({ direction, message }) => direction === 'sent' && message['method'] === request.method);
  const { language, environment, capabilities, state } = readRequest(sent?.message ?? {});
  const { now, ...places } = environment ?? {};
  const context: RecordedContext = {
    ...(language !== undefined && { language: language.text }),
    ...places,
    ...(now !== undefined && { now: now.text }),
    ...(capabilities !== undefined && { capabilities }),
    ...(withState && state !== undefined && { state: recorded(state) }),
  } as RecordedContext;
  const redacted = ['headers', 'trace', ...(withState ? [] : ['state'])];
  const whole: CallRecord = {
    record: 1,
    revision: session.revision,
    context,
    request: request as CallRecord['request'],
    answers: session.elicitor.answers,
    result: run.out.secrets.hideIn(comparable(result)),
    redacted,
  };
  try {
    writeFileSync(file, `${JSON.stringify(whole, undefined, 2)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  } catch (error) {
    throw usage(`${file}: ${reasonOf(error)}`);
  }
}

const without = (result: unknown, keys: ReadonlySet<string>): unknown => {
  const { _meta, ...rest } = result as { _meta?: Record<string, unknown> };
  if (_meta === undefined) return result;
  const kept = Object.entries(_meta).filter(([key]) => !keys.has(key));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
};

const recorded = ({ session, server }: StateChanges): RecordedState => ({
  ...(session !== undefined && { session: Object.fromEntries(session) }),
  ...(server !== undefined && { server: Object.fromEntries(server) }),
});

/** A result without the parts that every call has anew. Sealed state is one of them. */
export const comparable = (result: unknown): unknown => without(result, keysOf(['trace', 'state']));
