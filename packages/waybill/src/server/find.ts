/**
 * Finds a request again, for the SDK hook, the HTTP edge and a handler with its `ctx`. Neither SDK lets a layer put anything into `ctx`,
 * but both pass `_meta` on, so `_meta` carries a ticket, under the name of our extension.
 */
import { IdPool, type Message } from '../transport/index.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { EXTENSION_ID } from '../wire/keys.js';
import { metaOf } from '../wire/message.js';
import type { IncomingRequest } from './request.js';
import { findStorage, type AsyncStorage } from '../transport/runtime.js';
import { metaInHandler } from '../transport/sdk.js';

/**
 * A peer cannot forge a ticket: JSON makes no instances. A clone of `_meta` has an empty object in its place. A framework may serialise the
 * message between the edge and the server, so there a ticket becomes an id. Once a server has the request, a serialised ticket is left out.
 */
class RequestTicket {
  readonly #request: IncomingRequest;

  constructor(request: IncomingRequest) {
    this.#request = request;
  }

  static requestOf(ticket: RequestTicket): IncomingRequest {
    return ticket.#request;
  }

  toJSON(): string | undefined {
    return this.#request.delivery.hasBegun ? undefined : (ids.get(this.#request) ?? issueId(this.#request));
  }
}

/** Requests that were written as JSON and have not reached a server. The map is bounded, because a program may lose them. */
const byId = new Map<string, IncomingRequest>();
const MAX_IDS = 1024;
const ids = new WeakMap<IncomingRequest, string>();
const pool = new IdPool();

function issueId(request: IncomingRequest): string {
  const [oldest] = byId.keys();
  if (byId.size >= MAX_IDS && oldest !== undefined) byId.delete(oldest);
  const id = pool.traceId();
  byId.set(id, request);
  ids.set(request, id);
  return id;
}

/**
 * Replaces the id in a message by the ticket. An id works once. Only for messages from behind an edge of ours: in front of it the name
 * belongs to a peer and means nothing.
 */
export function redeem(message: Message): Message {
  const id = ticketIn(message);
  const request = typeof id === 'string' ? byId.get(id) : undefined;
  if (request === undefined) return message;
  forget(request);
  // The edge on the transport knows the message as it came.
  rememberMessage(message, request);
  return withTicket(message, request);
}

/** Called when the request has been answered: its id is no longer valid. */
export function forget(request: IncomingRequest): void {
  byId.delete(ids.get(request) ?? '');
}

/** Requests by their message, for an edge that knows a message only as it came: before the hook made the request, or redeemed its id. */
const byMessage = new WeakMap<object, IncomingRequest>();

/** Makes the request findable by a message that carries no ticket. */
export function rememberMessage(message: object, request: IncomingRequest): void {
  byMessage.set(message, request);
}

/** Returns the request that a handler's `ctx` or a message belongs to. */
export function requestOf(holder: unknown): IncomingRequest | undefined {
  if (!isObject(holder)) return undefined;
  const ticket = ticketIn(holder);
  return ticket instanceof RequestTicket ? RequestTicket.requestOf(ticket) : byMessage.get(holder);
}

/** `holder`: the `ctx` of a handler, or a message. */
function ticketIn(holder: Meta): unknown {
  const meta = metaInHandler(holder) ?? metaOf(holder, 'request');
  return isObject(meta) ? own(meta, EXTENSION_ID) : undefined;
}

/**
 * Adds a ticket for this request to a message. A message whose `params` or `_meta` is not an object has no place for one, and the SDK refuses
 * it.
 */
export function withTicket(message: Message, request: IncomingRequest): Message {
  const params = own(message, 'params') ?? {};
  const meta = isObject(params) ? (own(params, '_meta') ?? {}) : undefined;
  if (!isObject(params) || !isObject(meta)) return message;
  return { ...message, params: { ...params, _meta: { ...meta, [EXTENSION_ID]: new RequestTicket(request) } } };
}

/** Removes the ticket, or anything else under its name, from a `_meta` object. Returns the same object if there is none. */
export function withoutTicket<T>(meta: T): T {
  if (!isObject(meta) || !Object.hasOwn(meta, EXTENSION_ID)) return meta;
  const { [EXTENSION_ID]: _, ...others } = meta;
  return others as T;
}

/**
 * The storages that `contextOf()` without an argument looks into: the runtime's own, one for the process, and those that programs passed.
 */
const storages = new Set<AsyncStorage>();
let shared: AsyncStorage | undefined;

/** Returns the storage that handlers run in: the given one, or the runtime's own, made for the first program that asks for it. */
export function openAmbient(given: AsyncStorage | undefined): AsyncStorage {
  const storage = given ?? (shared ??= findStorage());
  if (storage === undefined)
    throw new TypeError(
      'storage: expected an AsyncLocalStorage. ambient needs one and this runtime has none; pass the option storage, or use contextOf(ctx)',
    );
  storages.add(storage);
  return storage;
}

/** Returns the value of the first storage that has one here; `undefined` outside of a handler. */
export function ambientValue(): unknown {
  for (const storage of storages) {
    const value = storage.getStore();
    if (value !== undefined) return value;
  }
  return undefined;
}
