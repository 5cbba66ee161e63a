import type { Message, TransportLike } from '../transport/index.js';
import { isOnePeer, serverName } from '../transport/sdk.js';
import { capabilities } from '../wire/capabilities.js';
import { ignore } from '../wire/issue.js';
import { isObject, own, type JsonObject } from '../wire/json.js';
import { CLIENT_CAPABILITIES } from '../wire/keys.js';
import type { EdgePlace } from './head.js';

/** One transport of ours, and what its peer declared in `initialize` on 2025-11-25. */
export interface PeerConnection {
  /** The server of this connection, see `Targets`. */
  readonly target: string;
  /** Capabilities from `initialize`, as they came: the SDK drops what it does not know (D-04). */
  declared: JsonObject | undefined;
  /**
   * True if the server can ask its peer something during a request. A session begins after the transport is connected, so this is a
   * function.
   */
  canAskBack(): boolean;
  /**
   * True if a literal `clientContext` beside `params` would have been moved into `_meta`, for a request that came through this edge, or
   * through none.
   */
  lifts(edge: EdgePlace | undefined): boolean;
  /** The settings of our extension, where no SDK server declares it. */
  readonly declares?: JsonObject;
}

/**
 * Remembers what `initialize` declares. Not on HTTP without a session: the next caller on such a transport is another client, and an
 * unknown capability counts as absent.
 */
export function noteInitialize(connection: PeerConnection, message: Message, transport: TransportLike): void {
  connection.declared = isOnePeer(transport) ? declaredBy(message) : undefined;
}

/** The capabilities that an `initialize` declares. */
export function declaredBy({ params }: Message): JsonObject | undefined {
  const given = isObject(params) ? own(params, 'capabilities') : undefined;
  return capabilities.request.read({ [CLIENT_CAPABILITIES]: given }, ignore, {});
}

/** Shared in the process, because one list cache may serve several contexts. */
const factories = new WeakMap<object, string>();
let count = 0;

/**
 * The servers of one context. An answer of one must not be given for another, so with more than one, nothing is answered before it is known
 * which one is asked.
 */
export class Targets {
  readonly #known = new Set<string>();

  /** The servers of one factory are all alike. */
  ofFactory(factory: object): string {
    const id = factories.get(factory) ?? `factory ${++count}`;
    factories.set(factory, id);
    return this.#noted(id);
  }

  /** Identified by its name: many programs make a server for each request. */
  ofServer(server: object): string {
    return this.#noted(serverName(server) ?? `server ${++count}`);
  }

  /** The only server, if there is just one. */
  get only(): string | undefined {
    const [id] = this.#known;
    return this.#known.size === 1 ? id : undefined;
  }

  #noted(id: string): string {
    if (this.#known.size < 2) this.#known.add(id);
    return id;
  }
}
