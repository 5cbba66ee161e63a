import type { BodyLimits, Random, Telemetry } from '../transport/index.js';
import type { AsyncStorage } from '../transport/storage.js';
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
  /** What the server can answer in, as BCP 47 tags; the first is the default. Without it the server takes no part in choosing a language. */
  readonly languages?: readonly string[];
  readonly language?: {
    /** The language for everybody nothing fits; the first of `languages` unless said otherwise. */
    readonly default?: string;
    /** How a language is chosen; CLDR's best fit by default. */
    readonly strategy?: 'cldr' | 'rfc4647' | LanguageStrategy;
    /**
     * Treats an `Accept-Language` header of exactly `*` as absent, for clients that write `_meta` themselves and whose `fetch` adds that
     * header. Such answers are private to their caller. A mismatch with any other header is still refused.
     */
    readonly ignoreStarHeader?: boolean;
  };
  /** The words for `t` and for lists: `await catalogs({ en, de }, { default: 'en' })`. Its languages are the server's unless `languages` says otherwise. */
  readonly catalogs?: Catalogs;
  /** What is localised with them; see docs/localisation.md. */
  readonly localise?: LocaliseOptions;
  /** Lists answered from finished answers: `listCache({ public: true })`, or with a `listKey`. */
  readonly lists?: ListCache;
  readonly environment?: EnvironmentOptions;
  /** What each tool needs of its caller: annotated in the list, checked at every call. */
  readonly tools?: Readonly<Record<string, ToolNeeds>>;
  /** Leaves tools out of the list that the capabilities of that request cannot use. */
  readonly filter?: 'declared';
  /** What the server keeps at its clients: `defineState(…)`. Names without a definition need nothing here. */
  readonly state?: StateSetup;
  /**
   * Which fields of a client's context the tools use, and why: `{ timezone: 'to read "yesterday" as you mean it' }`. A client may show the
   * reason when it asks its user. One line of at most 200 characters each.
   */
  readonly wants?: Wants;
  readonly trace?: TraceOptions;
  /** Spans and metrics: `openTelemetry()` of `waybill/otel`. It then decides what `trace.carrier()` gives. */
  readonly telemetry?: Telemetry;
  /** The baggage keys that go on to outbound calls. By default all of a caller whose trace is continued, and none of others. */
  readonly baggage?: readonly string[];
  /** Functions of `@waybill/time`, for `environment.range`: `import * as time from '@waybill/time'`. */
  readonly time?: TimeSupport;
  /** Refuses a request with a malformed value, with -32602 and its path. A malformed language is never refused. */
  readonly strict?: boolean;
  /** Makes `contextOf()` work without `ctx`. Costs every promise of the process on Node below 24; see docs/server.md. */
  readonly ambient?: boolean;
  /** An `AsyncLocalStorage` for `ambient`, where the runtime has one that cannot be found without an import. */
  readonly storage?: AsyncStorage;
  /** What a request body, and all that are read at one time, may be at most at the HTTP edge. */
  readonly limits?: Partial<BodyLimits>;
  readonly onIssue?: Report;
  /** Told of faults of this layer, or of a function in these options; the call goes on. */
  readonly onFault?: (error: unknown) => void;
  /** Further parts, after ours. */
  readonly parts?: readonly ServerPart[];
  /** The server's clock, in milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** Fills bytes at random, for ids of spans; `crypto.getRandomValues` by default. */
  readonly random?: Random;
}

export interface EnvironmentOptions {
  /** The zone for requests that name none; `UTC` by default. */
  readonly timezone?: string;
  /** The locale for requests that name neither a locale nor a language. */
  readonly locale?: string;
  /** How many milliseconds a client's clock may differ before the server's is used instead. No bound by default. */
  readonly maxSkew?: number;
  /** Which March is "March" for `environment.range`, where neither the sentence nor the call tells: a server of reports says `past`. */
  readonly prefer?: 'future' | 'past';
}

export interface ToolNeeds {
  /** In the shape of `ClientCapabilities`. Hard requirements only: a tool that can do without does not list them. */
  readonly requires?: JsonObject;
  /** The tool that is offered instead of this one to clients that do not meet its requirements. */
  readonly otherwise?: string;
}

export interface TraceOptions {
  /** Whether the caller's trace is continued, only linked (for public servers), or ignored. */
  readonly incoming?: 'parent' | 'link' | 'ignore';
  /** Gives what it sends on an id of its own within the caller's trace, instead of passing the texts on as they came. */
  readonly takesPart?: boolean;
}

/** What the server can answer in: what it says, or what it has words for. */
export function languagesOf({ languages, catalogs }: ServerContextOptions): readonly string[] | undefined {
  return languages ?? catalogs?.languages;
}
