import type { CopiedKeys } from './copied.js';
import type { ContextError } from '../wire/errors.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Report } from '../wire/issue.js';
import type { TraceContext } from '../wire/trace.js';

/** The shapes both SDKs share, written structurally: this room imports neither of them. */

export type RequestId = string | number;
export type Message = Record<string, unknown>;
export type Direction = 'out' | 'in';

/** What a transport of SDK v1 or v2 is to us. `never` takes the stricter parameter types of either. */
export interface TransportLike {
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** The public options of `send` that matter here; what else is in them passes untouched. */
export interface SendOptions {
  readonly relatedRequestId?: RequestId;
  readonly requestSignal?: AbortSignal;
  readonly onRequestStreamEnd?: () => void;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request and its answer, in either direction, as they crossed the wire. Where nobody observes, those of theirs are let go with the answer. */
export interface Exchange {
  readonly id: RequestId;
  readonly method: string;
  readonly asked: 'us' | 'them';
  /** The request as it went over the wire: after the layer wrote it, or before the layer read it. */
  readonly request: Message;
  readonly answer?: Message;
  /** How it ended; absent while it is open. `lost`: the table was full, and this was the oldest, or its id was used again. */
  readonly outcome?: Outcome | undefined;
  /** With `failed`: why it could not be sent. */
  readonly failure?: unknown;
  /** What the transport said about an incoming request: its HTTP headers, who is authenticated. */
  readonly extra?: unknown;
  /** With `responses`: how the HTTP response to a request of ours began. */
  readonly response?: ResponseLanguage;
  /** A request of theirs that a hook held back is being handed to the server: what is answered meanwhile, no handler has seen. */
  readonly entering?: boolean;
  /** For whoever gave the hooks: what belongs to this exchange. A `WeakMap` by exchange would cost more than all the rest of a hook. */
  note?: unknown;
  /** The same for the tracing around the hooks. */
  traced?: unknown;
}

/** The part of an HTTP response's head that its messages must agree with (LANG-49). */
export interface ResponseLanguage {
  /** All lines of `Content-Language`, combined. */
  readonly header: string | undefined;
  readonly kind: 'json' | 'stream';
}

export type Outcome = 'result' | 'error' | 'cancelled' | 'failed' | 'closed' | 'lost';

/** Told of an exchange when its request passes; the function it returns is told when it is over. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the idiom of an effect: a cleanup function or nothing
export type Observer = (exchange: Exchange) => void | ((exchange: Exchange) => void);

/**
 * What a layer does with the messages of one transport. Each function returns the message that goes on in place of
 * the one it was given, at once or later. Throwing a `ContextError` refuses: an incoming request is answered with it,
 * an answer is replaced by it, an outgoing request fails with it. Anything else that is thrown is a fault of the layer:
 * it is reported and the message goes on as it was.
 */
export interface Hooks {
  /** May give a result instead of a request that came in: it is answered with that and nobody below sees it. */
  request?(message: Message, exchange: Exchange): Message | Promise<Message>;
  /** Hands a request that came in to whoever serves it, by calling `deliver`; for what must be current while it is served. */
  serve?(exchange: Exchange, deliver: () => void): void;
  /** Sends a request of ours, by calling `send`; for what must be current while it is on its way. */
  ask?(exchange: Exchange, send: () => Promise<void>): void;
  answer?(message: Message, exchange: Exchange | undefined, direction: Direction): Message | Promise<Message>;
  /**
   * Called last, on each message as it leaves: after every other hook and after telemetry, before headers are derived from the message. If it
   * throws, the message is not sent. `exchange`: the request of ours that this is.
   */
  leave?(message: Message, options: SendOptions | undefined, exchange: Exchange | undefined): readonly [Message, SendOptions | undefined];
  notification?(message: Message, about: NotificationAbout): Message | Promise<Message>;
  /** Whoever wants to look. Free while it is empty; may be filled and emptied at any time. */
  readonly observers?: ReadonlySet<Observer>;
  /** The connection is over. A transport that was only probed is told apart by its object. */
  closed?(transport: TransportLike): void;
  /** Also note on each exchange how its HTTP response began. Needs the `fetch` of the transport; nothing is noted without. */
  readonly responses?: boolean;
  /** Keys of `_meta` whose text is copied into HTTP headers of the same name, on requests and notifications of ours. */
  readonly mirror?: CopiedKeys;
  /** Told of a value that could not be sent the way this transport works. */
  readonly onIssue?: Report;
  onFault?(error: unknown): void;
  /** Follows each exchange of these hooks from outside: it sees a request of ours last and a request of theirs first. */
  readonly telemetry?: Telemetry;
}

/** What takes part in traces in place of plain propagation: `waybill/otel` makes one, and both halves take it as an option. */
export interface Telemetry {
  /** These hooks with the tracing around them. */
  around(hooks: Hooks, transport: TransportLike): Hooks;
  /**
   * What lets the next hop continue from here: keys of `_meta`, or headers of an HTTP request; empty where it takes no part.
   * `exchange`: the one being served.
   */
  carrier(exchange?: Exchange): TraceContext;
  /** Every key of `_meta`, and header, that may tell of a trace. */
  fields?(): readonly string[];
  /** A request without a parent begins a trace by itself, so nobody else has to. */
  readonly starts?: boolean;
  /** An HTTP edge answered a request that no transport will see, or refused it. */
  atEdge?(message: Message, headers: HeaderSource | undefined, error?: ContextError): void;
}

export interface NotificationAbout {
  readonly direction: Direction;
  /** The request it belongs to, where the transport or its progress token tells. */
  readonly exchange: Exchange | undefined;
}
