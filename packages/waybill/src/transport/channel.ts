import { ContextError, errorAnswer } from '../wire/errors.js';
import { ignore } from '../wire/issue.js';
import { isObject, own } from '../wire/json.js';
import type { MessageKind } from '../wire/concerns.js';
import { kindOf } from '../wire/message.js';
import { withoutLanguage } from './language.js';
import type { Mirror } from './mirror.js';
import { Order } from './order.js';
import { Pending, type Open } from './pending.js';
import type { Direction, Exchange, Hooks, Message, RequestId, ResponseLanguage, SendOptions, TransportLike } from './types.js';

type Passing = Message | Promise<Message>;
type Send = (message: unknown, options?: SendOptions) => Promise<void>;
type Handler = (...args: unknown[]) => void;
/** Who gets a message that came in, and what the transport says of it. */
interface Receiver {
  readonly handler: Handler;
  readonly extra: unknown;
}

const CANCELLED = 'notifications/cancelled';

/**
 * One hooked connection: every message that leaves or arrives passes here once. While every hook answers at once,
 * nothing is deferred: the v2 per-request transport decides the HTTP status of a refusal by what happens synchronously.
 */
export class Channel {
  readonly hooks: Hooks;
  readonly #send: Send;
  readonly #mirror: Mirror | undefined;
  readonly #ours: Pending;
  readonly #theirs: Pending;
  /** Progress must not fall behind the answer it leads to: once a call is answered, nobody listens for it. */
  readonly #order = new Order();
  /** Whoever listens for the end of the connection is being told. */
  #closing = false;
  /** The message being delivered: a handler chained below sees it again and must not process it twice. */
  #delivering: unknown;

  constructor(hooks: Hooks, send: Send, mirror: Mirror | undefined) {
    this.hooks = hooks;
    this.#send = send;
    this.#mirror = mirror;
    const onFault = (error: unknown): void => hooks.onFault?.(error);
    this.#ours = new Pending('us', hooks.observers, onFault);
    this.#theirs = new Pending('them', hooks.observers, onFault);
  }

  get open(): number {
    return this.#ours.size + this.#theirs.size;
  }

  /** A request of ours that has not been answered yet. */
  asked(id: unknown): Exchange | undefined {
    return this.#ours.get(id);
  }

  responded(id: RequestId, head: ResponseLanguage): void {
    const exchange = this.#ours.get(id);
    if (exchange !== undefined) exchange.response = head;
  }

  /** Not asynchronous itself: a promise around a promise costs every request three turns. */
  send(message: unknown, options?: SendOptions): Promise<void> {
    const kind = kindOf(message);
    if (kind === 'request') return this.#sendRequest(message as Message, options);
    const exchange = this.#related(message, kind, options);
    // Batches exist up to revision 2025-03-26; each message in one is a message.
    const next = Array.isArray(message)
      ? Promise.all(message.map((one) => this.#outgoing(one, kindOf(one), this.#related(one, kindOf(one), options))))
      : this.#outgoing(message, kind, exchange);
    if (!this.#order.waits(exchange, next)) return this.#passOn(next, kind, options);
    return this.#order.pass(exchange, next, (final) => this.#passOn(final, kind, options));
  }

  /** The open request of the peer that a notification or an answer belongs to. */
  #related(message: unknown, kind: MessageKind | undefined, options: SendOptions | undefined): Open | undefined {
    if (kind === undefined) return undefined;
    return this.#theirs.get(kind === 'notification' ? options?.relatedRequestId : own(message as Message, 'id'));
  }

  #passOn(message: unknown, kind: MessageKind | undefined, options: SendOptions | undefined): Promise<void> {
    const isMirrored = kind === 'notification' && this.hooks.mirror !== undefined && this.#mirror !== undefined;
    return isMirrored ? this.#send(...this.#mirror(message as Message, options)) : this.#send(message, options);
  }

  async #sendRequest(message: Message, options: SendOptions | undefined): Promise<void> {
    const exchange = this.#ours.begin(message, undefined);
    try {
      const asked = this.#asked(exchange, message);
      const next = asked instanceof Promise ? await asked : asked;
      const mirrored = this.#mirror?.(next, options);
      const final = mirrored === undefined ? next : mirrored[0];
      const withHeader = mirrored === undefined ? options : mirrored[1];
      this.#ours.passed(exchange, final);
      const watched = this.#watch(exchange, withHeader);
      const sent = this.#ask(exchange, () => this.#send(final, watched));
      exchange.release?.();
      await sent;
    } catch (error) {
      exchange.failure = error;
      this.#ours.end(exchange, 'failed');
      throw error;
    }
  }

  /** A fault of the layer neither stops the message nor sends it twice. */
  #ask(exchange: Open, send: () => Promise<void>): Promise<void> {
    if (this.hooks.ask === undefined) return send();
    let sent: Promise<void> | undefined;
    try {
      this.hooks.ask(exchange, () => (sent ??= send()));
    } catch (error) {
      this.hooks.onFault?.(error);
    }
    return sent ?? send();
  }

  /** On revision 2026-07-28 over HTTP a call is cancelled by closing its own stream, not by a message. */
  #watch(exchange: Open, options: SendOptions | undefined): SendOptions | undefined {
    if (options?.requestSignal !== undefined) this.#ours.watch(exchange, options.requestSignal);
    const ended = options?.onRequestStreamEnd;
    if (ended === undefined) return options;
    const onRequestStreamEnd = (): void => {
      this.#ours.end(exchange, 'closed');
      ended();
    };
    return { ...options, onRequestStreamEnd };
  }

  /** Everything that leaves but a request of its own, which has options to watch: answers, notifications, parts of a batch. */
  #outgoing(message: unknown, kind: MessageKind | undefined, exchange: Open | undefined): unknown {
    if (kind === undefined) return message;
    const leaving = message as Message;
    if (kind === 'notification') return this.#notification(leaving, 'out', this.#ours, exchange);
    if (kind === 'request') {
      const begun = this.#ours.begin(leaving, undefined);
      return after(this.#asked(begun, leaving), (asked) => {
        // One header cannot speak for the messages of a batch.
        const report = this.hooks.onIssue ?? ignore;
        const final = this.#mirror === undefined ? asked : withoutLanguage(asked, 'has no header of its own in a batch', report);
        this.#ours.passed(begun, final);
        begun.release?.();
        return final;
      });
    }
    const next = this.#apply('answer', leaving, exchange, 'out');
    return next instanceof Promise ? next.then((final) => this.#gone(final, exchange, kind)) : this.#gone(next, exchange, kind);
  }

  #gone(answer: Message, exchange: Open | undefined, kind: 'result' | 'error'): Message {
    this.#theirs.end(exchange, kind, answer);
    return answer;
  }

  /** What the transport calls instead of the handler it was given. */
  receiver(handler: Handler): Handler {
    return (message, extra) => {
      if (message === this.#delivering && message !== undefined) handler(message, extra);
      else if (Array.isArray(message)) for (const one of message) this.#incoming(one, extra, handler);
      else this.#incoming(message, extra, handler);
    };
  }

  /** The same for the end of the connection, which is told once: a handler chained below another is wrapped as well. */
  closer(handler: () => void, transport: TransportLike): () => void {
    return () => {
      if (this.#closing) return handler();
      this.#closing = true;
      this.#ours.endAll('closed');
      this.#theirs.endAll('closed');
      try {
        this.hooks.closed?.(transport);
      } catch (error) {
        this.hooks.onFault?.(error);
      }
      try {
        handler();
      } finally {
        this.#closing = false;
      }
    };
  }

  #incoming(message: unknown, extra: unknown, handler: Handler): void {
    const kind = kindOf(message);
    const to: Receiver = { handler, extra };
    if (kind === undefined) this.#hand(message, to);
    else if (kind === 'request') this.#requested(message as Message, to);
    else if (kind === 'notification') this.#notified(message as Message, to);
    else this.#answered(message as Message, kind, to);
  }

  #hand(message: unknown, { handler, extra }: Receiver): void {
    const before = this.#delivering;
    this.#delivering = message;
    try {
      handler(message, extra);
    } finally {
      this.#delivering = before;
    }
  }

  #notified(message: Message, to: Receiver): void {
    const exchange = this.#ours.withToken(tokenOf(message));
    let next: Passing;
    try {
      next = this.#notification(message, 'in', this.#theirs, exchange);
    } catch {
      // Nobody waits for the answer to a notification, so a refusal of one changes nothing.
      next = message;
    }
    // A cancellation waits for one request alone; everything else without a request keeps its place among its like.
    const key = message['method'] === CANCELLED ? undefined : (exchange ?? this);
    this.#deliver(key, next instanceof Promise ? next.catch(() => message) : next, to);
  }

  #answered(message: Message, kind: 'result' | 'error', to: Receiver): void {
    // The exchange is over, and whoever looks is told, before a hook has its say.
    const exchange = this.#ours.get(own(message, 'id'));
    this.#ours.end(exchange, kind, message);
    let next: Passing;
    try {
      next = this.#apply('answer', message, exchange, 'in');
    } catch (error) {
      next = refused(message, error);
    }
    this.#deliver(exchange, next instanceof Promise ? next.catch((error: unknown) => refused(message, error)) : next, to);
  }

  #deliver(key: object | undefined, next: Passing, to: Receiver): void {
    if (!this.#order.waits(key, next)) {
      this.#hand(next, to);
      return;
    }
    const delivered = this.#order.pass(key, next, (final) => {
      this.#hand(final, to);
    });
    delivered.catch((fault: unknown) => this.hooks.onFault?.(fault));
  }

  #requested(message: Message, to: Receiver): void {
    const exchange = this.#theirs.begin(message, to.extra);
    let next: Passing;
    try {
      next = this.#asked(exchange, message);
    } catch (error) {
      this.#theirs.passed(exchange, message);
      this.#refuse(message, error);
      return;
    }
    this.#theirs.passed(exchange, message);
    if (!(next instanceof Promise)) {
      this.#serve(exchange, next, to);
      return;
    }
    next
      .then(
        (final) => {
          if (exchange.outcome === undefined) this.#serve(exchange, final, to);
        },
        (error: unknown) => {
          this.#refuse(message, error);
        },
      )
      .finally(() => exchange.release?.());
  }

  /** Through `send`, so that the answer is paired and stamped like any other. */
  #refuse(message: Message, error: unknown): void {
    this.send(refused(message, error)).catch((fault: unknown) => this.hooks.onFault?.(fault));
  }

  #serve(exchange: Open, message: Message, to: Receiver): void {
    if (message['method'] === undefined && isObject(message['result'])) {
      this.send(message).catch((fault: unknown) => this.hooks.onFault?.(fault));
      return;
    }
    if (this.hooks.serve === undefined) {
      this.#hand(message, to);
      return;
    }
    let delivered = false as boolean; // set in a callback, which the type system does not follow
    const once = (): void => {
      delivered = true;
      this.#hand(message, to);
    };
    try {
      this.hooks.serve(exchange, once);
    } catch (error) {
      // What the handler below throws is its own affair; a fault of the layer must not cost the call.
      if (delivered) throw error;
      this.hooks.onFault?.(error);
    }
    if (!delivered) once();
  }

  #asked(exchange: Open, message: Message): Passing {
    const next = this.#apply('request', message, exchange);
    if (next instanceof Promise) hold(exchange);
    return next;
  }

  #notification(message: Message, direction: Direction, pending: Pending, exchange: Exchange | undefined): Passing {
    const next = this.#apply('notification', message, exchange, direction);
    if (message['method'] !== CANCELLED) return next;
    const id = isObject(message['params']) ? own(message['params'], 'requestId') : undefined;
    const cancelled = (): Passing => {
      pending.end(pending.get(id), 'cancelled');
      return next;
    };
    // A cancellation must not overtake the request it cancels while a hook still thinks about that request.
    const held = pending.get(id)?.held;
    return held === undefined ? cancelled() : held.then(cancelled);
  }

  /** Runs a hook: its result, or the message as it was where there is no hook or it fails. Only a refusal gets out. */
  #apply(hook: 'request' | 'answer' | 'notification', message: Message, exchange: Exchange | undefined, direction?: Direction): Passing {
    try {
      const next = this.#run(hook, message, exchange, direction ?? 'in') ?? message;
      return next instanceof Promise ? next.catch((error: unknown) => this.#fault(error, message)) : next;
    } catch (error) {
      return this.#fault(error, message);
    }
  }

  #run(hook: 'request' | 'answer' | 'notification', message: Message, exchange: Exchange | undefined, direction: Direction) {
    if (hook === 'answer') return this.hooks.answer?.(message, exchange, direction);
    if (hook === 'notification') return this.hooks.notification?.(message, { direction, exchange });
    return exchange && this.hooks.request?.(message, exchange);
  }

  #fault(error: unknown, message: Message): Message {
    if (error instanceof ContextError) throw error;
    this.hooks.onFault?.(error);
    return message;
  }
}

function after(passing: Passing, then: (message: Message) => Message): Passing {
  return passing instanceof Promise ? passing.then(then) : then(passing);
}

function hold(exchange: Open): void {
  exchange.held = new Promise((release) => {
    exchange.release = release;
  });
}

function refused(message: Message, error: unknown): Message {
  if (!(error instanceof ContextError)) throw error;
  return errorAnswer(message['id'], error);
}

function tokenOf(notification: Message): unknown {
  return isObject(notification['params']) ? own(notification['params'], 'progressToken') : undefined;
}
