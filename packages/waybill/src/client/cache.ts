import type { Message, TransportLike } from '../transport/index.js';
import { canonicalCapabilities } from '../wire/capabilities.js';
import { environment } from '../wire/environment.js';
import { mirroredLanguage } from '../wire/headers.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES, CONTENT_LANGUAGE, EXTENSION_ID } from '../wire/keys.js';
import { andThen } from '../wire/maybe.js';
import { LIST_METHODS } from '../wire/methods.js';
import type { About, Answer, ClientCall, ClientConnection, Draft, ClientPart } from './part.js';
import { perObject, type CallValues } from './values.js';
import type { DeliveredResults } from './delivered.js';
import { variantOf, type Choice, type VariantOf } from './variant.js';

/** What SDK v2 keeps: lists as a whole, resources by their URI. */
const CACHED: ReadonlySet<string> = new Set([...LIST_METHODS, 'resources/read']);
const MAX_ENTRIES = 512;
const MAX_ISSUERS = 16;
/** Stands for every list; no resource has it for a URI. */
const LIST = '';

/** A client with a cache of ours. */
export interface VariantClient {
  /** Results for which the server names no time last, because the application says so. */
  readonly lasting: boolean;
  /** A connection of it begins. */
  begins(): void;
}

/** What a request with these values would go with. */
type ChoiceOf = (values: CallValues, about: About) => Choice | Promise<Choice>;

interface Known {
  /** This client was built with `clientOptions()`: its cache tells variants apart. */
  variants: VariantClient | null | undefined;
  /** The server has answered in a language it named: its lists are in some language even where it names none. */
  varies: boolean;
  /** IX-01: a cursor belongs to the variant that issued it; where cursors are page numbers, to several. */
  readonly cursors: Map<string, Map<string, Choice>>;
  /** What was left in the SDK's cache before anybody had a language. */
  readonly kept: Set<string>;
}

/**
 * The response cache of SDK v2 knows methods and URIs, not languages (LANG-60). Where it tells variants apart, because the client was built with
 * `clientOptions()`, it is remembered which result was of which variant. Where it does not, a result that may vary is not reused.
 */
export class CachePart implements ClientPart {
  readonly name = 'cache';
  readonly #delivered: DeliveredResults;
  /** The settings object in the capabilities of each client that has a cache of ours: how its requests are recognised. */
  readonly #clients: WeakMap<object, VariantClient>;
  readonly #choice: ChoiceOf;
  readonly #known = perObject((_: ClientConnection): Known => ({
    variants: undefined,
    varies: false,
    cursors: new Map(),
    kept: new Set(),
  }));
  /** What each request went with; the connection may have learned more by the time of its answer. */
  readonly #went = new WeakMap<ClientCall, Pick<VariantOf, 'chosen' | 'carriesQuestions'>>();
  #speaks: boolean;

  constructor(delivered: DeliveredResults, clients: WeakMap<object, VariantClient>, choice: ChoiceOf, speaks: boolean) {
    this.#delivered = delivered;
    this.#clients = clients;
    this.#choice = choice;
    this.#speaks = speaks;
  }

  /** From now on requests may have a language: what was kept while none had is dropped. */
  speak(connections: Iterable<ClientConnection & { resourceChanged(uri: string): void }>): void {
    if (this.#speaks) return;
    this.#speaks = true;
    for (const connection of connections) {
      const { kept } = this.#known(connection);
      if (kept.size === 0) continue;
      if (kept.delete(LIST)) connection.listsChanged();
      for (const uri of kept) connection.resourceChanged(uri);
      kept.clear();
    }
  }

  /** The values that a request goes with: of a page, language and capabilities are those of the page that named its cursor. */
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
    // Its first request that declares anything tells once and for all.
    if (known.variants === undefined) (known.variants = this.#clientIn(call))?.begins();
    if (!CACHED.has(call.method)) return;
    this.#went.set(call, { chosen: draft.chosen, carriesQuestions: call.connection.carriesQuestions });
  }

  answer(message: Message, call: ClientCall, read: Answer): Message {
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
    // SDK v2 keeps the first kind all the same, and its keys know no environment.
    if (isRetry(call.exchange.request) || hasEnvironment(call)) return mayLast(result, call, known) ? unkept(message, result) : message;
    if (known.variants) this.#remember(result, call, known.variants);
    return known.variants ? message : this.#unshared(message, result, call, read, known);
  }

  /** Who connects with the same transport again begins anew. */
  closed(connection: ClientConnection, transport: TransportLike): void {
    if (transport === connection.transport) this.#known(connection).variants = undefined;
  }

  /** The client behind a connection, as far as it is one of ours and has said so. */
  clientOf(connection: ClientConnection): VariantClient | undefined {
    return this.#known(connection).variants ?? undefined;
  }

  /** What is not kept, or kept only for the index of tools, is not looked for. */
  #remember(result: Meta, call: ClientCall, { lasting }: VariantClient): void {
    const ttl = own(result, 'ttlMs');
    if (!(typeof ttl === 'number' ? ttl > 0 : lasting)) return;
    const language = mirroredLanguage(call.exchange.request);
    const { method, principal, connection } = call;
    const { chosen, carriesQuestions = connection.carriesQuestions } = this.#went.get(call) ?? {};
    const variant = variantOf({ method, language, chosen, carriesQuestions, principal, connection });
    const uri = method === 'resources/read' ? paramOf(call.exchange.request, 'uri') : undefined;
    const isFirst = paramOf(call.exchange.request, 'cursor') === undefined;
    this.#delivered.remember({ method, ...(typeof uri === 'string' && { params: uri }) }, variant, result, isFirst);
  }

  /** Reused only if it cannot vary: a preference was sent and the server did not say that it took note of it (LANG-20). */
  #unshared(message: Message, result: Meta, call: ClientCall, read: Answer, known: Known): Message {
    const varies = known.varies || call.connection.extension !== undefined || this.#went.get(call)?.chosen !== undefined;
    const preferred = mirroredLanguage(call.exchange.request) !== undefined;
    const ttl = own(result, 'ttlMs');
    const lasting = typeof ttl === 'number' && ttl > 0;
    if (!varies && (preferred || !this.#speaks)) {
      if (lasting && !preferred && known.kept.size < MAX_ENTRIES)
        known.kept.add(call.method === 'resources/read' ? String(paramOf(call.exchange.request, 'uri')) : LIST);
      return message;
    }
    // Where the server names no time, the application may have named one for all of them: only an explicit 0 keeps that away.
    return lasting || Object.hasOwn(read.meta, CONTENT_LANGUAGE) ? unkept(message, result) : message;
  }

  #issued(call: ClientCall, cursor: string, { cursors }: Known): void {
    const { exchange, method, principal } = call;
    const key = cursorKey(method, cursor, principal);
    let issuers = cursors.get(key);
    if (issuers === undefined) {
      if (cursors.size >= MAX_ENTRIES) cursors.clear();
      cursors.set(key, (issuers = new Map<string, Choice>()));
    }
    // What a function gave for this page, not what it would give for the next.
    const choice = { language: mirroredLanguage(exchange.request) ?? null, capabilities: this.#went.get(call)?.chosen ?? null };
    const name = choiceKey(choice);
    issuers.delete(name);
    if (issuers.size >= MAX_ISSUERS) issuers.clear();
    issuers.set(name, choice);
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

/** BASE-11: its answer depends on what the user said, which is in no key. */
function isRetry(request: Message): boolean {
  return paramOf(request, 'inputResponses') !== undefined || paramOf(request, 'requestState') !== undefined;
}

/** CTX-32: its answer may depend on it, down to the moment. */
function hasEnvironment({ exchange, connection }: ClientCall): boolean {
  const meta = paramOf(exchange.request, '_meta');
  return isObject(meta) && environment.keys(connection.wire).some((key) => own(meta, key) !== undefined);
}

/** Whether a cache would keep it: for the time the server names, or else for one of the application's, which is known only of `clientOptions()`. */
function mayLast(result: Meta, { era }: ClientCall, { variants }: Known): boolean {
  const ttl = own(result, 'ttlMs');
  return typeof ttl === 'number' ? ttl > 0 : (variants?.lasting ?? era === 'modern');
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
