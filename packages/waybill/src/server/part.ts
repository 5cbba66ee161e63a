import type { Exchange, Message } from '../transport/index.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Issue } from '../wire/issue.js';
import type { Json, JsonObject, Meta } from '../wire/json.js';
import type { LanguageChoice } from '../wire/language.js';
import type { Context } from '../wire/read.js';
import type { Outgoing } from '../wire/write.js';
import type { RequestContext } from './context.js';

/**
 * One concern, or one feature, in this room. The room itself knows none of them: it runs every part over every request, in the order
 * of `parts.ts`. What a part throws is reported and the call goes on without it; only a `ContextError` from `before` refuses, and what a
 * face throws is for the handler that looked.
 * Notes of one request are kept in a WeakMap by its `Call`, never by its id.
 */
export interface Part {
  /** Also the name of its file. */
  readonly name: string;

  /** What it adds to the settings of our extension, which `attach` declares last. */
  readonly declares?: Readonly<Record<string, Json>>;

  /**
   * Before the handler runs. A promise holds the request back until it settles; a part that needs none returns nothing,
   * because the status of a refusal on HTTP is decided in the same turn.
   */
  before?(call: Call): void | Promise<void>;

  /** A finished result (its `result` member) in place of the handler's: the SDK never sees the request. After every `before`. */
  instead?(call: Call): Meta | undefined;

  /** What handlers find in `contextOf(ctx)` under each name: made when first asked for, once a request, unless it is `undefined`. */
  readonly faces?: Readonly<Record<string, (call: Call) => unknown>>;

  /** The `result` member as the SDK made it; gives what goes out. Never changed in place, the same object where nothing changes. */
  result?(result: Meta, call: Call): Meta | Promise<Meta>;

  /** The `error` member, likewise: `{ code, message, data? }`. */
  error?(error: Meta, call: Call): Meta | Promise<Meta>;

  /** The `params` of a notification that the handler sends in the course of the request (progress, log), likewise. */
  notification?(params: Meta, call: Call, method: string): Meta | Promise<Meta>;

  /** The answer is a stream: its head leaves before the result is known, so whatever depends on that is said now. */
  stream?(call: Call): void;

  /** The finished answer, as it leaves. Not told of what a part answered `instead`. */
  done?(answer: Message, call: Call): void;

  /** A list that this server offers has changed: the method that gives it, `tools/list`. */
  changed?(method: string): void;

  /**
   * A finished answer, in bytes, at the HTTP edge, with the language it says it is in: nothing behind the edge sees the request, no `before`
   * either. Header and body agree; envelope and `Mcp-*` headers are the part's to judge. `authInfo`: what was found in front of the edge.
   */
  early?(call: Call, authInfo: unknown): { readonly bytes: Uint8Array<ArrayBuffer>; readonly language: string | null } | undefined;

  /** What is written into `_meta` of the answer, or of a notification of this request, once all parts have made `body` what it is. */
  values?(kind: 'result' | 'error' | 'notification', body: Meta, call: Call): Outgoing<'result'> | undefined;
}

/** One request on its way through this room. Made at the HTTP edge or, without one, by the hook. */
export interface Call {
  readonly method: string;
  /** The request as the SDK gets it; a context beside `params` is lifted into `_meta`. */
  readonly message: Message;
  /** What the message says about the five concerns: nothing is parsed before it is asked for, and each once. */
  readonly asked: Context<'request'>;
  /** `modern`: the request carries the envelope of 2026-07-28. `legacy`: 2025-11-25 and before. */
  readonly era: 'modern' | 'legacy';
  /** Which server it is for; `undefined` where that is not known yet: in front of more than one. */
  readonly target: string | undefined;
  /** Capabilities that hold for this request: its own, or on a legacy connection those of `initialize`. Absent where nobody said. */
  readonly declared: JsonObject | undefined;
  /** The language for the answer, from `_meta` alone. Looking at it claims nothing: that is what `content` is for. */
  readonly choice: LanguageChoice;
  /** LANG-20: the language the answer is really in, once somebody knows; `null`: in none that could be named. */
  content: string | null | undefined;
  /** The handler itself said so, and nobody knows better. */
  stated: boolean;
  /** A handler looked at the preference itself, not only at the choice. */
  preferred: boolean;
  /** What was said in this call with the words of the catalogues, the latest last, and in which language. */
  said: Map<string, readonly string[]> | undefined;
  /** CTX-32: a handler looked at what only this caller says (its surroundings, capabilities, state), so the answer is for nobody else. */
  personal: boolean;
  /** HTTP only. */
  readonly headers: HeaderSource | undefined;
  /** Present once the request has reached a server; its `extra` is what the transport says of the peer. */
  readonly exchange: Exchange | undefined;
  /** What `contextOf(ctx)` gives: how one part reaches what another found. */
  readonly context: RequestContext;
  /** Adds to the issues of this request and tells `onIssue`. */
  report(issue: Issue): void;
  /** For what a function of somebody else's threw; the call goes on. */
  fault(error: unknown): void;
  /** What `keep` was told so far. */
  readonly kept: 'private' | 'no-store' | undefined;
  /** The HTTP answer depends on more than a shared cache can see (LANG-63), or must not be stored at all (D-24). The stricter wins. */
  keep(how: 'private' | 'no-store'): void;
}
