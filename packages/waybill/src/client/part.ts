import type { Exchange, Message, StdioCommand, TransportLike } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import type { JsonObject, Meta } from '../wire/json.js';
import type { Context } from '../wire/read.js';
import type { Conversation } from './jar/conversation.js';
import type { CallValues } from './values.js';

/**
 * The client half is a list of parts, one a concern: each may add to a request on its way out and look at, or change, what
 * comes back. Parts run in order, at once where they can: one that returns no promise costs no turn.
 */
export interface ClientPart {
  readonly name: string;
  /** Adds what this request should carry. What it throws is reported, and the request goes on without it; a `ContextError` refuses. */
  request?(call: ClientCall, draft: Draft): void | Promise<void>;
  /** The answer to a request of ours, before the SDK sees it. `message` already carries what earlier parts made of it, `read` what came. */
  answer?(message: Message, call: ClientCall, read: AnswerContext): Message | Promise<Message>;
  /** A notification that belongs to a request of ours (progress), or to none. */
  notification?(message: Message, call: ClientCall | undefined, read: Context<'notification'>): Message;
  // D-07
  /** Called when a redirect leads to another server. Returns the message to send there, or nothing to stop. */
  redirect?(message: Message, to: URL, connection: ClientConnection): Message | undefined | Promise<Message | undefined>;
  /** Called when the connection is closed. Also called for the process that the v2 stdio client only probes (`transport` is then not `connection.transport`). */
  closed?(connection: ClientConnection, transport: TransportLike): void;
}

/** What an answer says. `kind` is that of the message; a result may ask for input instead of being complete. */
export type AnswerContext = Context<'result'> | Context<'error'>;

/** What a function among the values is told when it is asked. */
export interface About {
  readonly method: string;
  readonly connection: ClientConnection;
}

/** One request of ours, from the moment it is sent until its answer: the place for a part's notes is a `WeakMap` keyed by it. */
export interface ClientCall extends About {
  /** The request as the SDK made it, until it is written; as it crossed the wire when its answer arrives. */
  readonly exchange: Exchange;
  /** The `_meta` that the SDK and its caller wrote; empty where they wrote none. */
  readonly callers: Meta;
  readonly era: 'legacy' | 'modern';
  /** What applies to this call: options, updates, `attach()`, `run()` and `with()`, the nearest stands. */
  readonly values: CallValues;
  // D-05
  /** The principal and conversation of the request, also when others are current as its answer arrives. */
  readonly principal: string | undefined;
  readonly conversation: Conversation | undefined;
  /** What the request declared in the end, as far as it is known; set once every part has had its turn. */
  readonly capabilities: JsonObject | undefined;
}

/** What goes onto one request. */
export interface Draft {
  /** Keys of `_meta` as the facet of their concern spells them (`concern.request.write`). A caller's own beat them. */
  readonly added: Meta;
  /** The application's own keys, which everything else beats. */
  own: Meta | undefined;
  // D-20
  /** Keys that replace even the caller's own; `undefined` removes one. */
  policy: Meta | undefined;
  /** Capabilities that the layer itself declares on this request, `{ state: {} }`: one constant object a part. A name the application declared stays. */
  declare: JsonObject | undefined;
  /** What the request declares in the end; the capabilities part, which comes last, sets it. */
  declared: JsonObject | undefined;
  /** The part of it that was chosen for this request, in place of what the client was built with. */
  chosen: JsonObject | undefined;
  /** Whether it must stand in this request, and is not merely known of it. */
  says: boolean;
  /** Members of `params` to set: the capabilities of `initialize`. */
  params: Meta | undefined;
}

/** One attached transport, and what is known of the server behind it. */
export interface ClientConnection {
  /** `undefined` for requests that only pass our `fetch`. */
  readonly transport: TransportLike | undefined;
  /** Whether answers pass this layer. Where they do not (`fetch()` alone), nothing may be asked for that an answer must bring. */
  readonly seesAnswers: boolean;
  // D-07
  /** Whether our `fetch` follows the redirects of this HTTP transport. */
  readonly followsRedirects: boolean;
  // STATE-39
  /** The identity given to `attach`. It replaces the derived one. */
  readonly server: string | undefined;
  /** The endpoint of an HTTP transport. */
  readonly url: URL | undefined;
  /** The command of a stdio transport. */
  readonly command: StdioCommand | undefined;
  /** What the server declared in `initialize` or `server/discover`, as it came; `undefined` until then. */
  readonly capabilities: JsonObject | undefined;
  /** Whether a server of 2025-11-25 can send a request of its own over this connection and get the answer. */
  readonly carriesQuestions: boolean;
  /** The server's settings of the extension `dev.waybill/context`; `undefined` where it did not declare it. */
  readonly extension: JsonObject | undefined;
  readonly wire: WireOptions;
  readonly onIssue: Report;
  /** What was thrown where nothing may be; the call went on. */
  onFault(error: unknown): void;
  // D-26
  /** Drops every cached list of this server, and tells the application by local notifications. */
  listsChanged(): void;
}

export type { Conversation } from './jar/conversation.js';
