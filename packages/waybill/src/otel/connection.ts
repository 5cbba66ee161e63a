/** Facts about one transport, and the attributes that the conventions ask for. */
import type { Attributes } from '@opentelemetry/api';
import { endpointOf, type Exchange, type TransportLike } from '../transport/index.js';
import { headersIn, sessionOf, wireOf } from '../transport/sdk.js';
import { fieldValue } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { MCP_PROTOCOL_VERSION, NETWORK_PROTOCOL, NETWORK_TRANSPORT, SERVER_ADDRESS, SERVER_PORT } from './names.js';

export interface TracedConnection {
  /** The same for every message: transport and address. `key` tells connections with other attributes apart. */
  readonly attributes: Attributes;
  readonly key: string;
  /** The revision that `initialize` agreed on, and when and by whom. */
  version: string | undefined;
  session: { readonly since: number; readonly side: 'client' | 'server' } | undefined;
  sessionId(): string | undefined;
  readonly isHttp: boolean;
  /** True if the current context belongs to an arriving message. On a pipe it does not: the context is that of the code that opened it. */
  readonly hasAmbient: boolean;
}

export function connectionOf(transport: TransportLike): TracedConnection {
  return describe(wireOf(transport), endpointOf(transport), () => sessionOf(transport));
}

/** Describes an HTTP request without a transport. */
export function httpConnection(): TracedConnection {
  return describe('http', undefined, () => undefined);
}

function describe(wire: ReturnType<typeof wireOf>, url: URL | undefined, sessionId: () => string | undefined): TracedConnection {
  const attributes: Attributes = {};
  if (wire === 'stdio') attributes[NETWORK_TRANSPORT] = 'pipe';
  if (wire === 'http') Object.assign(attributes, { [NETWORK_TRANSPORT]: 'tcp', [NETWORK_PROTOCOL]: 'http' });
  if (url !== undefined) {
    attributes[SERVER_ADDRESS] = url.hostname.replace(/^\[|\]$/g, '');
    attributes[SERVER_PORT] = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  }
  return {
    attributes,
    key: `${wire} ${url?.host ?? ''}`,
    version: undefined,
    session: undefined,
    sessionId,
    isHttp: wire === 'http',
    hasAmbient: wire !== 'stdio',
  };
}

/** On HTTP without a session each request names the revision in a header. */
export function versionIn({ extra }: Exchange): string | undefined {
  return fieldValue(headersIn(extra), 'mcp-protocol-version');
}

/** Called when `initialize` was answered: the revision applies to the connection, and a session may have begun. */
export function noteInitialized(connection: TracedConnection, exchange: Exchange, now: number): void {
  const result = exchange.answer?.['result'];
  const version = isObject(result) ? own(result, 'protocolVersion') : undefined;
  if (typeof version === 'string') connection.version = version.slice(0, 64);
  // HTTP without a session id: the next request comes from another client, or through another transport.
  if (connection.isHttp && exchange.sender === 'them' && connection.sessionId() === undefined) return;
  connection.session = { since: now, side: exchange.sender === 'us' ? 'client' : 'server' };
}

/** Returns the attributes of a whole session. */
export function sessionAttributes({ attributes, version }: TracedConnection): Attributes {
  return version === undefined ? attributes : { ...attributes, [MCP_PROTOCOL_VERSION]: version };
}
