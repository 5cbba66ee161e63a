import type { Exchange, Message, StdioCommand, TransportLike } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import { own, type JsonObject, type Meta } from '../wire/json.js';
import { PROTOCOL_VERSION } from '../wire/keys.js';
import type { PolicyLevels } from '../wire/policy.js';
import type { Context } from '../wire/read.js';
import type { Conversation } from './jar/conversation.js';
import type { CallValues } from './values.js';

/**
 * The client half is a list of parts, one for each concern. A part may add to a request on its way out, and read or change the answer.
 * Parts run in order. A part that returns no promise costs no turn of the event loop.
 */
export interface ClientPart {
  readonly name: string;
  /**
   * Adds what this request should carry. If it throws, that is reported and the request goes on without it; a `ContextError` refuses the
   * request.
   */
  request?(call: ClientCall, draft: Draft): void | Promise<void>;
  /** Adds the same for `preview()`: without side effects, and without using up ids or tickets. A part without it is left out of previews. */
  preview?(call: ClientCall, draft: Draft): void | Promise<void>;
  /**
   * Changes the answer to a request of ours before the SDK sees it. `message` has the changes of earlier parts; `read` is what the server
   * sent.
   */
  answer?(message: Message, call: ClientCall, read: AnswerContext): Message | Promise<Message>;
  /** Changes a notification. `call` is the request it belongs to (progress), if any. */
  notification?(message: Message, call: ClientCall | undefined, read: Context<'notification'>): Message;
  // D-07
  /** Called when a redirect leads to another server. Returns the message to send there, or nothing to stop. */
  redirect?(message: Message, to: URL, connection: ClientConnection): Message | undefined | Promise<Message | undefined>;
  /**
   * Called when the connection is closed. Also called for the process that the v2 stdio client only probes (`transport` is then not
   * `connection.transport`).
   */
  closed?(connection: ClientConnection, transport: TransportLike): void;
}

export type Requesting = ClientPart & Required<Pick<ClientPart, 'request'>>;
export type Answering = ClientPart & Required<Pick<ClientPart, 'answer'>>;

/** All parts, and separately those that act on requests and on answers, so that no message has to sort them. */
export interface Parts {
  readonly all: readonly ClientPart[];
  readonly requesting: readonly Requesting[];
  readonly answering: readonly Answering[];
}

/** The context of an answer. A result may ask for input instead of being complete. */
export type AnswerContext = Context<'result'> | Context<'error'>;

/** Passed to a function among the values when it is called. */
export interface CallAbout {
  readonly method: string;
  readonly connection: ClientConnection;
}

/** One request of ours, from sending to answer. A part keeps notes about it in a `WeakMap` with this object as the key. */
export interface ClientCall extends CallAbout {
  /** The request as the SDK made it, until it is written; after that, as it crossed the wire. */
  readonly exchange: Exchange;
  /** The `_meta` that the SDK and its caller wrote; empty if they wrote none. */
  readonly callers: Meta;
  readonly era: 'legacy' | 'modern';
  /** The values for this call, from the options, `update()`, `attach()`, `run()` and `with()`. The nearest one decides. */
  readonly values: CallValues;
  // D-05
  /** The principal and conversation of the request, even if others are current when its answer arrives. */
  readonly principal: string | undefined;
  readonly conversation: Conversation | undefined;
  /** The capabilities that the request declared, if known. Set after every part has run. */
  readonly capabilities: JsonObject | undefined;
  /** With a policy: what may be sent to this server. A field at `never` or `ask` will be removed, so it need not be gathered. */
  readonly levels: PolicyLevels | undefined;
}

/** A call while it is being written. */
export type MutableCall = { -readonly [Name in keyof ClientCall]: ClientCall[Name] };

export function startCall(connection: ClientConnection, exchange: Exchange, callers: Meta, values: CallValues): MutableCall {
  return {
    connection,
    method: exchange.method,
    exchange,
    callers,
    era: own(callers, PROTOCOL_VERSION) === undefined ? 'legacy' : 'modern',
    values,
    principal: values.principal ?? undefined,
    conversation: values.conversation,
    capabilities: undefined,
    levels: undefined,
  };
}

/** The changes to one request. */
export interface Draft {
  /** Keys of `_meta`, as their concern writes them (`concern.request.write`). A caller's own keys beat them. */
  readonly added: Meta;
  /** The application's own keys. Every other key beats them. */
  own: Meta | undefined;
  // D-20
  /** Keys that replace even the caller's own; `undefined` removes one. */
  policy: Meta | undefined;
  /**
   * Capabilities that the layer itself declares on this request, such as `{ state: {} }`: one constant object for each part. A name that
   * the application declared stays.
   */
  declare: JsonObject | undefined;
  /** All capabilities that the request declares. The capabilities part runs last and sets it. */
  declared: JsonObject | undefined;
  /** The capabilities that were chosen for this request, instead of those the client was built with. */
  chosen: JsonObject | undefined;
  /** True if this request must carry `declared`; false if the server knows it already. */
  says: boolean;
  /** Members of `params` to set: the capabilities of `initialize`. */
  params: Meta | undefined;
}

export function emptyDraft(): Draft {
  return {
    added: {},
    own: undefined,
    policy: undefined,
    declare: undefined,
    declared: undefined,
    chosen: undefined,
    says: false,
    params: undefined,
  };
}

/** One attached transport, and the known facts about its server. */
export interface ClientConnection {
  /** `undefined` for requests that only pass our `fetch`. */
  readonly transport: TransportLike | undefined;
  /**
   * True if answers pass this layer. If they do not (`fetch()` alone), a request may ask for nothing that its answer would have to bring.
   */
  readonly seesAnswers: boolean;
  // D-07
  /** True if our `fetch` follows the redirects of this HTTP transport. */
  readonly followsRedirects: boolean;
  // STATE-39
  /** The identity given to `attach`. It replaces the derived one. */
  readonly server: string | undefined;
  /** The endpoint of an HTTP transport. */
  readonly url: URL | undefined;
  /** The command of a stdio transport. */
  readonly command: StdioCommand | undefined;
  /** The capabilities that the server declared in `initialize` or `server/discover`, as it sent them; `undefined` until then. */
  readonly capabilities: JsonObject | undefined;
  /** True if a server of 2025-11-25 can send a request of its own over this connection and get the answer. */
  readonly carriesQuestions: boolean;
  /** The server's settings of the extension `dev.waybill/context`; `undefined` if it did not declare the extension. */
  readonly extension: JsonObject | undefined;
  readonly wire: WireOptions;
  readonly onIssue: Report;
  /** Reports an error that must not break the call. */
  onFault(error: unknown): void;
  // D-26
  /** Drops every cached list of this server, and sends the application local notifications. */
  listsChanged(): void;
}

export type { Conversation } from './jar/conversation.js';
