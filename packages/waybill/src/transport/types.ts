import type { CopiedKeys } from './requestHeaders.js';
import type { ContextError } from '../wire/errors.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Report } from '../wire/issue.js';
import type { TraceContext } from '../wire/trace.js';

/** The shapes both SDKs share, written structurally: this room imports neither of them. */

export type RequestId = string | number;
export type Message = Record<string, unknown>;
export type Direction = 'out' | 'in';

/** A transport of SDK v1 or v2. `never` accepts the stricter parameter types of either. */
export interface TransportLike {
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** The public options of `send` that matter here; other members pass unchanged. */
export interface SendOptions {
  readonly relatedRequestId?: RequestId;
  readonly requestSignal?: AbortSignal;
  readonly onRequestStreamEnd?: () => void;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One request and its answer, in either direction, as they crossed the wire. Without an observer, a request of the peer is released with
 * its answer.
 */
export interface Exchange {
  readonly id: RequestId;
  readonly method: string;
  readonly sender: 'us' | 'them';
  /** The request as it crossed the wire: after the layer wrote it, or before the layer read it. */
  readonly request: Message;
  readonly answer?: Message;
  /** Its end; absent while it is open. `lost`: the table was full and this was the oldest, or its id was used again. */
  readonly outcome?: ExchangeOutcome | undefined;
  /** With `failed`: why it could not be sent. */
  readonly failure?: unknown;
  /** The transport's facts about an incoming request: its HTTP headers, the authenticated user. */
  readonly extra?: unknown;
  /** With `responses`: the head of the HTTP response to a request of ours. */
  readonly response?: ResponseLanguage;
  /** True while a request that a hook held back is being delivered to the server. An answer at this moment comes from the SDK: no handler has run yet. */
  readonly entering?: boolean;
  /** Notes of the owner of the hooks about this exchange. A `WeakMap` by exchange would cost more than the rest of a hook. */
  note?: unknown;
  /** Notes of the telemetry around the hooks. */
  traced?: unknown;
}

// LANG-49
/** The part of an HTTP response's head that its messages must agree with. */
export interface ResponseLanguage {
  /** All lines of `Content-Language`, combined. */
  readonly header: string | undefined;
  readonly kind: 'json' | 'stream';
}

export type ExchangeOutcome = 'result' | 'error' | 'cancelled' | 'failed' | 'closed' | 'lost';

/** Called with an exchange when its request passes. The function it returns is called at the end. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the idiom of an effect: a cleanup function or nothing
export type Observer = (exchange: Exchange) => void | ((exchange: Exchange) => void);

/**
 * The functions of a layer for the messages of one transport. Each function returns the message that goes on instead of the given one, at
 * once or later. A `ContextError` refuses: an incoming request is answered with it, an answer is replaced by it, an outgoing request fails
 * with it. Any other error is a fault of the layer: it is reported and the message goes on unchanged.
 */
export interface Hooks {
  /** May return a result instead of an incoming request: it becomes the answer, and nothing below sees the request. */
  request?(message: Message, exchange: Exchange): Message | Promise<Message>;
  /** Delivers an incoming request by calling `deliver`; for context that must be current while the request is served. */
  serve?(exchange: Exchange, deliver: () => void): void;
  /** Sends a request of ours by calling `send`; for context that must be current meanwhile. */
  ask?(exchange: Exchange, send: () => Promise<void>): void;
  answer?(message: Message, exchange: Exchange | undefined, direction: Direction): Message | Promise<Message>;
  /**
   * Called last, on each message as it leaves: after every other hook and after telemetry, before headers are derived from the message. If it
   * throws, the message is not sent. `exchange`: the request of ours that this is.
   */
  leave?(message: Message, options: SendOptions | undefined, exchange: Exchange | undefined): readonly [Message, SendOptions | undefined];
  notification?(message: Message, about: NotificationAbout): Message | Promise<Message>;
  /** Observers. Costs nothing while it is empty; may be filled and emptied at any time. */
  readonly observers?: ReadonlySet<Observer>;
  /** Called at the end of the connection. A transport that was only probed has another object. */
  closed?(transport: TransportLike): void;
  /** Notes on each exchange how its HTTP response began. Needs the `fetch` of the transport; without it nothing is noted. */
  readonly responses?: boolean;
  /** Keys of `_meta` whose text is copied into HTTP headers of the same name, on requests and notifications of ours. */
  readonly mirror?: CopiedKeys;
  /** Called for a value that this transport could not send. */
  readonly onIssue?: Report;
  onFault?(error: unknown): void;
  /** Follows each exchange of these hooks from outside: it sees a request of ours last and a request of the peer first. */
  readonly telemetry?: Telemetry;
}

/** Takes part in traces, in place of plain propagation. `waybill/otel` makes one, and both halves take it as an option. */
export interface Telemetry {
  /** Returns these hooks with telemetry around them. */
  around(hooks: Hooks, transport: TransportLike): Hooks;
  /**
   * Returns what lets the next hop continue the trace: keys of `_meta`, or headers of an HTTP request; empty if it takes no part.
   * `exchange`: the one being served.
   */
  carrier(exchange?: Exchange): TraceContext;
  /** Every key of `_meta`, and header, that may tell of a trace. */
  fields?(): readonly string[];
  /** True if it begins a trace for a request without a parent, so that nobody else has to. */
  readonly starts?: boolean;
  /** Called when an HTTP edge answered or refused a request that no transport will see. */
  atEdge?(message: Message, headers: HeaderSource | undefined, error?: ContextError): void;
}

export interface NotificationAbout {
  readonly direction: Direction;
  /** The request it belongs to, if the transport or its progress token shows it. */
  readonly exchange: Exchange | undefined;
}
