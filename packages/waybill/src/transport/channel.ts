import { receive, type Handler } from './channel/incoming.js';
import { send } from './channel/outgoing.js';
import type { Mirror } from './fetch.js';
import { Order } from './order.js';
import { Pending } from './pending.js';
import type { Exchange, Hooks, RequestId, ResponseLanguage, SendOptions, TransportLike } from './types.js';

type Send = (message: unknown, options?: SendOptions) => Promise<void>;

/**
 * One hooked connection: every message that leaves or arrives passes here once. As long as every hook answers at once, nothing is deferred:
 * the v2 per-request transport decides the HTTP status of a refusal by what happens synchronously.
 */
export class Channel {
  readonly hooks: Hooks;
  /** The transport's own `send`. */
  readonly transmit: Send;
  readonly mirror: Mirror | undefined;
  readonly ours: Pending;
  readonly theirs: Pending;
  /** Progress must not arrive after its answer: once a call is answered, the SDK no longer listens for progress. */
  readonly order = new Order();
  /** Requests of ours whose answer has come and still waits for a hook: another answer must not overtake it. */
  readonly answering = new Map<unknown, Exchange>();
  /** The message being delivered. A handler chained below sees it again and must not process it twice. */
  delivering: unknown;
  /** True while the listeners for the end of the connection are called. */
  #closing = false;

  constructor(hooks: Hooks, transmit: Send, mirror: Mirror | undefined) {
    this.hooks = hooks;
    this.transmit = transmit;
    this.mirror = mirror;
    const onFault = (error: unknown): void => hooks.onFault?.(error);
    this.ours = new Pending('us', hooks.observers, onFault);
    this.theirs = new Pending('them', hooks.observers, onFault);
  }

  get open(): number {
    return this.ours.size + this.theirs.size;
  }

  responded(id: RequestId, head: ResponseLanguage): void {
    const exchange = this.ours.get(id);
    if (exchange !== undefined) exchange.response = head;
  }

  send(message: unknown, options?: SendOptions): Promise<void> {
    return send(this, message, options);
  }

  /** Returns the function that the transport calls instead of the given handler. */
  receiver(handler: Handler): Handler {
    return (message, extra) => {
      if (message === this.delivering && message !== undefined) handler(message, extra);
      else if (Array.isArray(message)) for (const one of message) receive(this, one, { handler, extra });
      else receive(this, message, { handler, extra });
    };
  }

  /** Does the same for the end of the connection. It is reported once, although a handler chained below another is wrapped as well. */
  closer(handler: () => void, transport: TransportLike): () => void {
    return () => {
      if (this.#closing) return handler();
      this.#closing = true;
      this.ours.endAll('closed');
      this.theirs.endAll('closed');
      this.answering.clear();
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
}
