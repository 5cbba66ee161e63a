/**
 * Answers lists from one finished, serialised answer for each variant: the SDK spends about 100 µs per tool on every list, mostly to
 * convert schemas again. It is opt-in, because only the author knows who may see a list: `public: true`, or a `listKey` for each request.
 */
import type { Message } from '../../transport/index.js';
import { canonicalCapabilities } from '../../wire/capabilities.js';
import { checkNames, expectFunction } from '../../wire/check.js';
import { fieldValue, type HeaderSource } from '../../wire/headers.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { PROTOCOL_VERSION } from '../../wire/keys.js';
import { atOnce } from '../../wire/maybe.js';
import { state } from '../../wire/state.js';
import { languageNamedIn } from '../head.js';
import type { ServerContextOptions } from '../options.js';
import type { ServerPart, ServerRequest } from '../part.js';
import { Accepted, isPlainList, judgedOf } from './lists/early.js';
import { FinishedAnswer, FinishedAnswers } from './lists/finished.js';
import type { Catalogs } from '../localise/catalogs.js';
import { LISTS } from '../localise/fields.js';

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
  return new Lists(options);
}

const NAMES = ['public', 'listKey', 'maxAge', 'maxVariants', 'maxBytes', 'clock'] satisfies (keyof ListCacheOptions)[];

type Caller = Pick<ListRequest, 'headers' | 'authInfo'>;

class Lists implements ListCache {
  readonly #answers: FinishedAnswers;
  /** Requests that a server has answered, by their envelope, and requests that reached one over HTTP, by envelope and headers. */
  readonly #accepted = new Accepted();
  readonly #key: (request: ListRequest) => string | undefined;
  readonly #clock: () => number;
  /** The last result of each method, so that the next one can share equal parts. */
  readonly #latest = new Map<string, object>();
  /** Grows when a list changes: an answer that was begun before is not cached after. */
  #generation = 0;

  constructor(options: ListCacheOptions) {
    checkNames(options, NAMES, 'lists');
    const { public: everybody, listKey, maxAge = 60_000, maxVariants = 256, maxBytes = 256 * 1024 * 1024, clock = Date.now } = options;
    if ((everybody === true) === (listKey !== undefined))
      throw new TypeError('lists: expected either public: true, if the lists are the same for everybody, or a function listKey(request)');
    expectFunction(listKey, 'lists.listKey');
    expectFunction(clock, 'lists.clock');
    for (const [name, value] of Object.entries({ maxAge, maxVariants, maxBytes }))
      if (!(typeof value === 'number' && value > 0)) throw new RangeError(`lists.${name}: expected a positive number`);
    this.#key = listKey ?? (() => '');
    this.#clock = clock;
    this.#answers = new FinishedAnswers({ maxAge, maxVariants, maxBytes, clock });
  }

  get size(): number {
    return this.#answers.size;
  }

  get bytes(): number {
    return this.#answers.bytes;
  }

  drop(method?: string): void {
    this.#generation++;
    this.#latest.clear();
    this.#answers.drop(method === undefined ? '' : `${method} `);
  }

  part(catalogs: Catalogs | undefined, isFiltered: boolean): ServerPart {
    /** The variant as the edge saw it, if the request came through one. */
    const variantAtEdge = new WeakMap<ServerRequest, string | undefined>();
    const begun = new WeakMap<ServerRequest, number>();
    /** Requests whose wrong key was reported: the key is asked for up to three times. */
    const told = new WeakSet<ServerRequest>();
    let version = catalogs?.version;

    const keyOf = (request: ServerRequest, caller: Caller): string | undefined => {
      try {
        return textIn(this.#key({ method: request.method, meta: request.received.meta, ...caller }));
      } catch (error) {
        if (!told.has(request)) request.fault(error);
        told.add(request);
        return undefined;
      }
    };

    const variantOf = (request: ServerRequest, caller: Caller): string | undefined => {
      if (!isPlainList(request.message)) return undefined;
      if (catalogs?.version !== version) {
        version = catalogs?.version;
        this.drop();
      }
      const key = keyOf(request, caller);
      if (key === undefined) return undefined;
      const { meta } = request.received;
      const params = request.message['params'];
      const revision = own(meta, PROTOCOL_VERSION) ?? fieldValue(request.headers, 'MCP-Protocol-Version');
      const capabilities = isFiltered ? (request.usable === undefined ? null : canonicalCapabilities(request.usable)) : undefined;
      const parts = [
        request.target,
        request.era,
        revision,
        request.choice.language,
        request.choice.matched,
        request.received.language !== undefined,
        isObject(params) ? own(params, 'cursor') : undefined,
        capabilities,
        key,
      ];
      return `${request.method} ${JSON.stringify(parts)}`;
    };

    const answer = (request: ServerRequest, variant: string | undefined): FinishedAnswer | undefined => {
      const finished = variant === undefined ? undefined : this.#answers.get(variant);
      if (finished?.restriction !== undefined) request.answer.caching.restrict(finished.restriction);
      return finished;
    };

    return {
      name: 'lists',

      early: (request, authInfo) => {
        if (!Object.hasOwn(LISTS, request.method) || request.headers === undefined || request.target === undefined) return undefined;
        // D-29: the offered tools depend on the connection, which is not known yet.
        if (isFiltered && request.canAskBack === undefined) return undefined;
        const variant = variantOf(request, { headers: request.headers, authInfo });
        variantAtEdge.set(request, variant);
        if (!this.#accepted.has(judgedOf(request.method, request.received.meta, request.headers))) return undefined;
        const finished = answer(request, variant);
        return finished && { bytes: finished.bytes(request.message['id'] as string | number), language: finished.language };
      },

      instead: (request) => {
        if (!Object.hasOwn(LISTS, request.method)) return undefined;
        const variant = variantOf(request, callerOf(request));
        begun.set(request, this.#generation);
        // The request came through an edge and reached this place, so nothing on the way refuses such a request.
        if (variantAtEdge.has(request)) this.#accepted.add(judgedOf(request.method, request.received.meta, request.headers));
        const finished = this.#accepted.has(judgedOf(request.method, request.received.meta, undefined))
          ? answer(request, variant)
          : undefined;
        if (finished === undefined) return undefined;
        const result = finished.result(this.#latest.get(request.method));
        this.#latest.set(request.method, result);
        return result as Meta;
      },

      done: (message, request) => {
        if (!Object.hasOwn(LISTS, request.method) || !isKeepable(message) || isOnesOwn(request)) return;
        const variant = variantOf(request, callerOf(request));
        // The author's key must not depend on something the edge cannot see: its answer would go to others.
        if (
          variant === undefined ||
          (variantAtEdge.has(request) && variantAtEdge.get(request) !== variant) ||
          begun.get(request) !== this.#generation
        )
          return;
        this.#accepted.add(judgedOf(request.method, request.received.meta, undefined));
        const restriction = isFiltered || request.answer.caching.restriction !== undefined ? 'private' : undefined;
        this.#answers.put(variant, new FinishedAnswer(message, this.#clock(), languageNamedIn(message), restriction));
      },

      changed: (method) => {
        this.drop(method);
      },
    };
  }
}

/** Returns the part of a cache. Any other object is a mistake of the program. */
export function listPart(
  cache: ListCache,
  { catalogs, filter, parts = [] }: Pick<ServerContextOptions, 'catalogs' | 'filter' | 'parts'>,
): ServerPart {
  if (!(cache instanceof Lists)) throw new TypeError('lists: expected the value that listCache() returns');
  const part = cache.part(catalogs, filter !== undefined);
  // A part of the author must see every request first, so nothing is answered early then.
  if (parts.some((own) => own.before !== undefined)) delete part.early;
  return part;
}

/** All promises look alike in a key, and so do many objects: one tenant's list would go to the next. */
function textIn(key: unknown): string | undefined {
  if (typeof key === 'string' || key === undefined) return key;
  atOnce(key, 'lists.listKey');
  throw new TypeError('lists.listKey: expected a text or undefined, returned something else');
}

function callerOf(request: ServerRequest): Caller {
  return { headers: request.headers, authInfo: (request.exchange?.extra as { authInfo?: unknown } | undefined)?.authInfo };
}

const STATE_KEYS = state.keys({});

/** True for a complete list that changes nothing at the client: an answer that sets state is for one client only (IX-09). */
function isKeepable(message: Message): boolean {
  const result = message['result'];
  if (!isObject(result) || (own(result, 'resultType') ?? 'complete') !== 'complete') return false;
  const meta = own(result, '_meta');
  return !isObject(meta) || !STATE_KEYS.some((key) => Object.hasOwn(meta, key));
}

/**
 * CTX-32, LANG-60: true if the list depends on what only this caller sent, or on the preference itself: another caller with the same choice
 * may get another list.
 */
function isOnesOwn({ answer: { caching, language } }: ServerRequest): boolean {
  return caching.dependsOnCaller || caching.dependsOnPreference || language.isStated;
}
