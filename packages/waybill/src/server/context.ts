import type { Issue } from '../wire/issue.js';
import type { LanguagePreference } from '../wire/language.js';
import type { Environment as GivenEnvironment, Location, Timestamp } from '../wire/environment.js';
import { isObject, type JsonObject, type Meta } from '../wire/json.js';
import type { ForwardOptions, HeaderPairs, TraceContext } from '../wire/trace.js';
import { ambientValue } from './ambient.js';
import { requestOf } from './find.js';
import { IncomingRequest } from './request.js';
import type { RegisteredState } from './state/define.js';
import type { Format } from './localise/format.js';
import type { Display, Translate } from './localise/speak.js';
import type { TimeOptions, TimeRange } from './time.js';

/** What a handler sees of its request: `contextOf(ctx)`. Nothing in it is parsed before it is asked for. */
export interface RequestContext {
  readonly language: RequestLanguage;
  readonly environment: RequestEnvironment;
  readonly capabilities: RequestCapabilities;
  readonly trace: RequestTrace;
  /** What the client keeps for this server; typed where the program says how (`Register`), or through `defineState(…).of(ctx)`. */
  readonly state: RegisteredState;
  /**
   * An error of the protocol to be thrown, also from inside a tool of `McpServer`, which would make a result of it. A code of one's
   * own lies outside -32768…-32000 (BASE-04).
   */
  error(code: number, message: string, data?: JsonObject): Error;
  /** A text of the catalogues in the language of the answer; at worst its key. */
  readonly t: Translate;
  /** Dates, numbers, money, units and lists as the user writes them. */
  readonly format: Format;
  /** What the user sees beside the answer: progress, errors, elicitations. */
  readonly display: Display;
  /** The whole `_meta` as it came, for keys that are nobody's concern. */
  readonly meta: Meta;
  /** Everything in the request that was not usable; asking reads all of it. */
  readonly issues: readonly Issue[];
}

export interface RequestLanguage {
  /** The language to answer in: one of the server's, spelled as its author did. */
  readonly chosen: string;
  /** What the request prefers; absent where it said nothing usable. */
  readonly asked: LanguagePreference | undefined;
  /** False where `chosen` is the default because nothing matched or nothing was asked for (LANG-10). */
  readonly matched: boolean;
  /**
   * Says which language the answer is really in, where it is not `chosen`: an argument of the tool named another (LANG-14), or the
   * text exists in one only. `undefined`: in none that could be named, so nothing is reported.
   */
  use(tags: string | readonly string[] | undefined): void;
}

/** Always there: what the client said, or else an honest default. */
export interface RequestEnvironment {
  /** The user's clock, or the server's. For interpretation only: never for authorisation, expiry or audit (CTX-28). */
  readonly now: Timestamp;
  /** An IANA name, or a fixed offset (`+02:00`) where only a timestamp came (CTX-26). */
  readonly timezone: string;
  /** Formats dates, numbers and money; chooses no words (D-18). */
  readonly locale: string;
  readonly location: Location | undefined;
  /** What the client really sent. */
  readonly given: GivenEnvironment;
  /** Milliseconds by which the client's clock is ahead of the server's; absent where it sent none. */
  readonly skew: number | undefined;
  /** The timestamp's offset is not the one its zone has at that instant (CTX-27). */
  readonly disagrees: boolean;
  /** Whose clock `now` is: the client's, unless it sent none or is further off than `environment.maxSkew`. */
  readonly clock: 'client' | 'server';
  /** "last month" as exact instants in the user's zone, or `undefined` where the text means none. Needs `time` in the options. */
  range(text: string, options?: Pick<TimeOptions, 'prefer' | 'weekStart'>): TimeRange | undefined;
}

export interface RequestCapabilities {
  /** What this request declares; on a 2025-11-25 connection what `initialize` declared. Absent where nobody said. */
  readonly declared: JsonObject | undefined;
  /**
   * Those of `declared` that count. On 2025-11-25, elicitation, sampling and roots need a connection on which the server can ask back: not HTTP
   * without a session, and not a transport that answers in JSON only.
   */
  readonly usable: JsonObject | undefined;
  /** Whether it is usable: `can('sampling.tools')`, or a requirement in the shape of `ClientCapabilities`. */
  can(required: string | JsonObject): boolean;
  /** Refuses the request with -32021 and the missing part, also from inside a tool of `McpServer`. */
  requireCapability(required: string | JsonObject): void;
}

export interface RequestTrace {
  /**
   * The caller's trace, the texts as they came: from `_meta`, or from the HTTP headers where `_meta` has none. Absent where it is not to be
   * continued (D-25).
   */
  readonly parent: TraceContext | undefined;
  /** What a span of this request is to be linked to: the caller's trace where it is not continued, or else that of the HTTP headers where `_meta` won. */
  readonly link: TraceContext | undefined;
  /** Keys for an outbound call: headers of an HTTP request or `_meta` of an MCP request. Empty without a trace. */
  carrier(): TraceContext;
  /** TRACE-15: headers for an outbound HTTP request, those it has already among them, by the policies of SEP-2028. */
  headers(existing?: HeaderPairs, options?: ForwardOptions): Record<string, string>;
}

/**
 * What the request of this handler carries. `ctx` is what the SDK gives a handler as its last argument (v2: `ctx`, v1: `extra`).
 * Without it, `serverContext({ ambient: true })` is needed. Throws where the server has no layer: that is a mistake of the program.
 */
export function contextOf(ctx?: object): RequestContext {
  const found = requestOf(ctx) ?? ambientValue();
  if (found instanceof IncomingRequest && found.isDelivered) return found.context;
  throw new TypeError(`contextOf: ${whyNot(ctx)}`);
}

function whyNot(ctx: unknown): string {
  if (ctx === undefined) return 'no request here; pass the ctx of the handler, or use serverContext({ ambient: true })';
  if (!isObject(ctx) || !['mcpReq', 'requestId'].some((name) => name in ctx))
    return 'this is not the ctx of a handler, its last argument; where a framework hides that, use serverContext({ ambient: true })';
  return 'this ctx belongs to no request of a server with the layer; was the server given to attach() before it was connected?';
}
