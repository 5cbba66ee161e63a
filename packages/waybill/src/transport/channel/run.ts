/** Runs the hooks of a connection: their results go on, their faults change nothing, and only a refusal gets out. */
import { ContextError, errorAnswer } from '../../wire/errors.js';
import { isObject, own } from '../../wire/json.js';
import { PROGRESS_TOKEN } from '../../wire/keys.js';
import { isThenable } from '../../wire/maybe.js';
import type { OpenExchange, Pending } from '../pending.js';
import type { Direction, Exchange, Hooks, Message } from '../types.js';

export type Passing = Message | Promise<Message>;

export const CANCELLED = 'notifications/cancelled';

export function runRequest(hooks: Hooks, message: Message, exchange: OpenExchange): Passing {
  let next: Passing;
  try {
    next = passing(hooks, hooks.request?.(message, exchange), message);
  } catch (error) {
    next = fault(hooks, error, message);
  }
  if (isThenable(next)) hold(exchange);
  return next;
}

export function runAnswer(hooks: Hooks, message: Message, exchange: Exchange | undefined, direction: Direction): Passing {
  try {
    return passing(hooks, hooks.answer?.(message, exchange, direction), message);
  } catch (error) {
    return fault(hooks, error, message);
  }
}

/** `pending`: the requests that the notification may cancel. */
export function runNotification(
  hooks: Hooks,
  message: Message,
  direction: Direction,
  pending: Pending,
  exchange: Exchange | undefined,
): Passing {
  let next: Passing;
  try {
    next = passing(hooks, hooks.notification?.(message, { direction, exchange }), message);
  } catch (error) {
    next = fault(hooks, error, message);
  }
  return message['method'] === CANCELLED ? cancelling(message, next, pending) : next;
}

/** Returns the open request that a cancellation names. */
export function cancelledBy({ params }: Message, pending: Pending): OpenExchange | undefined {
  return isObject(params) ? pending.get(own(params, 'requestId')) : undefined;
}

/** A cancellation must not overtake its request while a hook still works on that request. */
function cancelling(message: Message, next: Passing, pending: Pending): Passing {
  const cancelled = (): Passing => {
    pending.end(cancelledBy(message, pending), 'cancelled');
    return next;
  };
  const held = cancelledBy(message, pending)?.held;
  return held === undefined ? cancelled() : held.then(cancelled);
}

/** Returns the result of a hook, or the message itself if there is no hook. */
function passing(hooks: Hooks, given: Passing | undefined, message: Message): Passing {
  const next = given ?? message;
  return isThenable(next) ? Promise.resolve(next).catch((error: unknown) => fault(hooks, error, message)) : next;
}

function fault(hooks: Hooks, error: unknown, message: Message): Message {
  if (error instanceof ContextError) throw error;
  hooks.onFault?.(error);
  return message;
}

function hold(exchange: OpenExchange): void {
  exchange.held = new Promise((release) => {
    exchange.release = () => {
      exchange.held = undefined;
      release();
    };
  });
}

/** Turns a refusal into an answer. */
export function refused(message: Message, error: unknown): Message {
  if (!(error instanceof ContextError)) throw error;
  return errorAnswer(message['id'], error);
}

/** Returns the token that ties progress to its request. */
export function progressTokenOf(notification: Message): unknown {
  return isObject(notification['params']) ? own(notification['params'], PROGRESS_TOKEN) : undefined;
}
