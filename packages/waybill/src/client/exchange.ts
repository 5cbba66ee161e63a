import type { Exchange, Hooks, Message, NotificationAbout, Observer, TransportLike } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { lowerEnvironment } from '../wire/environment.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { CLIENT_CONTEXT_SIBLING } from '../wire/keys.js';
import { andThen, isThenable, promiseIn, reportRejection } from '../wire/maybe.js';
import { readError, readNotification, readResult } from '../wire/read.js';
import { addToRequest, type WriteOptions } from '../wire/write.js';
import { withoutCarried } from './ambient.js';
import type { Attached } from './connection.js';
import {
  emptyDraft,
  startCall,
  type AnswerContext,
  type ClientCall,
  type ClientConnection,
  type ClientPart,
  type Draft,
  type MutableCall,
  type Parts,
  type Requesting,
  type Answering,
} from './part.js';
import type { CallValues } from './values.js';

export function partsOf(all: readonly ClientPart[]): Parts {
  return {
    all,
    requesting: all.filter((part): part is Requesting => part.request !== undefined),
    answering: all.filter((part): part is Answering => part.answer !== undefined),
  };
}

/** The steps that every message of one connection takes, on its way out and back. */
export interface ConnectionSteps {
  readonly parts: Parts;
  readonly connection: Attached;
  /** Returns the values for a request as it leaves. */
  values(message: Message, meta: Meta): CallValues | Promise<CallValues>;
  /** Changes a notification of the client as it leaves. */
  outgoing(message: Message): Message | Promise<Message>;
  /** Called for each notification of the server. */
  arrived(message: Message): void;
  readonly write: WriteOptions;
}

const NO_META: Meta = Object.freeze({});

/** Writes the context of a request, in one write. The exchange remembers the call until the answer. */
export function send(steps: ConnectionSteps, message: Message, exchange: Exchange): Message | Promise<Message> {
  const params = own(message, 'params');
  const found = isObject(params) ? own(params, '_meta') : undefined;
  const callers = isObject(found) ? found : NO_META;
  return andThen(steps.values(message, callers), (values) => sendWith(values, callers, steps, message, exchange));
}

function sendWith(
  values: CallValues,
  callers: Meta,
  steps: ConnectionSteps,
  message: Message,
  exchange: Exchange,
): Message | Promise<Message> {
  const { connection, parts } = steps;
  const call = startCall(connection, exchange, callers, values);
  exchange.note = call;
  const draft = emptyDraft();
  const waiting = askParts(parts.requesting, 0, call, draft);
  return waiting === undefined ? writeDraft(steps, message, call, draft) : waiting.then(() => writeDraft(steps, message, call, draft));
}

/** Asks each part in turn. A part that answers at once costs no turn of the event loop. */
function askParts(parts: readonly Requesting[], from: number, call: ClientCall, draft: Draft): Promise<void> | undefined {
  for (let at = from; at < parts.length; at++) {
    const part = parts[at] as Requesting;
    try {
      const waiting = promiseIn(part.request(call, draft));
      if (waiting !== undefined)
        return waiting.catch((error: unknown) => fault(part, call.connection, error)).then(() => askParts(parts, at + 1, call, draft));
    } catch (error) {
      fault(part, call.connection, error);
    }
  }
  return undefined;
}

/** Invariant 9 of ARCHITECTURE.md: a part that fails is left out, and nothing else fails. Only a refusal gets through. */
function fault(part: ClientPart, connection: ClientConnection, error: unknown): void {
  if (error instanceof ContextError) throw error;
  connection.onIssue({ concern: 'meta', key: part.name, problem: 'was left out: a part of the layer failed, see onFault' });
  connection.onFault(error);
}

function writeDraft({ write }: ConnectionSteps, message: Message, call: MutableCall, draft: Draft): Message {
  call.capabilities = draft.declared;
  const { added, own: owned, policy, declared, says, params } = draft;
  const clean = withoutCarried(call.callers);
  let base = message;
  if (clean !== call.callers || params !== undefined) {
    const before = isObject(message['params']) ? message['params'] : {};
    base = { ...message, params: { ...before, ...params, ...(call.callers !== NO_META && { _meta: clean }) } };
  }
  const stamped = addToRequest(base, { added, own: owned, policy, declared: says ? declared : undefined }, write);
  return write.wire === 'seed' ? writeSeedForm(stamped, call, write) : stamped;
}

/** D-03: writes the literal sibling, also if the server did not say that it reads it. On HTTP our `fetch` writes it, after the SDK. */
function writeSeedForm(message: Message, { connection, method }: ClientCall, write: WriteOptions): Message {
  if (method === 'tools/call' && connection.extension?.['lifts'] !== true && !warned.has(connection)) {
    warned.add(connection);
    write.onIssue?.({
      concern: 'environment',
      key: CLIENT_CONTEXT_SIBLING,
      problem: 'was sent to a server that did not say that it reads this form',
    });
  }
  return connection.url === undefined ? lowerEnvironment(message, write) : message;
}

const warned = new WeakSet<object>();

/** Returns the hooks of one transport. */
export function hooksOf(steps: ConnectionSteps, observers: ReadonlySet<Observer>): Hooks {
  const { parts, connection } = steps;
  const onFault = (error: unknown): void => connection.onFault(error);
  return {
    observers,
    responses: connection.options.fetch !== false,
    onIssue: connection.onIssue,
    onFault,
    request(message, exchange) {
      if (exchange.sender !== 'us') return message;
      connection.open = true;
      return send(steps, message, exchange);
    },
    answer(message, exchange, direction) {
      const call = direction === 'in' ? callOf(exchange) : undefined;
      if (call === undefined) return message;
      const isError = Object.hasOwn(message, 'error');
      if (!isError) connection.learn(call.method, message, exchange?.response);
      return passAnswer(parts.answering, message, call, isError ? readError(message, steps.write) : readResult(message, steps.write));
    },
    notification(message, { direction, exchange }: NotificationAbout) {
      if (direction === 'out') return steps.outgoing(message);
      steps.arrived(message);
      const call = callOf(exchange);
      const read = readNotification(message, steps.write);
      return parts.all.reduce(
        (next, part) => guarded(part, next, connection, () => part.notification?.(next, call, read) ?? next),
        message,
      );
    },
    closed(transport: TransportLike) {
      if (transport === connection.transport) connection.open = false;
      for (const part of parts.all)
        guarded(part, undefined, connection, () => reportRejection(part.closed?.(connection, transport), onFault));
    },
  };
}

/** An exchange of a server's request has no note. */
function callOf(exchange: Exchange | undefined): ClientCall | undefined {
  return exchange?.note as ClientCall | undefined;
}

function passAnswer(
  parts: readonly Answering[],
  message: Message,
  call: ClientCall,
  read: AnswerContext,
  from = 0,
): Message | Promise<Message> {
  let next = message;
  for (let at = from; at < parts.length; at++) {
    const part = parts[at] as Answering;
    const before = next;
    try {
      const passed = part.answer(before, call, read);
      if (!isThenable(passed)) next = passed;
      else {
        const kept = Promise.resolve(passed).catch((error: unknown) => {
          fault(part, call.connection, error);
          return before;
        });
        return kept.then((after) => passAnswer(parts, after, call, read, at + 1));
      }
    } catch (error) {
      fault(part, call.connection, error);
    }
  }
  return next;
}

function guarded<T>(part: ClientPart, otherwise: T, connection: ClientConnection, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ContextError)) fault(part, connection, error);
    return otherwise;
  }
}
