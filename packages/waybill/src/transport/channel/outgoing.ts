/** Handles messages that leave a connection. */
import type { MessageKind } from '../../wire/concerns.js';
import { ignore } from '../../wire/issue.js';
import { own } from '../../wire/json.js';
import { rejectedWith, andThen, isThenable } from '../../wire/maybe.js';
import { kindOf } from '../../wire/message.js';
import type { Channel } from '../channel.js';
import { withoutLanguage } from '../requestHeaders.js';
import type { OpenExchange } from '../pending.js';
import type { Message, SendOptions } from '../types.js';
import { CANCELLED, cancelledBy, refused, runAnswer, runNotification, runRequest, progressTokenOf, type Passing } from './run.js';

/** Not an async function: a promise around a promise costs every request three turns. */
export function send(channel: Channel, message: unknown, options: SendOptions | undefined): Promise<void> {
  const kind = kindOf(message);
  if (kind === 'request') return sendRequest(channel, message as Message, options);
  if (Array.isArray(message)) return sendBatch(channel, message, options);
  if (kind === 'notification' && isCalledOff(channel, message as Message)) return Promise.resolve();
  const exchange = relatedExchange(channel, message, kind, options);
  let next: unknown;
  try {
    next = runOutgoing(channel, message, kind, exchange);
  } catch (error) {
    return rejectedWith(error);
  }
  if (!channel.order.waits(exchange, next)) return transmitMessage(channel, next, kind, options);
  return channel.order.pass(exchange, next, (final) => transmitMessage(channel, final, kind, options));
}

/** A request is cancelled while a hook still works on it. Neither is sent, or a tool would run for a caller who is gone. */
function isCalledOff({ ours }: Channel, message: Message): boolean {
  const exchange = message['method'] === CANCELLED ? cancelledBy(message, ours) : undefined;
  if (exchange?.held === undefined) return false;
  ours.end(exchange, 'cancelled');
  return true;
}

/** Finds the open request of the peer that a notification or an answer belongs to. */
function relatedExchange(
  channel: Channel,
  message: unknown,
  kind: MessageKind | undefined,
  options: SendOptions | undefined,
): OpenExchange | undefined {
  if (kind === undefined) return undefined;
  if (kind !== 'notification') return channel.theirs.get(own(message as Message, 'id'));
  return channel.theirs.get(options?.relatedRequestId) ?? channel.theirs.withToken(progressTokenOf(message as Message));
}

function transmitMessage(
  channel: Channel,
  message: unknown,
  kind: MessageKind | undefined,
  options: SendOptions | undefined,
): Promise<void> {
  const isMirrored = kind === 'notification' && channel.hooks.mirror !== undefined && channel.mirror !== undefined;
  try {
    const [left, given] = kind === undefined ? [message, options] : callLeaveHook(channel, message as Message, options);
    return isMirrored ? channel.transmit(...channel.mirror(left as Message, given)) : channel.transmit(left, given);
  } catch (error) {
    return rejectedWith(error);
  }
}

/** Calls the hook that sees a message last, just before it is sent. */
function callLeaveHook(
  { hooks }: Channel,
  message: Message,
  options: SendOptions | undefined,
  exchange?: OpenExchange,
): readonly [Message, SendOptions | undefined] {
  return hooks.leave === undefined ? [message, options] : hooks.leave(message, options, exchange);
}

async function sendRequest(channel: Channel, message: Message, options: SendOptions | undefined): Promise<void> {
  const { ours } = channel;
  const exchange = ours.begin(message, undefined);
  try {
    const changed = runRequest(channel.hooks, message, exchange);
    const next = isThenable(changed) ? await changed : changed;
    const left = callLeaveHook(channel, next, options, exchange);
    const [final, withHeader] = channel.mirror?.(...left) ?? left;
    ours.passed(exchange, final);
    requireOpen(exchange);
    const watched = watch(channel, exchange, withHeader);
    const sent = transmitRequest(channel, exchange, () => channel.transmit(final, watched));
    exchange.release?.();
    await sent;
  } catch (error) {
    exchange.failure = error;
    ours.end(exchange, 'failed');
    throw error;
  }
}

/** While a hook worked on the request, the connection may have ended, and another may have begun with the same transport. */
function requireOpen({ outcome, method }: OpenExchange): void {
  if (outcome !== undefined) throw new Error(`${method}: not sent, because it was ${outcome} before`);
}

/** A fault of the layer neither stops the message nor sends it twice. */
function transmitRequest({ hooks }: Channel, exchange: OpenExchange, transmit: () => Promise<void>): Promise<void> {
  if (hooks.ask === undefined) return transmit();
  let sent: Promise<void> | undefined;
  try {
    hooks.ask(exchange, () => (sent ??= transmit()));
  } catch (error) {
    hooks.onFault?.(error);
  }
  return sent ?? transmit();
}

/** On revision 2026-07-28 over HTTP a call is cancelled by closing its own stream, not by a message. */
function watch({ ours }: Channel, exchange: OpenExchange, options: SendOptions | undefined): SendOptions | undefined {
  if (options?.requestSignal !== undefined) ours.watch(exchange, options.requestSignal);
  const ended = options?.onRequestStreamEnd;
  if (ended === undefined) return options;
  const onRequestStreamEnd = (): void => {
    ours.end(exchange, 'closed');
    ended();
  };
  return { ...options, onRequestStreamEnd };
}

/** Runs the hooks on an answer or a notification. A refusal replaces the answer. */
function runOutgoing(channel: Channel, message: unknown, kind: MessageKind | undefined, exchange: OpenExchange | undefined): unknown {
  if (kind === undefined || kind === 'request') return message;
  const outgoing = message as Message;
  if (kind === 'notification') return runNotification(channel.hooks, outgoing, 'out', channel.ours, exchange);
  let next: Passing;
  try {
    next = runAnswer(channel.hooks, outgoing, exchange, 'out');
  } catch (error) {
    return recordAnswer(channel, refused(outgoing, error), exchange);
  }
  return andThen(
    next,
    (final) => recordAnswer(channel, final, exchange),
    (error: unknown) => recordAnswer(channel, refused(outgoing, error), exchange),
  );
}

/** Records the answer as it leaves: a hook may have turned a result into an error. */
function recordAnswer(channel: Channel, answer: Message, exchange: OpenExchange | undefined): Message {
  channel.theirs.end(exchange, answer['error'] === undefined ? 'result' : 'error', answer);
  return answer;
}

/** Batches exist up to revision 2025-03-26. Each message in one is handled like a single message. */
async function sendBatch(channel: Channel, batch: readonly unknown[], options: SendOptions | undefined): Promise<void> {
  const begun: OpenExchange[] = [];
  // Async, so that a refusal of one message leaves no promise of another unhandled.
  const one = async (message: unknown): Promise<{ message: unknown; exchange?: OpenExchange }> => {
    const kind = kindOf(message);
    if (kind !== 'request') return { message: await runOutgoing(channel, message, kind, relatedExchange(channel, message, kind, options)) };
    const exchange = channel.ours.begin(message as Message, undefined);
    begun.push(exchange);
    return { message: await askInBatch(channel, message as Message, exchange), exchange };
  };
  try {
    const ready = await Promise.all(batch.map(one));
    const open = ready.filter(({ exchange }) => exchange?.outcome === undefined);
    const messages = open.map(({ message, exchange }) =>
      exchange !== undefined || kindOf(message) === undefined ? message : callLeaveHook(channel, message as Message, undefined)[0],
    );
    // Same rule as for a single message.
    if (messages.length === 0) begun.forEach(requireOpen);
    if (messages.length === 0) return;
    const sent = channel.transmit(messages, options);
    // Not earlier: until here a cancellation removes its request from the batch.
    for (const exchange of begun) exchange.release?.();
    await sent;
  } catch (error) {
    for (const exchange of begun) {
      exchange.failure = error;
      channel.ours.end(exchange, 'failed');
    }
    throw error;
  }
}

async function askInBatch(channel: Channel, message: Message, exchange: OpenExchange): Promise<Message> {
  const { hooks, mirror, ours } = channel;
  const [changed] = callLeaveHook(channel, await runRequest(hooks, message, exchange), undefined, exchange);
  // One header cannot carry the languages of all messages in a batch.
  const final = mirror === undefined ? changed : withoutLanguage(changed, 'has no header of its own in a batch', hooks.onIssue ?? ignore);
  ours.passed(exchange, final);
  return final;
}
