import type { Random, Telemetry } from '../transport/index.js';
import type { AsyncStorage } from '../transport/runtime.js';
import {
  checkMembers,
  expectFlag,
  expectFullText,
  expectFunction,
  expectList,
  expectMembers,
  expectMethods,
  expectPrincipal,
  expectObject,
  expectOneOf,
  expects,
  expectStorage,
  expectTexts,
  WIRE_CHECKS,
  type Check,
  type Checks,
} from '../wire/check.js';
import type { WireOptions } from '../wire/concern.js';
import { isObject } from '../wire/json.js';
import type { Report } from '../wire/issue.js';
import { checkCapabilities, type ToolOptions } from './capabilities.js';
import { checkEnvironment } from './environment.js';
import { checkHide, type Hide } from './hide.js';
import { checkLanguage, type AnswerAbout } from './language.js';
import { checkMeta } from './meta.js';
import type { ClientPart, Conversation } from './part.js';
import type { Platform } from './platform.js';
import type { Policy } from '../wire/policy.js';
import type { ClientPolicy, PolicyFunction } from './policy.js';
import type { ClientState } from './state.js';
import { checkTrace } from './trace.js';
import type { CallValues } from './values.js';

export interface ClientContextOptions extends CallValues, WireOptions {
  /** Treatment of tools that need more than the client can do. */
  readonly tools?: ToolOptions;
  /** The baggage members that may leave this client, also those that a caller wrote. None by default. */
  readonly baggage?: readonly string[];
  /**
   * Sends the trace in HTTP headers too, for proxies that read no bodies. If instrumentation of HTTP adds these headers itself, `true` adds
   * none; `'always'` adds them anyway.
   */
  readonly mirror?: boolean | 'always';
  /** Spans and metrics: `openTelemetry()` of `waybill/otel`. */
  readonly telemetry?: Telemetry;
  /** Lets servers keep state here: `jar({ store, hosts })` of `waybill/client/jar`. Without it no state is declared. */
  readonly state?: ClientState;
  /**
   * Says what each server may know: rules, a function that returns the rules of a server, `policy(rules, { ask })` of `waybill/client/policy`, or
   * `policyFile(path)` of `waybill/client/node`. A bundle for a browser takes the last two only.
   */
  readonly policy?: Policy | PolicyFunction | ClientPolicy;
  /** Sends the environment on every request. By default only tool calls carry it. */
  readonly environmentEverywhere?: boolean;
  /** Takes keys of `_meta` out of results, so that neither the application nor a model sees them. */
  readonly hide?: Hide;
  /** Called for each value of a peer that was dropped, with its key and the reason. */
  readonly onIssue?: Report;
  /** Called with what a function of these options, or the layer itself, threw. The call goes on. */
  readonly onFault?: (error: unknown) => void;
  /** Called with the language of each result, error, progress report and request for input. */
  readonly onAnswer?: (about: AnswerAbout) => void;
  /** Parts of your own. They run after those of the five concerns. */
  readonly parts?: readonly ClientPart[];

  /** Milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** The user's time zone, locale and languages; those of the runtime by default. */
  readonly platform?: () => Platform;
  /** Fills an array with random bytes, for trace ids; `crypto.getRandomValues` by default. */
  readonly random?: Random;
  /** An `AsyncLocalStorage` for `run()`, for runtimes where it cannot be found without an import. */
  readonly storage?: AsyncStorage;
}

export interface AttachOptions {
  /** The identity of the server, if it cannot or should not be derived. State of the server is kept under this name. */
  readonly server?: string;
  /** The user whose calls these are (`null`: no particular user), unless `run()` says otherwise. */
  readonly principal?: string | null;
  /** The conversation of this connection, unless `run()` says otherwise. */
  readonly conversation?: Conversation;
  /** `false`: leaves the `fetch` of the transport alone. Answers are then not checked against their headers. */
  readonly fetch?: boolean;
  /** The SDK's client. It knows the server's capabilities if a connection is resumed without asking the server. */
  readonly client?: { getServerCapabilities?(): unknown };
}

const VALUES: Readonly<Record<keyof CallValues, Check>> = {
  language: checkLanguage,
  environment: checkEnvironment,
  trace: checkTrace,
  capabilities: checkCapabilities,
  meta: checkMeta,
  principal: expectPrincipal,
  conversation: expectObject,
};

const TOOLS: Readonly<Record<keyof ToolOptions, Check>> = {
  unmet: expectOneOf('filter', 'disable', 'allow'),
  substitution: expectFlag,
};

const OPTIONS: Readonly<Record<keyof ClientContextOptions, Check>> & Checks = {
  ...VALUES,
  tools: expectMembers(TOOLS),
  baggage: expectTexts,
  mirror: expects("true, false or 'always'", (value) => typeof value === 'boolean' || value === 'always'),
  telemetry: expectMethods('the value that openTelemetry() returns', 'around', 'carrier'),
  state: expectMethods('the value that jar() of waybill/client/jar returns', 'open'),
  policy: expects(
    'rules, a function that returns rules, policy(rules, { ask }) or policyFile(path)',
    (value) => isObject(value) || typeof value === 'function',
  ),
  environmentEverywhere: expectFlag,
  hide: checkHide,
  onIssue: expectFunction,
  onFault: expectFunction,
  onAnswer: expectFunction,
  parts: expectList,
  clock: expectFunction,
  platform: expectFunction,
  random: expectFunction,
  storage: expectStorage,
  ...WIRE_CHECKS,
};

const ATTACH: Readonly<Record<keyof AttachOptions, Check>> = {
  server: expectFullText,
  principal: expectPrincipal,
  conversation: expectObject,
  fetch: expectFlag,
  client: expectObject,
};

export function checkOptions(options: ClientContextOptions): void {
  checkMembers(options, OPTIONS, 'options', '');
}

/** Checks the values that `update()`, `run()` and `with()` take. */
export function checkValues(values: CallValues): void {
  checkMembers(values, VALUES, 'values', '');
}

export function checkAttach(options: AttachOptions, call: 'attach' | 'fetch' | 'instrument'): void {
  checkMembers(options, ATTACH, call);
}

/** Returns the options that apply to calls. */
export function valuesIn(options: ClientContextOptions): CallValues {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => Object.hasOwn(VALUES, name) && value !== undefined));
}
