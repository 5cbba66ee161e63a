import { context, type Context } from '@opentelemetry/api';
import { Legs, type Exchange, type Hooks, type Message, type Observer } from '../transport/index.js';
import { andThen } from '../wire/maybe.js';
import { limitBaggage } from '../wire/trace.js';
import type { Carrier } from './carrier.js';
import { sessionAttributes, type TracedConnection } from './connection.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './options.js';
import { askingContext, carrying, hasOwnTrace, parentage } from './context.js';
import type { Note, Spans } from './spans.js';

interface Following {
  readonly carrier: Carrier;
  readonly settings: Settings;
  readonly connection: TracedConnection;
  readonly metrics: Metrics;
  readonly spans: Spans;
  /** True if no layer between has its own list for the caller's baggage. */
  readonly alone: boolean;
}

/**
 * Puts spans around a layer. It sees a request of ours last, as it leaves, and a request of the peer first; everything after that happens
 * in its context. A synchronous answer of the layer stays synchronous.
 */
export function follow(inner: Hooks, { carrier, settings, connection, metrics, spans, alone }: Following): Hooks {
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
        // D-20: the allow-list applies to what a caller wrote too.
        const message = alone ? limitBaggage(given, 'request', settings.outgoingBaggage) : given;
        const next = inner.request?.(message, exchange) ?? message;
        return andThen(next, (final) => asking(given, final, exchange));
      }
      const { context: parent, links } = parentage(given, exchange, connection, carrier, settings);
      const note = spans.begin(given, exchange, parent, links);
      exchange.traced = note;
      return inner.request === undefined ? given : context.with(note.context, () => inner.request?.(given, exchange) ?? given);
    },

    serve(exchange, deliver) {
      const served = inner.serve === undefined ? deliver : (): void => inner.serve?.(exchange, deliver);
      context.with(noteOf(exchange)?.context ?? context.active(), served);
    },

    ask(exchange, send) {
      const sending = inner.ask === undefined ? send : (): void => inner.ask?.(exchange, send);
      context.with(noteOf(exchange)?.context ?? context.active(), sending);
    },

    answer(message, exchange, direction) {
      const note = exchange === undefined || direction === 'out' ? undefined : noteOf(exchange);
      if (exchange === undefined || note === undefined) return inner.answer?.(message, exchange, direction) ?? message;
      const refused = (error: unknown): never => {
        over(exchange, note, error);
        throw error;
      };
      let next: Message | Promise<Message>;
      try {
        next = inner.answer?.(message, exchange, direction) ?? message;
      } catch (error) {
        return refused(error);
      }
      const passed = (final: Message): Message => {
        over(exchange, note);
        return final;
      };
      return andThen(next, passed, refused);
    },

    notification(given, about) {
      const note = about.exchange && noteOf(about.exchange);
      if (note !== undefined) spans.progress(given, note);
      const message = alone && about.direction === 'out' ? limitBaggage(given, 'notification', settings.outgoingBaggage) : given;
      const next = inner.notification?.(message, about) ?? message;
      if (about.direction === 'in' || hasOwnTrace(message, 'notification')) return next;
      const current = note?.context ?? context.active();
      return andThen(next, (final) => carrying(final, 'notification', current, carrier));
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

/** Returns the notes about an open exchange. */
export function noteOf(exchange: Exchange): Note | undefined {
  return exchange.traced as Note | undefined;
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

/**
 * A layer that passes the current context on, and makes the caller's context current while a request is served; for programs whose spans
 * another library makes.
 */
export function propagate(inner: Hooks, { connection, carrier, settings, alone }: Omit<Following, 'spans' | 'metrics'>): Hooks {
  const sent = (callers: Message, message: Message, kind: 'request' | 'notification'): Message =>
    hasOwnTrace(callers, kind) ? message : carrying(message, kind, context.active(), carrier);

  return {
    ...inner,
    request(given, exchange) {
      if (exchange.sender === 'them') {
        exchange.traced = parentage(given, exchange, connection, carrier, settings);
        return inner.request?.(given, exchange) ?? given;
      }
      // D-20: the allow-list applies to what a caller wrote too.
      const message = alone ? limitBaggage(given, 'request', settings.outgoingBaggage) : given;
      const next = inner.request?.(message, exchange) ?? message;
      return andThen(next, (final) => sent(given, final, 'request'));
    },
    serve(exchange, deliver) {
      const found = (exchange.traced as { context?: ReturnType<typeof context.active> } | undefined)?.context;
      const served = inner.serve === undefined ? deliver : (): void => inner.serve?.(exchange, deliver);
      context.with(found ?? context.active(), served);
    },
    notification(given, about) {
      const message = alone && about.direction === 'out' ? limitBaggage(given, 'notification', settings.outgoingBaggage) : given;
      const next = inner.notification?.(message, about) ?? message;
      if (about.direction === 'in') return next;
      return andThen(next, (final) => sent(message, final, 'notification'));
    },
  };
}
