import type { Message, TransportLike } from '../transport/index.js';
import { canonicalCapabilities } from '../wire/capabilities.js';
import { environment } from '../wire/environment.js';
import { mirroredLanguage } from '../wire/headers.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES, CONTENT_LANGUAGE, EXTENSION_ID } from '../wire/keys.js';
import { andThen } from '../wire/maybe.js';
import { keep } from '../wire/memo.js';
import { LIST_METHODS } from '../wire/message.js';
import type { CallAbout, AnswerContext, ClientCall, ClientConnection, Draft, ClientPart } from './part.js';
import { perObject, type CallValues } from './values.js';
import { DeliveredResults } from './delivered.js';
import { variantOf, type Choice, type VariantOf } from './variant.js';

/** SDK v2 caches these results: lists as a whole, resources by their URI. */
const CACHED: ReadonlySet<string> = new Set([...LIST_METHODS, 'resources/read']);
const MAX_ENTRIES = 512;
const MAX_ISSUERS = 16;
/** Stands for every list. No resource has an empty URI. */
const LIST = '';

/** A client that uses our cache. */
export interface VariantClient {
  /** True if the application gave a lifetime for results for which the server names none. */
  readonly lasting: boolean;
  /** Called when a connection of this client begins. */
  begins(): void;
}

/** Returns the language and capabilities that a request with these values would carry. */
export type ChoiceOf = (values: CallValues, about: CallAbout) => Choice | Promise<Choice>;

interface KnownServer {
  /**
   * Set if this client was built with `clientOptions()`: its cache tells variants apart. `null`: it was not. `undefined`: not known yet.
   */
  variants: VariantClient | null | undefined;
  /** True once the server has named the language of an answer. Its lists are then in some language even if it does not name one. */
  varies: boolean;
  /** IX-01: a cursor belongs to the variant that issued it. Cursors that are page numbers belong to several. */
  readonly cursors: Map<string, Map<string, Choice>>;
  /** URIs (or `LIST`) that the SDK cached before any request had a language. */
  readonly kept: Set<string>;
}

/**
 * The response cache of SDK v2 knows methods and URIs, not languages (LANG-60). If the client was built with `clientOptions()`, this part
 * remembers which result belongs to which variant. If not, it prevents that a result that may vary is reused.
 */
export class CachePart implements ClientPart {
  readonly name = 'cache';
  readonly delivered = new DeliveredResults();
  /** Finds the client of a request: the key is the settings object in the capabilities of each client that uses our cache. */
  readonly #clients = new WeakMap<object, VariantClient>();
  readonly #choice: ChoiceOf;
  readonly #known = perObject((_: ClientConnection): KnownServer => ({
    variants: undefined,
    varies: false,
    cursors: new Map(),
    kept: new Set(),
  }));
  /** The variant of each request as it was sent; the connection may know more by the time of the answer. */
  readonly #sentAs = new WeakMap<ClientCall, Pick<VariantOf, 'chosen' | 'carriesQuestions'>>();
  #mayHaveLanguage: boolean;

  constructor(choice: ChoiceOf, mayHaveLanguage: boolean) {
    this.#choice = choice;
    this.#mayHaveLanguage = mayHaveLanguage;
  }

  /** Returns the settings object by which the requests of this client are recognised. */
  settingsOf(client: VariantClient): object {
    const settings = {};
    this.#clients.set(settings, client);
    return settings;
  }

  /** Called when requests may have a language from now on. Drops what was cached before. */
  beginLanguage(connections: Iterable<ClientConnection & { resourceChanged(uri: string): void }>): void {
    if (this.#mayHaveLanguage) return;
    this.#mayHaveLanguage = true;
    for (const connection of connections) {
      const { kept } = this.#known(connection);
      if (kept.size === 0) continue;
      if (kept.delete(LIST)) connection.listsChanged();
      for (const uri of kept) connection.resourceChanged(uri);
      kept.clear();
    }
  }

  /** Returns the values for a request. A later page takes language and capabilities from the page that named its cursor. */
  valuesOf(message: Message, values: CallValues, connection: ClientConnection): CallValues | Promise<CallValues> {
    const method = own(message, 'method') as string;
    const cursor = CACHED.has(method) ? paramOf(message, 'cursor') : undefined;
    if (typeof cursor !== 'string') return values;
    const issuers = this.#known(connection).cursors.get(cursorKey(method, cursor, values.principal ?? undefined));
    if (issuers === undefined) return values;
    const last = [...issuers.values()].at(-1);
    if (issuers.size === 1) return { ...values, ...last };
    return andThen(this.#choice(values, { method, connection }), (now) => ({ ...values, ...(issuers.get(choiceKey(now)) ?? last) }));
  }

  request(call: ClientCall, draft: Draft): void {
    const known = this.#known(call.connection);
    // The first request that declares capabilities shows which client this is.
    if (known.variants === undefined) (known.variants = this.#clientIn(call))?.begins();
    if (!CACHED.has(call.method)) return;
    this.#sentAs.set(call, { chosen: draft.chosen, carriesQuestions: call.connection.carriesQuestions });
  }

  answer(message: Message, call: ClientCall, read: AnswerContext): Message {
    const known = this.#known(call.connection);
    if (Object.hasOwn(read.meta, CONTENT_LANGUAGE)) known.varies = true;
    if (!CACHED.has(call.method)) return message;
    const { result } = message;
    if (!isObject(result) || own(result, 'inputRequests') !== undefined) return message;
    const next = own(result, 'nextCursor');
    if (typeof next === 'string') this.#issued(call, next, known);
    if (paramOf(call.exchange.request, 'cursor') !== undefined) {
      if (known.variants) this.#remember(result, call, known.variants);
      return message;
    }
    // SDK v2 caches the answer to a retry too, and its cache keys contain no environment. Without `clientOptions()` nobody knows whether the
    // application set a lifetime.
    if (isRetry(call.exchange.request) || hasEnvironment(call))
      return lasts(result, known.variants?.lasting ?? call.era === 'modern') ? unkept(message, result) : message;
    if (known.variants) this.#remember(result, call, known.variants);
    return known.variants ? message : this.#unshared(message, result, call, read, known);
  }

  /** The same transport may be connected again, by another client. */
  closed(connection: ClientConnection, transport: TransportLike): void {
    if (transport === connection.transport) this.#known(connection).variants = undefined;
  }

  clientOf(connection: ClientConnection): VariantClient | undefined {
    return this.#known(connection).variants ?? undefined;
  }

  /** Skips results that the SDK does not cache, or caches only for its index of tools. */
  #remember(result: Meta, call: ClientCall, { lasting }: VariantClient): void {
    if (!lasts(result, lasting)) return;
    const language = mirroredLanguage(call.exchange.request);
    const { method, principal, connection } = call;
    const { chosen, carriesQuestions = connection.carriesQuestions } = this.#sentAs.get(call) ?? {};
    const variant = variantOf({ method, language, chosen, carriesQuestions, principal, connection });
    const uri = method === 'resources/read' ? paramOf(call.exchange.request, 'uri') : undefined;
    const isFirst = paramOf(call.exchange.request, 'cursor') === undefined;
    this.delivered.remember({ method, ...(typeof uri === 'string' && { params: uri }) }, variant, result, isFirst);
  }

  /** Lets a result be reused only if it cannot vary: a preference was sent and the server did not say that it used it (LANG-20). */
  #unshared(message: Message, result: Meta, call: ClientCall, read: AnswerContext, known: KnownServer): Message {
    const varies = known.varies || call.connection.extension !== undefined || this.#sentAs.get(call)?.chosen !== undefined;
    const hasPreference = mirroredLanguage(call.exchange.request) !== undefined;
    const lasting = lasts(result, false);
    if (!varies && (hasPreference || !this.#mayHaveLanguage)) {
      if (lasting && !hasPreference && known.kept.size < MAX_ENTRIES)
        known.kept.add(call.method === 'resources/read' ? String(paramOf(call.exchange.request, 'uri')) : LIST);
      return message;
    }
    // If the server names no lifetime, the application may have set one for all results. Only an explicit 0 prevents caching then.
    return lasting || Object.hasOwn(read.meta, CONTENT_LANGUAGE) ? unkept(message, result) : message;
  }

  #issued(call: ClientCall, cursor: string, { cursors }: KnownServer): void {
    const { exchange, method, principal } = call;
    const key = cursorKey(method, cursor, principal);
    const issuers = cursors.get(key) ?? keep(cursors, key, new Map<string, Choice>(), MAX_ENTRIES);
    // Read from the request that was sent: a function among the values may return something else for the next page.
    const choice = { language: mirroredLanguage(exchange.request) ?? null, capabilities: this.#sentAs.get(call)?.chosen ?? null };
    const name = choiceKey(choice);
    issuers.delete(name);
    keep(issuers, name, choice, MAX_ISSUERS);
  }

  #clientIn({ callers, exchange, method }: ClientCall): VariantClient | null | undefined {
    const declared = method === 'initialize' ? paramOf(exchange.request, 'capabilities') : own(callers, CLIENT_CAPABILITIES);
    if (!isObject(declared)) return undefined;
    const extensions = own(declared, 'extensions');
    const settings = isObject(extensions) ? own(extensions, EXTENSION_ID) : undefined;
    return isObject(settings) ? (this.#clients.get(settings) ?? null) : null;
  }
}

function paramOf({ params }: Message, name: string): unknown {
  return isObject(params) ? own(params, name) : undefined;
}

/** BASE-11: the answer to a retry depends on what the user said, and no cache key contains that. */
function isRetry(request: Message): boolean {
  return paramOf(request, 'inputResponses') !== undefined || paramOf(request, 'requestState') !== undefined;
}

/** CTX-32: an answer may depend on the environment of its request, down to the moment. */
function hasEnvironment({ exchange, connection }: ClientCall): boolean {
  const meta = paramOf(exchange.request, '_meta');
  return isObject(meta) && environment.keys(connection.wire).some((key) => own(meta, key) !== undefined);
}

/** Tells whether a cache keeps this result. `byDefault`: it keeps one for which the server names no lifetime. */
function lasts(result: Meta, byDefault: boolean): boolean {
  const ttl = own(result, 'ttlMs');
  return typeof ttl === 'number' ? ttl > 0 : byDefault;
}

function unkept(message: Message, result: Meta): Message {
  return { ...message, result: { ...result, ttlMs: 0 } };
}

function cursorKey(method: string, cursor: string, principal: string | undefined): string {
  return JSON.stringify([method, cursor, principal ?? null]);
}

function choiceKey({ language, capabilities }: Choice): string {
  return JSON.stringify([language, canonicalCapabilities(capabilities ?? undefined)]);
}
