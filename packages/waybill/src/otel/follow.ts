import { context, type Context, type Link } from '@opentelemetry/api';
import { Legs, type Exchange, type Hooks, type Message } from '../transport/index.js';
import type { Carrier } from './carrier.js';
import { sessionAttributes, type Connection } from './connection.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './options.js';
import { askingContext, carrying, hasOwnTrace } from './outgoing.js';
import { parentage } from './parent.js';
import type { Note, Spans } from './spans.js';
import { Watchers } from './watchers.js';

export interface Following {
  readonly carrier: Carrier;
  readonly settings: Settings;
  readonly connection: Connection;
  readonly metrics: Metrics;
  /** Absent where only the context is to cross the wire. */
  readonly spans: Spans | undefined;
  /** The context of each exchange under way. */
  readonly notes: WeakMap<Exchange, Note>;
}

/**
 * A layer with the tracing around it. A request of ours is seen last, as it goes out; a request of theirs first, and everything that
 * happens to it after that happens in its context. What the layer answers at once is still answered at once.
 */
export function follow(inner: Hooks, { carrier, settings, connection, metrics, spans, notes }: Following): Hooks {
  const legs = new Legs<Context>();

  const begun = (message: Message, exchange: Exchange, parent: Context, links: Link[]): Note => {
    const note = spans?.begin(message, exchange, parent, links) ?? bare(parent);
    notes.set(exchange, note);
    return note;
  };

  const asking = (callers: Message, message: Message, exchange: Exchange): Message =>
    settings.guard(() => asked(callers, message, exchange)) ?? message;

  const asked = (callers: Message, message: Message, exchange: Exchange): Message => {
    if (spans === undefined) {
      notes.set(exchange, bare(context.active()));
      return hasOwnTrace(callers, 'request') ? message : carrying(message, 'request', context.active(), carrier);
    }
    const parent = askingContext(callers, message, legs.recall(callers), carrier);
    return carrying(message, 'request', begun(message, exchange, parent, []).context, carrier);
  };

  const over = (exchange: Exchange, note: Note, refusal?: unknown): void => {
    spans?.end(exchange, note, refusal);
    if (exchange.asked === 'us' && exchange.outcome === 'result') legs.remember(exchange, note.context);
  };

  return {
    ...inner,
    ...(settings.mirror && { mirror: [...new Set([...(inner.mirror ?? []), ...carrier.fields()])] }),

    request(message, exchange) {
      if (exchange.asked === 'us') {
        const next = inner.request?.(message, exchange) ?? message;
        return next instanceof Promise ? next.then((final) => asking(message, final, exchange)) : asking(message, next, exchange);
      }
      const { context: parent, links } = settings.guard(() => parentage(message, exchange, carrier, settings)) ?? unrelated();
      const note = begun(message, exchange, parent, links);
      if (inner.request === undefined) return message;
      return context.with(note.context, () => inner.request?.(message, exchange) ?? message);
    },

    serve(exchange, deliver) {
      const served = (): void => (inner.serve === undefined ? deliver() : inner.serve(exchange, deliver));
      context.with(notes.get(exchange)?.context ?? context.active(), served);
    },

    ask(exchange, send) {
      const note = notes.get(exchange);
      const sending = (): Promise<void> => {
        const sent = send();
        if (note !== undefined)
          sent.catch((error: unknown) => {
            note.failure = error;
          });
        return sent;
      };
      const go = (): void => (inner.ask === undefined ? void sending() : inner.ask(exchange, sending));
      context.with(note?.context ?? context.active(), go);
    },

    answer(message, exchange, direction) {
      // An answer that came in is judged by what our own layer makes of it; one that goes out, when it has gone.
      const note = exchange === undefined || direction === 'out' ? undefined : notes.get(exchange);
      if (exchange === undefined || note === undefined) return inner.answer?.(message, exchange, direction) ?? message;
      const judged = (final: Message): Message => {
        over(exchange, note);
        return final;
      };
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
      return next instanceof Promise ? next.then(judged, refused) : judged(next);
    },

    notification(message, about) {
      const note = about.exchange && notes.get(about.exchange);
      if (note !== undefined) spans?.progress(message, note);
      const next = inner.notification?.(message, about) ?? message;
      if (about.direction === 'in' || hasOwnTrace(message, 'notification')) return next;
      const current = note?.context ?? context.active();
      return next instanceof Promise
        ? next.then((final) => carrying(final, 'notification', current, carrier))
        : carrying(next, 'notification', current, carrier);
    },

    observers: new Watchers((exchange) => {
      const note = notes.get(exchange);
      if (note === undefined) return undefined;
      const ended = (): void => {
        const isAnswered = exchange.outcome === 'result' || exchange.outcome === 'error';
        if (exchange.asked === 'them' || !isAnswered) over(exchange, note);
      };
      // Given up while a hook still thought about it: nobody will tell.
      if (exchange.outcome === undefined) return ended;
      ended();
      return undefined;
    }, inner.observers),

    closed(transport) {
      const { session } = connection;
      if (session !== undefined && spans !== undefined) {
        connection.session = undefined;
        settings.guard(() => metrics.session(session.side, performance.now() - session.since, sessionAttributes(connection)));
      }
      inner.closed?.(transport);
    },
  };
}

function bare(current: Context): Note {
  return { span: undefined, joined: false, context: current, metric: {}, since: 0 };
}

function unrelated(): ReturnType<typeof parentage> {
  return { context: context.active(), links: [] };
}
