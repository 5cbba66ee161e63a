import type { BodyLimits, Random, Tracing } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import type { JsonObject } from '../wire/json.js';
import type { LanguageStrategy } from '../wire/language.js';
import type { AmbientStore } from './ambient.js';
import type { ListCache } from './localise/cache.js';
import type { Catalogs } from './localise/catalogs.js';
import type { LocaliseOptions } from './localise/part.js';
import type { Part } from './part.js';
import type { StateSetup } from './state/define.js';
import type { TimeSupport } from './time.js';

export interface ServerOptions extends WireOptions {
  /** What the server can answer in, as BCP 47 tags; the first is the default. Without it the server takes no part in choosing a language (LANG-07). */
  readonly languages?: readonly string[];
  readonly language?: {
    /** The language for everybody nothing fits; the first of `languages` unless said otherwise. */
    readonly default?: string;
    /** D-10: CLDR best fit unless said otherwise. */
    readonly strategy?: 'cldr' | 'rfc4647' | LanguageStrategy;
  };
  /** The words for `t` and for lists: `await catalogs({ en, de }, { default: 'en' })`. Its languages are the server's unless `languages` says otherwise. */
  readonly catalogs?: Catalogs;
  /** What is localised with them; see docs/localisation.md. */
  readonly localise?: LocaliseOptions;
  /** Lists answered from finished answers: `listCache({ public: true })`, or with a `listKey`. */
  readonly lists?: ListCache;
  readonly environment?: EnvironmentOptions;
  /** What each tool needs of its caller: annotated in the list, checked at every call (CAP-10, CAP-15). */
  readonly tools?: Readonly<Record<string, ToolNeeds>>;
  /** D-14: leave out of the list what the capabilities of that request cannot use. */
  readonly filter?: 'declared';
  /** What the server keeps at its clients: `defineState(…)`. Names without a definition need nothing here. */
  readonly state?: StateSetup;
  readonly trace?: TraceOptions;
  /** Spans and metrics: `openTelemetry()` of `waybill/otel`. It then decides what `trace.carrier()` gives. */
  readonly tracing?: Tracing;
  /** Functions of `@waybill/time`, for `environment.range`: `import * as time from '@waybill/time'`. */
  readonly time?: TimeSupport;
  /** D-13: refuse a request with a malformed value with -32602 and its path. Never for its language. */
  readonly strict?: boolean;
  /** Makes `contextOf()` work without `ctx`. Costs every promise of the process on Node below 24; see docs/server.md. */
  readonly ambient?: boolean | AmbientStore;
  /** What a request body may be at most, at the HTTP edge. */
  readonly limits?: Partial<BodyLimits>;
  readonly onIssue?: Report;
  /** Told of faults of this layer, or of a function in these options; the call goes on. */
  readonly onFault?: (error: unknown) => void;
  /** Further parts, after ours. */
  readonly parts?: readonly Part[];
}

export interface EnvironmentOptions {
  /** CTX-12: for requests that name none. `UTC` unless said otherwise. */
  readonly timezone?: string;
  /** For requests that name neither a locale nor a language. */
  readonly locale?: string;
  /** CTX-28: milliseconds a client's clock may be off before the server's is taken instead. No bound unless said. */
  readonly maxSkew?: number;
  /** The server's clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Which March is "March" for `environment.range`, where neither the sentence nor the call tells: a server of reports says `past`. */
  readonly prefer?: 'future' | 'past';
}

export interface ToolNeeds {
  /** In the shape of `ClientCapabilities`. Hard requirements only: a tool that can do without does not list them (CAP-11). */
  readonly requires?: JsonObject;
  /** D-15: the tool that stands in for this one where its requirements are not met. */
  readonly otherwise?: string;
}

export interface TraceOptions {
  /** D-25: whether the caller's trace is continued, only linked (for public servers), or not looked at. */
  readonly incoming?: 'parent' | 'link' | 'ignore';
  /** Which baggage keys go on to outbound calls. Unless said: all of them from a caller whose trace is continued, none otherwise. */
  readonly baggage?: readonly string[];
  /** Gives what it sends on an id of its own within the caller's trace, instead of passing the texts on as they came (TRACE-11). */
  readonly takesPart?: boolean;
  /** Where ids come from; `crypto.getRandomValues` unless said. */
  readonly random?: Random;
}

/** What the server can answer in: what it says, or what it has words for. */
export function languagesOf({ languages, catalogs }: ServerOptions): readonly string[] | undefined {
  return languages ?? catalogs?.languages;
}
