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
 * One concern, or one feature. The pipeline knows none of them: it runs every part over every request, in the order of `parts.ts`. What a part
 * throws is reported and the request goes on without it; only a `ContextError` from `before` refuses. What `provides` throws is for the
 * handler that looked. Notes about one request are kept in a WeakMap by the request, never by its id.
 */
export interface ServerPart {
  /** Also the name of its file. */
  readonly name: string;

  /** What it adds to the settings of our extension, which `attach` declares last. */
  readonly declares?: Readonly<Record<string, Json>>;

  /**
   * Before the handler runs. A promise holds the request back until it settles; a part that needs none returns nothing,
   * because the status of a refusal on HTTP is decided in the same turn.
   */
  before?(request: ServerRequest): void | Promise<void>;

  /** A finished result (its `result` member) in place of the handler's: the SDK never sees the request. After every `before`. */
  instead?(request: ServerRequest): Meta | undefined;

  /** Members of `contextOf(ctx)`: each is made when a handler first asks for it, once a request. */
  readonly provides?: Readonly<Record<string, (request: ServerRequest) => unknown>>;

  /** The `result` member as the SDK made it; gives what goes out. Never changed in place, the same object where nothing changes. */
  result?(result: Meta, request: ServerRequest): Meta | Promise<Meta>;

  /** The `error` member, likewise: `{ code, message, data? }`. */
  error?(error: Meta, request: ServerRequest): Meta | Promise<Meta>;

  /** The `params` of a notification that the handler sends in the course of the request (progress, log), likewise. */
  notification?(params: Meta, request: ServerRequest, method: string): Meta | Promise<Meta>;

  /** The answer is a stream: its head leaves before the result is known, so whatever depends on that is said now. */
  stream?(request: ServerRequest): void;

  /** The finished answer, as it leaves. Not told of what a part answered `instead`. */
  done?(answer: Message, request: ServerRequest): void;

  /** A list that this server offers has changed: the method that gives it, `tools/list`. */
  changed?(method: string): void;

  /**
   * A finished answer, in bytes, at the HTTP edge, with the language it says it is in: nothing behind the edge sees the request, no `before`
   * either. Header and body agree; envelope and `Mcp-*` headers are the part's to judge. `authInfo`: what was found in front of the edge.
   */
  early?(
    request: ServerRequest,
    authInfo: unknown,
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly language: string | null } | undefined;

  /** What is written into `_meta` of the answer, or of a notification of this request, once all parts have made `body` what it is. */
  values?(kind: 'result' | 'error' | 'notification', body: Meta, request: ServerRequest): Outgoing<'result'> | undefined;
}

/** One request, as a part sees it. What it says does not change; what is decided about its answer is in `answer`. */
export interface ServerRequest {
  readonly method: string;
  /** The request as the SDK gets it; a context beside `params` is lifted into `_meta`. */
  readonly message: Message;
  /** HTTP only. */
  readonly headers: HeaderSource | undefined;
  /** `modern`: the request carries the envelope of 2026-07-28. `legacy`: 2025-11-25 and before. */
  readonly era: 'modern' | 'legacy';
  /** What the message says about the five concerns. Nothing is parsed before it is asked for, and each once. */
  readonly received: Context<'request'>;
  /** The language for the answer, from `_meta` alone. Looking at it claims nothing: see `answer.language`. */
  readonly choice: LanguageChoice;
  /** Capabilities that were declared for this request: its own, or on a legacy connection those of `initialize`. Absent where nobody said. */
  readonly declared: JsonObject | undefined;
  /** Those of `declared` that this connection can carry: see `canAskBack`. Everything that is decided from capabilities uses these. */
  readonly usable: JsonObject | undefined;
  /** Whether the server can ask the client something before it answers; `undefined` where that is not known yet: in front of the server. */
  readonly canAskBack: boolean | undefined;
  /** Which server it is for; `undefined` where that is not known yet: in front of more than one. */
  readonly target: string | undefined;
  /** Present while a server has the request; its `extra` is what the transport says of the peer. */
  readonly exchange: Exchange | undefined;
  /** What `contextOf(ctx)` gives: how one part reaches what another found. */
  readonly context: RequestContext;
  /** Everything that may change: the language of the answer, who may cache it, and why it is an error. */
  readonly answer: Answer;
  /** Adds to the issues of this request and tells `onIssue`. */
  report(issue: Issue): void;
  /** Reports what a function of the program threw; the request goes on. */
  fault(error: unknown): void;
}
