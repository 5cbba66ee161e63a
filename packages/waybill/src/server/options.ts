import type { BodyLimits, Random, Telemetry } from '../transport/index.js';
import type { AsyncStorage } from '../transport/runtime.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import type { JsonObject } from '../wire/json.js';
import type { LanguageStrategy } from '../wire/language.js';
import type { Wants } from '../wire/policy.js';
import type { ListCache } from './parts/lists.js';
import type { Catalogs } from './localise/catalogs.js';
import type { LocaliseOptions } from './parts/localise.js';
import type { ServerPart } from './part.js';
import type { StateSetup } from './state/define.js';
import type { TimeSupport } from './time.js';

export interface ServerContextOptions extends WireOptions {
  /** The languages the server can answer in, as BCP 47 tags; the first is the default. Without it the server does not choose a language. */
  readonly languages?: readonly string[];
  /** How a language is chosen: `default` if nothing fits, `strategy` to choose; `ignoreStarHeader` for clients whose `fetch` adds `*`. */
  readonly language?: {
    /** The language if nothing fits. Default: the first of `languages`. */
    readonly default?: string;
    /** The strategy that chooses a language. Default: CLDR's best fit. */
    readonly strategy?: 'cldr' | 'rfc4647' | LanguageStrategy;
    /**
     * Treats an `Accept-Language` header of exactly `*` as absent, for clients that write `_meta` themselves and whose `fetch` adds that
     * header. Such answers are private to their caller. A mismatch with any other header is still refused.
     */
    readonly ignoreStarHeader?: boolean;
  };
  /**
   * The texts for `t` and for lists: `await catalogs({ en, de }, { default: 'en' })`. Its languages are the server's, unless `languages` is
   * given.
   */
  readonly catalogs?: Catalogs;
  /** Options of localisation; see docs/reference/localisation.md. */
  readonly localise?: LocaliseOptions;
  /** Answers lists from finished answers: `listCache({ public: true })`, or with a `listKey`. */
  readonly lists?: ListCache;
  /** Zone and locale for clients that send none, and how far their clock may differ. */
  readonly environment?: EnvironmentOptions;
  /** Requirements of each tool: shown in the list, checked at every call. */
  readonly tools?: Readonly<Record<string, ToolNeeds>>;
  /** Leaves tools out of the list that the capabilities of the request cannot use. */
  readonly filter?: 'declared';
  /** The state that the server keeps at its clients: `defineState(…)`. Names without a definition need nothing here. */
  readonly state?: StateSetup;
  /**
   * The fields of a client's context that the tools use, and why: `{ timezone: 'to read "yesterday" as you mean it' }`. A client may show the
   * reason when it asks its user. One line of at most 200 characters each.
   */
  readonly wants?: Wants;
  /** What happens to the caller's trace. */
  readonly trace?: TraceOptions;
  /** Spans and metrics: `openTelemetry()` of `waybill/otel`. It then decides what `trace.carrier()` returns. */
  readonly telemetry?: Telemetry;
  /** The baggage keys that go on to outbound calls. Default: all keys if the caller's trace is continued, otherwise none. */
  readonly baggage?: readonly string[];
  /** Functions of `@waybill/time`, for `environment.range`: `import * as time from '@waybill/time'`. */
  readonly time?: TimeSupport;
  /** Refuses a request with a malformed value, with -32602 and its path. A malformed language is never refused. */
  readonly strict?: boolean;
  /** Makes `contextOf()` work without `ctx`. Costs every promise of the process on Node below 24; see docs/reference/server.md. */
  readonly ambient?: boolean;
  /** An `AsyncLocalStorage` for `ambient`, for runtimes where it cannot be found without an import. */
  readonly storage?: AsyncStorage;
  /** Limits for one request body, and for all that are read at one time, at the HTTP edge. */
  readonly limits?: Partial<BodyLimits>;
  /** Called for each value of a peer that was dropped, and for mistakes in the setup. `console.warn` is enough while you develop. */
  readonly onIssue?: Report;
  /** Called with faults of this layer, or of a function in these options; the call goes on. */
  readonly onFault?: (error: unknown) => void;
  /** Parts of your own. They run after ours. */
  readonly parts?: readonly ServerPart[];
  /** The server's clock, in milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** Fills an array with random bytes, for span ids; `crypto.getRandomValues` by default. */
  readonly random?: Random;
}

export interface EnvironmentOptions {
  /** The zone for requests that name none; `UTC` by default. */
  readonly timezone?: string;
  /** The locale for requests that name neither a locale nor a language. */
  readonly locale?: string;
  /** Milliseconds by which a client's clock may differ before the server's is used instead. No bound by default. */
  readonly maxSkew?: number;
  /** Decides which March `environment.range` means if neither the sentence nor the call says it: `past` suits reports. */
  readonly prefer?: 'future' | 'past';
}

export interface ToolNeeds {
  /** In the shape of `ClientCapabilities`. Only hard requirements: leave out what the tool can do without. */
  readonly requires?: JsonObject;
  /** The tool that is offered instead of this one to clients that do not meet its requirements. */
  readonly otherwise?: string;
}

export interface TraceOptions {
  /** Says whether the caller's trace is continued, only linked (for public servers), or ignored. */
  readonly incoming?: 'parent' | 'link' | 'ignore';
  /** Gives outgoing requests their own id within the caller's trace, instead of passing the caller's texts on unchanged. */
  readonly takesPart?: boolean;
}

/** Returns the languages the server can answer in: the option, or those of its catalogues. */
export function languagesOf({ languages, catalogs }: ServerContextOptions): readonly string[] | undefined {
  return languages ?? catalogs?.languages;
}
