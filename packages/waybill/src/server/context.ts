import type { Issue } from '../wire/issue.js';
import type { LanguagePreference } from '../wire/language.js';
import type { Environment as GivenEnvironment, Location, Timestamp } from '../wire/environment.js';
import type { JsonObject, Meta } from '../wire/json.js';
import type { ForwardOptions, HeaderPairs, TraceContext } from '../wire/trace.js';
import { isHandlerContext } from '../transport/sdk.js';
import { ambientValue, requestOf } from './find.js';
import { IncomingRequest } from './request.js';
import type { RegisteredState } from './state/define.js';
import type { Format } from './localise/format.js';
import type { Display, Translate } from './localise/speak.js';
import type { TimeOptions, TimeRange } from './time.js';

/** The request as its handler sees it: `contextOf(ctx)`. Nothing is parsed before it is read. */
export interface RequestContext {
  /** The caller's preference, and the language of the answer. */
  readonly language: RequestLanguage;
  /** The user's clock, zone, locale and place. */
  readonly environment: RequestEnvironment;
  /** The capabilities of the client on this request. */
  readonly capabilities: RequestCapabilities;
  /** The caller's trace, and the headers that continue it. */
  readonly trace: RequestTrace;
  /** The state that the client keeps for this server; typed if the program says how (`Register`), or through `defineState(…).of(ctx)`. */
  readonly state: RegisteredState;
  // BASE-04
  /**
   * Makes a protocol error to throw, also from a tool of `McpServer`, which would otherwise turn it into a result. Choose a code outside
   * -32768…-32000.
   */
  error(code: number, message: string, data?: JsonObject): Error;
  /** Returns a text of the catalogues in the language of the answer; if it is missing, its key. */
  readonly t: Translate;
  /** Dates, numbers, money, units and lists as the user writes them. */
  readonly format: Format;
  /** Texts that the user sees beside the answer: progress, errors, elicitations. */
  readonly display: Display;
  /** The whole `_meta` as it came, for keys of other extensions. */
  readonly meta: Meta;
  /** Everything in the request that was not usable. Reading it parses the whole request. */
  readonly issues: readonly Issue[];
}

export interface RequestLanguage {
  /** The language to answer in: one of the server's, in the author's spelling. */
  readonly chosen: string;
  /** The preference of the request; absent if it has no usable one. */
  readonly preference: LanguagePreference | undefined;
  // LANG-10
  /** False if `chosen` is the default because nothing matched or nothing was asked for. */
  readonly matched: boolean;
  // LANG-14
  /**
   * Names the language of the answer if it is not `chosen`: an argument of the tool asks for another one, or the text exists in one only.
   * `undefined`: no language can be named, so none is reported.
   */
  use(tags: string | readonly string[] | undefined): void;
}

/** Always complete: the values of the client, or defaults. */
export interface RequestEnvironment {
  // CTX-28
  /** The user's clock, or the server's. For interpretation only: never for authorisation, expiry or audit. */
  readonly now: Timestamp;
  // CTX-26
  /** An IANA name, or a fixed offset (`+02:00`) if only a timestamp came. */
  readonly timezone: string;
  // D-18
  /** Formats dates, numbers and money. It does not choose words. */
  readonly locale: string;
  /** The place as exactly as the client chose to tell it. */
  readonly location: Location | undefined;
  /** The values that the client really sent. */
  readonly given: GivenEnvironment;
  /** Milliseconds by which the client's clock is ahead of the server's; absent if it sent none. */
  readonly skew: number | undefined;
  // CTX-27
  /** True if the offset of the timestamp is not the one its zone has at that instant. */
  readonly disagrees: boolean;
  /** Tells whose clock `now` is: the client's, unless it sent none or differs by more than `environment.maxSkew`. */
  readonly clock: 'client' | 'server';
  /** Returns "last month" as exact instants in the user's zone, or `undefined` if the text means no time. Needs `time` in the options. */
  range(text: string, options?: Pick<TimeOptions, 'prefer' | 'weekStart'>): TimeRange | undefined;
}

export interface RequestCapabilities {
  /** The capabilities of this request; on a 2025-11-25 connection those of `initialize`. Absent if there are none. */
  readonly declared: JsonObject | undefined;
  /**
   * The declared capabilities that this connection can use. On 2025-11-25, elicitation, sampling and roots need a connection on which the
   * server can ask back: not HTTP without a session, and not a transport that answers in JSON only.
   */
  readonly usable: JsonObject | undefined;
  /** True if it is usable: `can('sampling.tools')`, or a requirement in the shape of `ClientCapabilities`. */
  can(required: string | JsonObject): boolean;
  /** Refuses the request with -32021 and the missing part, also from a tool of `McpServer`. */
  requireCapability(required: string | JsonObject): void;
}

export interface RequestTrace {
  // D-25
  /** The caller's trace as it came: from `_meta`, or from the HTTP headers if `_meta` has none. Absent if it must not be continued. */
  readonly parent: TraceContext | undefined;
  /**
   * The trace to link a span of this request to: the caller's, if it is not continued, or that of the HTTP headers, if `_meta` has another
   * one.
   */
  readonly link: TraceContext | undefined;
  /** Returns keys for an outbound call: headers of an HTTP request or `_meta` of an MCP request. Empty without a trace. */
  carrier(): TraceContext;
  // TRACE-15
  /** Returns the headers for an outbound HTTP request: its own, plus those that the request may forward. */
  headers(existing?: HeaderPairs, options?: ForwardOptions): Record<string, string>;
}

/**
 * Returns the context of the request that a handler serves. `ctx` is the last argument that the SDK gives a handler (v2: `ctx`, v1:
 * `extra`). Without it, `serverContext({ ambient: true })` is needed. Throws if the server is not attached: that is a mistake of the
 * program.
 */
export function contextOf(ctx?: object): RequestContext {
  const found = requestOf(ctx) ?? ambientValue();
  if (found instanceof IncomingRequest && found.delivery.hasBegun) return found.context;
  throw new TypeError(`contextOf: ${whyNot(ctx)}`);
}

function whyNot(ctx: unknown): string {
  if (ctx === undefined) return 'no request here; pass the ctx of the handler, or use serverContext({ ambient: true })';
  if (!isHandlerContext(ctx))
    return 'this is not the ctx of a handler; pass the last argument of the handler, or use serverContext({ ambient: true }) if a framework hides it';
  return 'this ctx belongs to no request of an attached server; give the server to attach() before connect()';
}
