import { context } from '@opentelemetry/api';
import type { Hooks, Message } from '../transport/index.js';
import { andThen } from '../wire/maybe.js';
import { limitBaggage } from '../wire/trace.js';
import type { Following } from './follow.js';
import { carrying, hasOwnTrace } from './outgoing.js';
import { parentage } from './parent.js';

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
