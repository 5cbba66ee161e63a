import type { Message, TransportLike } from '../transport/index.js';
import { isOnePeer } from '../transport/kind.js';
import { capabilities } from '../wire/capabilities.js';
import { ignore } from '../wire/issue.js';
import { isObject, own, type JsonObject } from '../wire/json.js';
import { CLIENT_CAPABILITIES } from '../wire/keys.js';
import type { EdgePlace } from './head.js';

/** One transport of ours, and what its peer said once for all on a 2025-11-25 connection. */
export interface PeerConnection {
  /** Whose connection it is, see `Targets`. */
  readonly target: string;
  /** Capabilities from `initialize`, as they came: the SDK drops what it does not know (D-04). */
  declared: JsonObject | undefined;
  /** Whether the server can ask its peer something in the course of a request. A session begins after the transport is connected. */
  canAskBack(): boolean;
  /** Whether a literal `clientContext` beside `params` would have been lifted from a request that came through this edge, or through none. */
  lifts(edge: EdgePlace | undefined): boolean;
  /** The settings of our extension, where no SDK server declares it. */
  readonly declares?: JsonObject;
}

/**
 * Remembers what `initialize` declares. Not on HTTP without a session: whoever comes next on such a transport is somebody else,
 * and an unknown capability counts as absent.
 */
export function noteInitialize(connection: PeerConnection, message: Message, transport: TransportLike): void {
  connection.declared = isOnePeer(transport) ? declaredBy(message) : undefined;
}

/** The capabilities that an `initialize` declares. */
export function declaredBy({ params }: Message): JsonObject | undefined {
  const given = isObject(params) ? own(params, 'capabilities') : undefined;
  return capabilities.request.read({ [CLIENT_CAPABILITIES]: given }, ignore, {});
}
