/**
 * Answers lists from one finished, serialised answer for each variant: the SDK spends about 100 µs per tool on every list, mostly to
 * convert schemas again. It is opt-in, because only the author knows who may see a list: `public: true`, or a `listKey` for each request.
 */
import type { HeaderSource } from '../../wire/headers.js';
import type { Meta } from '../../wire/json.js';
import { CachedLists } from './lists/cache.js';

/** The input of a `listKey`. Credentials come in many forms; on HTTP they are in the headers, or in what a middleware made of them. */
export interface ListRequest {
  readonly method: string;
  /** HTTP only. */
  readonly headers: HeaderSource | undefined;
  /** The result of authentication in front of the edge: `authInfo` of the SDKs. */
  readonly authInfo: unknown;
  readonly meta: Meta;
}

export interface ListCacheOptions {
  /** The lists are the same for everybody. */
  readonly public?: true;
  /** Returns what a list depends on beside language, revision and capabilities: a tenant, a role. `undefined`: this one is not cached. */
  readonly listKey?: (request: ListRequest) => string | undefined;
  /** Milliseconds. Default: one minute. */
  readonly maxAge?: number;
  /** Default: 256. */
  readonly maxVariants?: number;
  /** Estimated memory of the answers. Default: 256 MiB. A tool takes about 2 KiB for each language, 4 KiB without HTTP. */
  readonly maxBytes?: number;
  readonly clock?: () => number;
}

export interface ListCache {
  readonly size: number;
  readonly bytes: number;
  /** For a change without a `list_changed`; drops all lists, or that of one method. */
  drop(method?: string): void;
}

/** Pass the result to `serverContext({ lists })`, and keep it to inspect it or to drop lists. */
export function listCache(options: ListCacheOptions = {}): ListCache {
  return new CachedLists(options);
}
