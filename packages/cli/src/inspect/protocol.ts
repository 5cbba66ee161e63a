/** The messages between the page and its server. The page imports these types; nothing here exists at run time. */
import type { ExchangeRecord } from '@waybill/gateway';
import type { Location, Precision, StateScope } from 'waybill';
import type { LedgerEntry, StateJar } from 'waybill/client';

/** The context under which the page sends its calls. An absent member is not sent. */
export interface PageContext {
  /** An `Accept-Language` text. */
  readonly language?: string;
  readonly timezone?: string;
  readonly locale?: string;
  /** A fixed clock for the calls, as RFC 3339. Without it the clock runs. */
  readonly now?: string;
  readonly place?: Place;
  /** Paths such as `elicitation.form`. */
  readonly capabilities: readonly string[];
  /** `start` begins a new trace for each call. */
  readonly trace: 'off' | 'start';
}

export interface Place extends Location {
  readonly precision: Precision;
}

export interface TargetInfo {
  /** The page shows the feed of a gateway and calls nothing. Absent: a server. */
  readonly kind?: 'gateway';
  readonly name: string;
  /** An address or a command, with secrets masked. */
  readonly address: string;
  readonly status: 'connecting' | 'ready' | 'lost';
  /** The reason and the next step, while the target is lost. */
  readonly problem?: Problem;
  readonly title?: string;
  readonly revision?: string;
}

export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

export interface ContextAnswer {
  readonly target: TargetInfo;
  readonly context: PageContext;
  /** Capabilities that the page can switch. */
  readonly switches: readonly string[];
}

/** The options of a call, beside its method and params. */
export interface SendOptions {
  readonly context?: Partial<PageContext>;
  /** The call has this context alone, without anything of the context bar. */
  readonly alone?: boolean;
  /** Answers to the questions of the server, for a call that is repeated. */
  readonly answers?: readonly unknown[];
  /** The state that a record has, by scope and name. The call carries it instead of the jar's. */
  readonly state?: object;
}

export interface SendAnswer {
  readonly result?: unknown;
  readonly error?: SendError;
  readonly language?: string;
  readonly ms: number;
}

export type SendError = Problem & { readonly code?: number; readonly data?: unknown };

/** One request and its answer as they crossed the wire. */
export interface LoggedExchange {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms?: number;
  readonly method: string;
  readonly name?: string;
  /** `us`: the page asked. `them`: the server asked. */
  readonly askedBy: 'us' | 'them';
  readonly outcome?: string;
  readonly request: unknown;
  readonly answer?: unknown;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly issues: readonly LoggedIssue[];
  /** The exchange passed a gateway. Then `request` and `answer` are there only if its feed has bodies. */
  readonly hop?: Hop;
}

/** The facts that a gateway's feed gives about an exchange: names, counts and sizes. */
export interface Hop extends Pick<
  ExchangeRecord,
  'upstream' | 'requestSize' | 'answerSize' | 'fields' | 'disclosed' | 'withheld' | 'cached'
> {
  /** The request as it went on, where the rules changed it. */
  readonly sent?: unknown;
}

export interface LoggedIssue {
  readonly concern?: string;
  readonly key: string;
  readonly problem: string;
}

export interface Question {
  readonly question: number;
  /** The field that the policy asks about; then the answer is `once`, `always` or `never`. */
  readonly consent?: { readonly server?: string; readonly field: string; readonly precision?: string };
  /** The server's own words: untrusted text. */
  readonly message: string;
  readonly language?: string;
  readonly schema?: unknown;
  readonly url?: string;
}

export type PageEvent =
  | { readonly type: 'target'; readonly target: TargetInfo }
  | { readonly type: 'exchange'; readonly exchange: LoggedExchange }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'answered'; readonly question: number }
  | { readonly type: 'progress'; readonly message?: string; readonly progress: number; readonly total?: number }
  | { readonly type: 'issue'; readonly issue: LoggedIssue };

export interface LedgerAnswer {
  readonly entries: readonly LedgerEntry[];
}

export interface JarAnswer {
  readonly server: string;
  readonly items: readonly JarItem[];
  readonly issues: readonly LoggedIssue[];
}

export type JarItem = Awaited<ReturnType<StateJar['show']>>[number];

export type JarChange =
  { readonly name: string; readonly scope: StateScope; readonly conversation?: string; readonly value: unknown } | { readonly clear: true };
