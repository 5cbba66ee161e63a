import { context, type Context } from '@opentelemetry/api';
import { Legs, type Exchange, type Hooks, type Message, type NotificationAbout, type Observer } from '../transport/index.js';
import { andThen, andThenAsk } from '../wire/maybe.js';
import { limitBaggage } from '../wire/trace.js';
import type { Carrier } from './carrier.js';
import { sessionAttributes, type TracedConnection } from './connection.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './options.js';
import { askingContext, carrying, hasTrace, parentage } from './context.js';
import type { Note, Spans } from './spans.js';

interface Propagating {
  readonly carrier: Carrier;
  readonly settings: Settings;
  readonly connection: TracedConnection;
  /** True if no layer between has its own list for the caller's baggage. */
  readonly alone: boolean;
}

interface Following extends Propagating {
  readonly metrics: Metrics;
  readonly spans: Spans;
}

/**
 * Puts spans around a layer. It sees a request of ours last, as it leaves, and a request of the peer first; everything after that happens
 * in its context. A synchronous answer of the layer stays synchronous.
 */
export function follow(inner: Hooks, following: Following): Hooks {
  const { carrier, settings, connection, metrics, spans } = following;
  const legs = new Legs<Context>();

  const asking = (callers: Message, message: Message, exchange: Exchange): Message => {
    const parent = askingContext(callers, message, legs.recall(callers), carrier);
    const note = spans.begin(message, exchange, parent, []);
    exchange.traced = note;
    return carrying(message, 'request', note.context, carrier);
  };

  const over = (exchange: Exchange, note: Note, refusal?: unknown): void => {
    spans.end(exchange, note, refusal);
    if (exchange.sender === 'us' && exchange.outcome === 'result') legs.remember(exchange, note.context);
  };

  /** An incoming answer is judged after our own layer; all other ends are judged as they are. */
  const ended = (exchange: Exchange): void => {
    const note = noteOf(exchange);
    const isAnswered = exchange.outcome === 'result' || exchange.outcome === 'error';
    if (note !== undefined && (exchange.sender === 'them' || !isAnswered)) over(exchange, note);
  };

  return {
    ...inner,

    request(given, exchange) {
      if (exchange.sender === 'us') {
        const message = allowed(given, 'request', following);
        const next = inner.request?.(message, exchange) ?? message;
        return andThen(next, (final) => asking(given, final, exchange));
      }
      const { context: parent, links } = parentage(given, exchange, connection, carrier, settings);
      const note = spans.begin(given, exchange, parent, links);
      exchange.traced = note;
      return inner.request === undefined ? given : context.with(note.context, () => inner.request?.(given, exchange) ?? given);
    },

    serve: (exchange, deliver) => serving(inner, exchange, deliver),

    ask(exchange, send) {
      const sending = inner.ask === undefined ? send : (): void => inner.ask?.(exchange, send);
      context.with(contextOf(exchange), sending);
    },

    answer(message, exchange, direction) {
      const note = exchange === undefined || direction === 'out' ? undefined : noteOf(exchange);
      if (exchange === undefined || note === undefined) return inner.answer?.(message, exchange, direction) ?? message;
      const refused = (error: unknown): never => {
        over(exchange, note, error);
        throw error;
      };
      const passed = (final: Message): Message => {
        over(exchange, note);
        return final;
      };
      return andThenAsk(() => inner.answer?.(message, exchange, direction) ?? message, passed, refused);
    },

    notification(given, about) {
      const note = about.exchange && noteOf(about.exchange);
      if (note !== undefined) spans.progress(given, note);
      return notifying(inner, given, about, note?.context ?? context.active(), following);
    },

    observers: new Watchers(() => ended, inner.observers),

    closed(transport) {
      const { session } = connection;
      if (session !== undefined) {
        connection.session = undefined;
        settings.guard(() => metrics.session(session.side, performance.now() - session.since, sessionAttributes(connection)));
      }
      inner.closed?.(transport);
    },
  };
}

/**
 * A layer that passes the current context on, and makes the caller's context current while a request is served; for programs whose spans
 * another library makes.
 */
export function propagate(inner: Hooks, propagating: Propagating): Hooks {
  const { carrier, settings, connection } = propagating;
  return {
    ...inner,
    request(given, exchange) {
      if (exchange.sender === 'them') {
        exchange.traced = parentage(given, exchange, connection, carrier, settings);
        return inner.request?.(given, exchange) ?? given;
      }
      const message = allowed(given, 'request', propagating);
      const next = inner.request?.(message, exchange) ?? message;
      return andThen(next, (final) => (hasTrace(given, 'request') ? final : carrying(final, 'request', context.active(), carrier)));
    },
    serve: (exchange, deliver) => serving(inner, exchange, deliver),
    notification: (given, about) => notifying(inner, given, about, undefined, propagating),
  };
}

/** D-20: the allow-list of baggage applies to what a caller wrote, too. */
function allowed(given: Message, kind: 'request' | 'notification', { alone, settings }: Propagating): Message {
  return alone ? limitBaggage(given, kind, settings.outgoingBaggage) : given;
}

/** Serves a request of the peer in its context. */
function serving(inner: Hooks, exchange: Exchange, deliver: () => void): void {
  context.with(contextOf(exchange), inner.serve === undefined ? deliver : (): void => inner.serve?.(exchange, deliver));
}

/** Passes a notification on. One of ours gets the trace of `current`, unless its caller named another. */
function notifying(
  inner: Hooks,
  given: Message,
  about: NotificationAbout,
  current: Context | undefined,
  propagating: Propagating,
): Message | Promise<Message> {
  if (about.direction === 'in') return inner.notification?.(given, about) ?? given;
  const message = allowed(given, 'notification', propagating);
  const next = inner.notification?.(message, about) ?? message;
  if (hasTrace(message, 'notification')) return next;
  return andThen(next, (final) => carrying(final, 'notification', current ?? context.active(), propagating.carrier));
}

/** Returns the notes about an open exchange. */
function noteOf(exchange: Exchange): Note | undefined {
  return exchange.traced as Note | undefined;
}

/** Returns the context of an open exchange, or the current one. */
export function contextOf({ traced }: Exchange): Context {
  return (traced as { readonly context: Context } | undefined)?.context ?? context.active();
}

/** The observers of a layer, which may come and go, with ours first. */
class Watchers extends Set<Observer> {
  readonly #ours: Observer;
  readonly #alone: readonly Observer[];
  readonly #others: ReadonlySet<Observer> | undefined;

  constructor(ours: Observer, others: ReadonlySet<Observer> | undefined) {
    super();
    this.#ours = ours;
    this.#alone = [ours];
    this.#others = others;
  }

  override get size(): number {
    return 1 + (this.#others?.size ?? 0);
  }

  override [Symbol.iterator](): SetIterator<Observer> {
    const all = this.#others === undefined || this.#others.size === 0 ? this.#alone : [this.#ours, ...this.#others];
    return all[Symbol.iterator]();
  }
}
