import { IdPool, Legs, type Message, type Telemetry } from '../transport/index.js';
import { ignore, type Issue } from '../wire/issue.js';
import { isObject, own } from '../wire/json.js';
import { BAGGAGE, TRACEPARENT } from '../wire/keys.js';
import { andThen, type Maybe } from '../wire/maybe.js';
import {
  childTrace,
  continueTrace,
  excessBaggage,
  filterBaggage,
  formatTraceparent,
  limitBaggage,
  RANDOM,
  SAMPLED,
  trace,
} from '../wire/trace.js';
import type { ParentId, TraceContext, TraceId } from '../wire/trace.js';
import { writeNotification } from '../wire/write.js';
import type { CallAbout, ClientCall, Draft, ClientPart } from './part.js';
import { ask, firstProblem, perObject, type TraceInput, type CallValues } from './values.js';

/** Every key of a trace. */
export const traceKeys: readonly string[] = trace.keys({});

export function checkTrace(input: unknown, path: string): void {
  if (input === undefined || input === null || input === 'start' || typeof input === 'function') return;
  if (typeof input !== 'string' && !isObject(input))
    throw new TypeError(`${path}: expected a traceparent, a trace, 'start', null or a function`);
  const first = firstProblem((report) => trace.request.write(contextOf(input), report, {}));
  if (first) throw new RangeError(`${typeof input === 'string' ? path : `${path}.${first.key}`}: ${first.problem}`);
}

function contextOf(input: string | TraceContext): TraceContext {
  return typeof input === 'string' ? { [TRACEPARENT]: input } : input;
}

const LEFT_OUT: Issue = { concern: 'trace', key: BAGGAGE, problem: 'has members that are not on the allow-list' };

/**
 * TRACE-03, TRACE-11: every request is a span of the given trace; with `'start'`, of a trace that begins with the call. Without a source no
 * trace is sent (D-28): an invented sampled id makes servers record what nobody exports. A retry after an input-required result is its own
 * span in the trace of its call (IX-14). Baggage passes an allow-list, no matter who wrote it (D-20, D-25).
 */
export class TracePart implements ClientPart {
  readonly name = 'trace';
  readonly #ids: IdPool;
  readonly #baggage: readonly string[];
  readonly #telemetry: Telemetry | undefined;
  readonly #legs = new Legs<TraceContext>();
  #last: { readonly parent: TraceContext; readonly next: ReturnType<typeof continueTrace> } | undefined;
  readonly #fixed = perObject(({ trace: input }: CallValues): Given | undefined => {
    if (input === undefined) return 'inherit';
    return typeof input === 'function' || input === null ? undefined : this.#given(input);
  });

  constructor(ids: IdPool, baggage: readonly string[], telemetry?: Telemetry) {
    this.#ids = ids;
    this.#baggage = baggage;
    this.#telemetry = telemetry;
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    const excess = excessBaggage(call.callers, this.#baggage);
    if (excess !== undefined) {
      draft.policy = { ...draft.policy, ...excess };
      call.connection.onIssue(LEFT_OUT);
    }
    const { trace: input } = call.values;
    if (typeof input === 'function') return andThen(this.#ask(input, call), (given) => this.#add(given, call, draft));
    return input === null ? undefined : this.#add(this.#fixed(call.values), call, draft);
  }

  /** A span that nobody will send: its ids are made up, and nothing is remembered. */
  preview(call: ClientCall, draft: Draft): void | Promise<void> {
    if (this.#telemetry !== undefined) Object.assign(draft.added, this.#telemetry.carrier());
    return new TracePart(new IdPool((bytes) => void bytes.fill(1)), this.#baggage).request(call, draft);
  }

  /** A notification carries the given trace, or begins one with `'start'` like a request. If there is telemetry, its spans decide. */
  outgoing(callers: Message, values: CallValues, about: CallAbout): Message | Promise<Message> {
    const message = limitBaggage(callers, 'notification', this.#baggage);
    if (message !== callers) about.connection.onIssue(LEFT_OUT);
    const { trace: input } = values;
    const given = typeof input === 'function' ? this.#ask(input, about) : input === null ? undefined : this.#fixed(values);
    return andThen(given, (parent) => {
      const begins = parent === 'start' && this.#telemetry?.starts !== true;
      const span =
        typeof parent === 'object' ? childTrace(parent, this.#ids.spanId()) : begins ? { [TRACEPARENT]: this.#begin() } : undefined;
      return span === undefined ? message : writeNotification(message, { trace: span });
    });
  }

  answer(message: Message, call: ClientCall): Message {
    if (!Legs.goesOn(message)) return message;
    const { params } = call.exchange.request;
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const parent = isObject(meta) ? trace.request.read(meta, ignore, {}) : undefined;
    if (parent?.traceparent !== undefined) this.#legs.remember(call.exchange, parent);
    return message;
  }

  #ask(source: (about: CallAbout) => Maybe<TraceInput>, about: CallAbout): Given | undefined | Promise<Given | undefined> {
    return andThen(ask(source, about, 'trace', 'trace'), (input) => {
      if (input === undefined || input === null) return undefined;
      return this.#given(input, about);
    });
  }

  #given(input: string | TraceContext, about?: CallAbout): Given | undefined {
    if (input === 'start') return input;
    const { [BAGGAGE]: baggage, ...parent } = contextOf(input);
    const kept = baggage === undefined ? undefined : filterBaggage(baggage, this.#baggage);
    const fit = { ...parent, ...(kept !== undefined && { [BAGGAGE]: kept }) };
    return trace.request.write(fit, about?.connection.onIssue ?? ignore, {});
  }

  #add(given: Given | undefined, call: ClientCall, draft: Draft): void {
    if (given === undefined || (typeof given === 'string' && this.#traced(call, draft))) return;
    const parent = typeof given === 'string' ? this.#legs.recall(call.exchange.request) : given;
    if (parent !== undefined) Object.assign(draft.added, this.#child(parent));
    else if (given === 'start') draft.added[TRACEPARENT] = this.#begin();
  }

  /** Ids of the pool are valid, so they are not checked again. */
  #begin(): string {
    const traceId = this.#ids.traceId() as TraceId;
    const parentId = this.#ids.spanId() as ParentId;
    return formatTraceparent({ traceId, parentId, flags: SAMPLED | RANDOM });
  }

  /** Makes a span in a trace. The given trace stays the same object from call to call. */
  #child(parent: TraceContext): TraceContext {
    if (this.#last?.parent !== parent) this.#last = { parent, next: continueTrace(parent) };
    return this.#last.next?.(this.#ids.spanId()) ?? parent;
  }

  /**
   * With telemetry, a call without a trace begins one there. A call that only passes our `fetch` has no span and carries the current one.
   */
  #traced({ connection }: ClientCall, { added }: Draft): boolean {
    if (this.#telemetry === undefined || connection.seesAnswers) return this.#telemetry?.starts === true;
    const current = this.#telemetry.carrier();
    Object.assign(added, current);
    return Object.keys(current).length > 0;
  }
}

/** `'inherit'`, the default: the trace of the request before (a retry), or of telemetry; no own trace. */
type Given = 'start' | 'inherit' | TraceContext;
