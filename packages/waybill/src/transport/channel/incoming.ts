/** Handles messages that arrive at a connection. */
import { isObject, own } from '../../wire/json.js';
import { isThenable, promiseIn } from '../../wire/maybe.js';
import { kindOf } from '../../wire/message.js';
import type { Channel } from '../channel.js';
import type { OpenExchange } from '../pending.js';
import type { Message } from '../types.js';
import { CANCELLED, refused, runAnswer, runNotification, runRequest, progressTokenOf, type Passing } from './run.js';

export type Handler = (...args: unknown[]) => void;

/** The handler of an incoming message, and what the transport says about the message. */
interface Receiver {
  readonly handler: Handler;
  readonly extra: unknown;
}

export function receive(channel: Channel, message: unknown, to: Receiver): void {
  const kind = kindOf(message);
  if (kind === undefined) handOver(channel, message, to);
  else if (kind === 'request') receiveRequest(channel, message as Message, to);
  else if (kind === 'notification') receiveNotification(channel, message as Message, to);
  else receiveAnswer(channel, message as Message, kind, to);
}

function handOver(channel: Channel, message: unknown, { handler, extra }: Receiver): void {
  const before = channel.delivering;
  channel.delivering = message;
  try {
    handler(message, extra);
  } finally {
    channel.delivering = before;
  }
}

function receiveNotification(channel: Channel, message: Message, to: Receiver): void {
  const exchange = channel.ours.withToken(progressTokenOf(message));
  let next: Passing;
  try {
    next = runNotification(channel.hooks, message, 'in', channel.theirs, exchange);
  } catch {
    // A notification has no answer, so a refusal of one changes nothing.
    next = message;
  }
  // A cancellation waits only for its request. All other messages without a request keep their order.
  const key = message['method'] === CANCELLED ? undefined : (exchange ?? channel);
  if (exchange !== undefined) markProgress(exchange);
  deliver(channel, key, promiseIn(next)?.catch(() => message) ?? next, to);
}

/** Both SDKs report progress to the application one microtask after they get it, and drop the listener as soon as they get the result. */
function markProgress(exchange: OpenExchange): void {
  exchange.progressed = true;
  // Two microtasks: the first one is queued before the SDK's own.
  queueMicrotask(() => {
    queueMicrotask(() => {
      exchange.progressed = false;
    });
  });
}

function receiveAnswer(channel: Channel, message: Message, kind: 'result' | 'error', to: Receiver): void {
  const id = own(message, 'id');
  const isWaiting =
    channel.answering.size > 0 && (channel.answering.has(id) || (typeof id === 'string' && channel.answering.has(Number(id))));
  if (isWaiting) {
    channel.hooks.onIssue?.({ concern: 'meta', key: 'id', problem: 'belongs to a request that has been answered' });
    return;
  }
  // The exchange ends, and observers learn it, before a hook runs.
  const exchange = channel.ours.get(id);
  channel.ours.end(exchange, kind, message);
  let next: Passing;
  try {
    next = runAnswer(channel.hooks, message, exchange, 'in');
  } catch (error) {
    next = refused(message, error);
  }
  if (exchange?.progressed === true && !isThenable(next)) next = Promise.resolve(next);
  if (!isThenable(next)) {
    deliver(channel, exchange, next, to);
    return;
  }
  if (exchange !== undefined) channel.answering.set(exchange.id, exchange);
  const over = <T>(final: T): T => {
    if (exchange !== undefined && channel.answering.get(exchange.id) === exchange) channel.answering.delete(exchange.id);
    return final;
  };
  deliver(
    channel,
    exchange,
    next.then(over, (error: unknown) => refused(message, over(error))),
    to,
  );
}

function deliver(channel: Channel, key: object | undefined, next: Passing, to: Receiver): void {
  if (!channel.order.waits(key, next)) {
    handOver(channel, next, to);
    return;
  }
  const delivered = channel.order.pass(key, next, (final) => {
    handOver(channel, final, to);
  });
  delivered.catch((fault: unknown) => channel.hooks.onFault?.(fault));
}

function receiveRequest(channel: Channel, message: Message, to: Receiver): void {
  const exchange = channel.theirs.begin(message, to.extra);
  let next: Passing;
  try {
    next = runRequest(channel.hooks, message, exchange);
  } catch (error) {
    channel.theirs.passed(exchange, message);
    sendAnswer(channel, refused(message, error));
    return;
  }
  channel.theirs.passed(exchange, message);
  if (!isThenable(next)) {
    serve(channel, exchange, next, to);
    return;
  }
  next
    .then(
      (final) => {
        if (exchange.outcome !== undefined) return;
        exchange.entering = true;
        try {
          serve(channel, exchange, final, to);
        } finally {
          exchange.entering = false;
        }
      },
      (error: unknown) => {
        if (exchange.outcome === undefined) sendAnswer(channel, refused(message, error));
      },
    )
    .catch((fault: unknown) => channel.hooks.onFault?.(fault))
    .finally(() => exchange.release?.());
}

/** Through `send`, so that the answer is paired and gets its context like any other. */
function sendAnswer(channel: Channel, message: Message): void {
  channel.send(message).catch((fault: unknown) => channel.hooks.onFault?.(fault));
}

function serve(channel: Channel, exchange: OpenExchange, message: Message, to: Receiver): void {
  if (message['method'] === undefined && isObject(message['result'])) {
    sendAnswer(channel, message);
    return;
  }
  const { hooks } = channel;
  if (hooks.serve === undefined) {
    handOver(channel, message, to);
    return;
  }
  let delivered = false as boolean; // set in a callback, which the type system does not follow
  const once = (): void => {
    delivered = true;
    handOver(channel, message, to);
  };
  try {
    hooks.serve(exchange, once);
  } catch (error) {
    // An error of the handler below goes to the transport; a fault of the layer must not break the call.
    if (delivered) throw error;
    hooks.onFault?.(error);
  }
  if (!delivered) once();
}
