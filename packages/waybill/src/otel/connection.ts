/** What is known of one transport, and what the conventions want told of it. */
import type { Attributes } from '@opentelemetry/api';
import { endpointOf, type Exchange, type TransportLike } from '../transport/index.js';
import { headersIn, sessionOf, wireOf } from '../transport/kind.js';
import { fieldValue } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { MCP_PROTOCOL_VERSION, NETWORK_PROTOCOL, NETWORK_TRANSPORT, SERVER_ADDRESS, SERVER_PORT } from './names.js';

export interface TracedConnection {
  /** The same for every message: how it is carried, and where to. `key` tells connections with other attributes apart. */
  readonly attributes: Attributes;
  readonly key: string;
  /** The revision that `initialize` settled, and when and by whom. */
  version: string | undefined;
  session: { readonly since: number; readonly side: 'client' | 'server' } | undefined;
  sessionId(): string | undefined;
  readonly isHttp: boolean;
  /** What is current when a message arrives has to do with it: not on a pipe, which was opened by somebody some time. */
  readonly hasAmbient: boolean;
}

export function connectionOf(transport: TransportLike): TracedConnection {
  const wire = wireOf(transport);
  const attributes: Attributes = {};
  if (wire === 'stdio') attributes[NETWORK_TRANSPORT] = 'pipe';
  if (wire === 'http') Object.assign(attributes, { [NETWORK_TRANSPORT]: 'tcp', [NETWORK_PROTOCOL]: 'http' });
  const url = endpointOf(transport);
  if (url !== undefined) {
    attributes[SERVER_ADDRESS] = url.hostname.replace(/^\[|\]$/g, '');
    attributes[SERVER_PORT] = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  }
  return {
    attributes,
    key: `${wire} ${url?.host ?? ''}`,
    version: undefined,
    session: undefined,
    sessionId: () => sessionOf(transport),
    isHttp: wire === 'http',
    hasAmbient: wire !== 'stdio',
  };
}

/** An HTTP request of which there is no transport. */
export function httpConnection(): TracedConnection {
  const attributes = { [NETWORK_TRANSPORT]: 'tcp', [NETWORK_PROTOCOL]: 'http' };
  return { attributes, key: 'http ', version: undefined, session: undefined, sessionId: () => undefined, isHttp: true, hasAmbient: true };
}

/** On HTTP without a session each request tells the revision in a header. */
export function versionIn({ extra }: Exchange): string | undefined {
  return fieldValue(headersIn(extra), 'mcp-protocol-version');
}

/** `initialize` was answered: the revision holds for the connection, and a session may have begun. */
export function noteInitialized(connection: TracedConnection, exchange: Exchange, now: number): void {
  const result = exchange.answer?.['result'];
  const version = isObject(result) ? own(result, 'protocolVersion') : undefined;
  if (typeof version === 'string') connection.version = version.slice(0, 64);
  // HTTP without a session id: the next request is somebody else's, or comes through another transport.
  if (connection.isHttp && exchange.sender === 'them' && connection.sessionId() === undefined) return;
  connection.session = { since: now, side: exchange.sender === 'us' ? 'client' : 'server' };
}

/** What the conventions want told of a whole session. */
export function sessionAttributes({ attributes, version }: TracedConnection): Attributes {
  return version === undefined ? attributes : { ...attributes, [MCP_PROTOCOL_VERSION]: version };
}
