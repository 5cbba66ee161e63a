/**
 * Answers lists from one finished, serialised answer for each variant: the SDK spends about 100 µs per tool on every list, mostly to
 * convert schemas again. It is opt-in, because only the author knows who may see a list: `public: true`, or a `listKey` for each request.
 */
import { checkNames, expectFunction } from '../../wire/check.js';
import type { HeaderSource } from '../../wire/headers.js';
import type { Meta } from '../../wire/json.js';
import { Accepted } from './lists/early.js';
import { FinishedAnswers } from './lists/finished.js';

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

const NAMES = ['public', 'listKey', 'maxAge', 'maxVariants', 'maxBytes', 'clock'] satisfies (keyof ListCacheOptions)[];

export class CachedLists implements ListCache {
  readonly answers: FinishedAnswers;
  /** Requests that a server has answered, by their envelope, and requests that reached one over HTTP, by envelope and headers. */
  readonly accepted = new Accepted();
  readonly key: (request: ListRequest) => string | undefined;
  readonly clock: () => number;
  /** The last result of each method, so that the next one can share equal parts. */
  readonly latest = new Map<string, object>();
  /** Grows when a list changes: an answer that was begun before is not cached after. */
  generation = 0;

  constructor(options: ListCacheOptions) {
    checkNames(options, NAMES, 'lists');
    const { public: everybody, listKey, maxAge = 60_000, maxVariants = 256, maxBytes = 256 * 1024 * 1024, clock = Date.now } = options;
    if ((everybody === true) === (listKey !== undefined))
      throw new TypeError('lists: expected either public: true, if the lists are the same for everybody, or a function listKey(request)');
    expectFunction(listKey, 'lists.listKey');
    expectFunction(clock, 'lists.clock');
    for (const [name, value] of Object.entries({ maxAge, maxVariants, maxBytes }))
      if (!(typeof value === 'number' && value > 0)) throw new RangeError(`lists.${name}: expected a positive number`);
    this.key = listKey ?? (() => '');
    this.clock = clock;
    this.answers = new FinishedAnswers({ maxAge, maxVariants, maxBytes, clock });
  }

  get size(): number {
    return this.answers.size;
  }

  get bytes(): number {
    return this.answers.bytes;
  }

  drop(method?: string): void {
    this.generation++;
    this.latest.clear();
    this.answers.drop(method === undefined ? '' : `${method} `);
  }
}
