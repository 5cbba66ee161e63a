import type { Random, Telemetry } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import { isMetaKey } from '../wire/meta.js';
import type { AsyncStorage } from './ambient.js';
import { checkCapabilities, type ToolOptions } from './capabilities.js';
import { check, fullText, functionOrNothing, object, oneOf, principal, type Checks } from './checks.js';
import type { AttachOptions } from './connection.js';
import { checkEnvironment } from './environment.js';
import { checkHide, type Hide } from './hide.js';
import { checkLanguage, type AnswerAbout } from './language.js';
import { checkMeta } from './meta.js';
import type { Part } from './part.js';
import type { Platform } from './platform.js';
import type { StateOptions } from './state.js';
import { checkTrace } from './trace.js';
import type { Values } from './values.js';

export interface ClientContextOptions extends Values, WireOptions {
  /** CAP-14, D-15: what becomes of tools that need more than the client can do. */
  readonly tools?: ToolOptions;
  /** TRACE-12, D-20: the baggage members that may leave this client, whoever wrote them. None by default. */
  readonly baggage?: readonly string[];
  /** Also sends the trace in HTTP headers, for whatever stands between and reads no bodies. */
  readonly mirror?: boolean;
  /** Spans and metrics: `openTelemetry()` of `waybill/otel`. */
  readonly tracing?: Telemetry;
  /** What servers may keep here, and where. Without it: in memory, and only servers whose identity is given to `attach`. */
  readonly state?: StateOptions;
  /** Also on requests that are no tool calls (CTX-16). */
  readonly environmentEverywhere?: boolean;
  /** Keys of a result's `_meta` that the application, and so a model, does not get to see. */
  readonly hide?: Hide;
  readonly onIssue?: Report;
  /** Told of what was thrown where nothing may be: an option function, or the layer itself. The call went on. */
  readonly onFault?: (error: unknown) => void;
  /** Told of every answer, and every step on the way to one, with its language. */
  readonly onAnswer?: (about: AnswerAbout) => void;
  /** More concerns, behind the five. */
  readonly parts?: readonly Part[];

  /** Milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  readonly platform?: () => Platform;
  readonly random?: Random;
  /** An `AsyncLocalStorage` for `run()`, where the runtime has one that cannot be found without an import. */
  readonly storage?: AsyncStorage;
}

const VALUES: Checks = {
  language: checkLanguage,
  environment: checkEnvironment,
  trace: checkTrace,
  capabilities: checkCapabilities,
  meta: checkMeta,
  principal,
  conversation: object,
};
const FUNCTIONS = ['onIssue', 'onFault', 'onAnswer', 'clock', 'platform', 'random'];
const OPTIONS: Checks = {
  ...VALUES,
  ...Object.fromEntries(FUNCTIONS.map((name) => [name, functionOrNothing])),
  hide: checkHide,
  state: object,
  wire: oneOf('current', 'seed'),
  stateKeys: oneOf('seed', 'alias'),
  environmentEverywhere: oneOf(true, false),
  mirror: oneOf(true, false),
  tracing: object,
  storage(value, path) {
    const { run, getStore } = (value ?? {}) as Partial<AsyncStorage>;
    if (value !== undefined && (typeof run !== 'function' || typeof getStore !== 'function'))
      throw new TypeError(`${path}: expected an AsyncLocalStorage`);
  },
  dialects(value, path) {
    if (value !== undefined && !(Array.isArray(value) && value.every((name) => name === 'openai')))
      throw new TypeError(`${path}: expected a list of 'openai'`);
  },
  environmentKey(value, path) {
    if (value !== undefined && !(typeof value === 'string' && isMetaKey(value))) throw new RangeError(`${path}: is not a valid _meta key`);
  },
  baggage(value, path) {
    if (value !== undefined && !(Array.isArray(value) && value.every((key) => typeof key === 'string')))
      throw new TypeError(`${path}: expected a list of keys`);
  },
  parts(value, path) {
    if (value !== undefined && !Array.isArray(value)) throw new TypeError(`${path}: expected a list of parts`);
  },
  tools(value, path) {
    if (value === undefined) return;
    check(value, TOOLS, 'an option', `${path}.`);
  },
};

const TOOLS: Readonly<Record<keyof ToolOptions, Checks[string]>> = {
  unmet: oneOf('filter', 'disable', 'allow'),
  substitution: oneOf(true, false),
};

const ATTACH: Readonly<Record<keyof AttachOptions, Checks[string]>> = {
  server: fullText,
  principal,
  conversation: object,
  fetch: oneOf(true, false),
  client: object,
};

/** Every option once, at construction; the message names the path. */
export function checkOptions(options: object): void {
  check(options, OPTIONS, 'an option');
}

/** What `update()`, `run()` and `with()` are given. */
export function checkValues(values: object): void {
  check(values, VALUES, 'a value');
}

/** What `attach()`, and whatever attaches for somebody, is given. */
export function checkAttach(options: object, call: 'attach' | 'fetch' | 'instrument'): void {
  check(options, ATTACH, 'an option', `${call}.`);
}

/** The part of the options that applies to calls. */
export function valuesIn(options: ClientContextOptions): Values {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => Object.hasOwn(VALUES, name) && value !== undefined));
}

export function wireIn({ wire, environmentKey, stateKeys, dialects }: WireOptions): WireOptions {
  return {
    ...(wire && { wire }),
    ...(environmentKey !== undefined && { environmentKey }),
    ...(stateKeys && { stateKeys }),
    ...(dialects && { dialects }),
  };
}
