import type { Message } from '../../../transport/index.js';
import { canonicalCapabilities } from '../../../wire/capabilities.js';
import { fieldValue } from '../../../wire/headers.js';
import { isObject, own, type Meta } from '../../../wire/json.js';
import { PROTOCOL_VERSION } from '../../../wire/keys.js';
import { atOnce } from '../../../wire/maybe.js';
import { state } from '../../../wire/state.js';
import { languageNamedIn } from '../../head.js';
import type { Catalogs } from '../../localise/catalogs.js';
import { LISTS } from '../../localise/fields.js';
import type { ServerContextOptions } from '../../options.js';
import type { ServerPart, ServerRequest } from '../../part.js';
import type { ListCache, ListRequest } from '../lists.js';
import { CachedLists } from './cache.js';
import { isPlainList, judgedOf } from './early.js';
import { FinishedAnswer } from './finished.js';

type Caller = Pick<ListRequest, 'headers' | 'authInfo'>;

/** Returns the part of a cache. Any other object is a mistake of the program. */
export function listPart(
  cache: ListCache,
  { catalogs, filter, parts = [] }: Pick<ServerContextOptions, 'catalogs' | 'filter' | 'parts'>,
): ServerPart {
  if (!(cache instanceof CachedLists)) throw new TypeError('lists: expected the value that listCache() returns');
  const part = partOf(cache, catalogs, filter !== undefined);
  // A part of the author must see every request first, so nothing is answered early then.
  if (parts.some((own) => own.before !== undefined)) delete part.early;
  return part;
}

/** `isFiltered`: the offered tools depend on the capabilities of the request. */
function partOf(lists: CachedLists, catalogs: Catalogs | undefined, isFiltered: boolean): ServerPart {
  /** The variant as the edge saw it, if the request came through one. */
  const variantAtEdge = new WeakMap<ServerRequest, string | undefined>();
  const begun = new WeakMap<ServerRequest, number>();
  /** Requests whose wrong key was reported: the key is asked for up to three times. */
  const told = new WeakSet<ServerRequest>();
  let version = catalogs?.version;

  const keyOf = (request: ServerRequest, caller: Caller): string | undefined => {
    try {
      return textIn(lists.key({ method: request.method, meta: request.received.meta, ...caller }));
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
      lists.drop();
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
    const finished = variant === undefined ? undefined : lists.answers.get(variant);
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
      if (!lists.accepted.has(judgedOf(request.method, request.received.meta, request.headers))) return undefined;
      const finished = answer(request, variant);
      return finished && { bytes: finished.bytes(request.message['id'] as string | number), language: finished.language };
    },

    instead: (request) => {
      if (!Object.hasOwn(LISTS, request.method)) return undefined;
      const variant = variantOf(request, callerOf(request));
      begun.set(request, lists.generation);
      // The request came through an edge and reached this place, so nothing on the way refuses such a request.
      if (variantAtEdge.has(request)) lists.accepted.add(judgedOf(request.method, request.received.meta, request.headers));
      const finished = lists.accepted.has(judgedOf(request.method, request.received.meta, undefined))
        ? answer(request, variant)
        : undefined;
      if (finished === undefined) return undefined;
      const result = finished.result(lists.latest.get(request.method));
      lists.latest.set(request.method, result);
      return result as Meta;
    },

    done: (message, request) => {
      if (!Object.hasOwn(LISTS, request.method) || !isKeepable(message) || isOnesOwn(request)) return;
      const variant = variantOf(request, callerOf(request));
      // The author's key must not depend on something the edge cannot see: its answer would go to others.
      if (
        variant === undefined ||
        (variantAtEdge.has(request) && variantAtEdge.get(request) !== variant) ||
        begun.get(request) !== lists.generation
      )
        return;
      lists.accepted.add(judgedOf(request.method, request.received.meta, undefined));
      const restriction = isFiltered || request.answer.caching.restriction !== undefined ? 'private' : undefined;
      lists.answers.put(variant, new FinishedAnswer(message, lists.clock(), languageNamedIn(message), restriction));
    },

    changed: (method) => {
      lists.drop(method);
    },
  };
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
