import type { Exchange, Message } from '../transport/index.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Issue } from '../wire/issue.js';
import type { Json, JsonObject, Meta } from '../wire/json.js';
import type { LanguageChoice } from '../wire/language.js';
import type { Context } from '../wire/read.js';
import type { Outgoing } from '../wire/write.js';
import type { Answer } from './answer.js';
import type { RequestContext } from './context.js';

/**
 * One concern, or one feature. The pipeline knows none of them: it runs every part over every request, in the order of `parts.ts`. If a
 * part throws, that is reported and the request goes on without it; only a `ContextError` from `before` refuses. If `provides` throws, the
 * handler that reads the member gets the error. Keep notes about a request in a WeakMap by the request, never by its id.
 */
export interface ServerPart {
  /** The name of the part, and of its file. */
  readonly name: string;

  /** Added to the settings of our extension, which `attach` declares last. */
  readonly declares?: Readonly<Record<string, Json>>;

  /**
   * Runs before the handler. A promise delays the request until it settles. A part that needs none returns nothing, because the status of a
   * refusal on HTTP is decided in the same turn.
   */
  before?(request: ServerRequest): void | Promise<void>;

  /**
   * Returns a finished result (the `result` member) instead of the handler's: the SDK never sees the request. Runs after every `before`.
   */
  instead?(request: ServerRequest): Meta | undefined;

  /** Members of `contextOf(ctx)`: each is made when a handler first reads it, once for each request. */
  readonly provides?: Readonly<Record<string, (request: ServerRequest) => unknown>>;

  /**
   * Gets the `result` member of the SDK and returns the one to send. It must not change the object; it returns the same one if nothing
   * changes.
   */
  result?(result: Meta, request: ServerRequest): Meta | Promise<Meta>;

  /** Does the same for the `error` member: `{ code, message, data? }`. */
  error?(error: Meta, request: ServerRequest): Meta | Promise<Meta>;

  /** Does the same for the `params` of a notification that the handler sends during the request (progress, log). */
  notification?(params: Meta, request: ServerRequest, method: string): Meta | Promise<Meta>;

  /** Called if the answer is a stream: its head leaves before the result is known, so everything in the head is decided now. */
  stream?(request: ServerRequest): void;

  /** Called with the finished answer as it leaves. Not called for an answer of `instead`. */
  done?(answer: Message, request: ServerRequest): void;

  /** Called when a list of this server has changed, with its method, such as `tools/list`. */
  changed?(method: string): void;

  /**
   * Returns a finished answer as bytes at the HTTP edge, with its language: nothing behind the edge sees the request, and no `before` runs.
   * Header and body agree; the part itself has to check envelope and `Mcp-*` headers. `authInfo`: the result of authentication in front of
   * the edge.
   */
  early?(
    request: ServerRequest,
    authInfo: unknown,
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly language: string | null } | undefined;

  /** Returns the values for `_meta` of the answer, or of a notification of this request, after all parts have changed `body`. */
  values?(kind: 'result' | 'error' | 'notification', body: Meta, request: ServerRequest): Outgoing<'result'> | undefined;
}

/** One request, as a part sees it. It does not change; decisions about its answer are in `answer`. */
export interface ServerRequest {
  readonly method: string;
  /** The request as the SDK gets it; a context beside `params` is moved into `_meta`. */
  readonly message: Message;
  /** HTTP only. */
  readonly headers: HeaderSource | undefined;
  /** `modern`: the request carries the envelope of 2026-07-28. `legacy`: 2025-11-25 and before. */
  readonly era: 'modern' | 'legacy';
  /** The values of the five concerns. Each is parsed once, when it is first read. */
  readonly received: Context<'request'>;
  /** The language for the answer, from `_meta` alone. Reading it claims nothing: see `answer.language`. */
  readonly choice: LanguageChoice;
  /** Capabilities of this request: its own, or on a legacy connection those of `initialize`. Absent if there are none. */
  readonly declared: JsonObject | undefined;
  /** The declared capabilities that this connection can carry: see `canAskBack`. All decisions about capabilities use these. */
  readonly usable: JsonObject | undefined;
  /** True if the server can ask the client something before it answers; `undefined` in front of the server, where that is not known yet. */
  readonly canAskBack: boolean | undefined;
  /** The server it is for; `undefined` in front of more than one, where that is not known yet. */
  readonly target: string | undefined;
  /** Present while a server has the request; its `extra` is what the transport says about the peer. */
  readonly exchange: Exchange | undefined;
  /** The value of `contextOf(ctx)`, so that a part can read what another part provides. */
  readonly context: RequestContext;
  /** Everything that may change: the language of the answer, who may cache it, and why it is an error. */
  readonly answer: Answer;
  /** Adds to the issues of this request and calls `onIssue`. */
  report(issue: Issue): void;
  /** Reports an error of a function of the program; the request goes on. */
  fault(error: unknown): void;
}
