/** What is known of one transport, and what the conventions want told of it. */
import type { Attributes } from '@opentelemetry/api';
import { endpointOf, type Exchange, type TransportLike } from '../transport/index.js';
import { fieldValue, type HeaderSource } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { MCP_PROTOCOL_VERSION, NETWORK_PROTOCOL, NETWORK_TRANSPORT, SERVER_ADDRESS, SERVER_PORT } from './names.js';

export interface Connection {
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

export function connectionOf(transport: TransportLike): Connection {
  const loose = transport as { sessionId?: unknown };
  const kind = kindOf(transport);
  const attributes: Attributes = {};
  if (kind !== undefined) attributes[NETWORK_TRANSPORT] = kind === 'http' ? 'tcp' : kind;
  if (kind === 'http') attributes[NETWORK_PROTOCOL] = 'http';
  const url = endpointOf(transport);
  if (url !== undefined) {
    attributes[SERVER_ADDRESS] = url.hostname.replace(/^\[|\]$/g, '');
    attributes[SERVER_PORT] = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  }
  return {
    attributes,
    key: `${kind ?? ''} ${url?.host ?? ''}`,
    version: undefined,
    session: undefined,
    sessionId: () => (typeof loose.sessionId === 'string' ? loose.sessionId : undefined),
    isHttp: kind === 'http',
    hasAmbient: kind !== 'pipe',
  };
}

/** An HTTP request of which there is no transport. */
export function httpConnection(): Connection {
  const attributes = { [NETWORK_TRANSPORT]: 'tcp', [NETWORK_PROTOCOL]: 'http' };
  return { attributes, key: 'http ', version: undefined, session: undefined, sessionId: () => undefined, isHttp: true, hasAmbient: true };
}

/** By what both SDKs' transports can do; the stdio server's alone can nothing, so its name must tell. */
function kindOf(transport: TransportLike): 'http' | 'pipe' | undefined {
  if (['finishAuth', 'handleRequest', 'handleMessage', 'handlePostMessage'].some((name) => name in transport)) return 'http';
  return 'stderr' in transport || /stdio/i.test(transport.constructor.name) ? 'pipe' : undefined;
}

/** HTTP headers of an incoming request: SDK v2 gives the `Request`, SDK v1 a plain object. */
export function headersOf({ extra }: Exchange): HeaderSource | undefined {
  if (!isObject(extra)) return undefined;
  for (const name of ['request', 'requestInfo']) {
    const holder = extra[name];
    const headers = typeof holder === 'object' && holder !== null ? (holder as { headers?: unknown }).headers : undefined;
    if (typeof headers === 'object' && headers !== null) return headers as HeaderSource;
  }
  return undefined;
}

/** On HTTP without a session each request tells the revision in a header. */
export function versionIn(headers: HeaderSource | undefined): string | undefined {
  return headers === undefined ? undefined : fieldValue(headers, 'mcp-protocol-version');
}

/** `initialize` was answered: the revision holds for the connection, and a session may have begun. */
export function noteInitialized(connection: Connection, exchange: Exchange, now: number): void {
  const result = exchange.answer?.['result'];
  const version = isObject(result) ? own(result, 'protocolVersion') : undefined;
  if (typeof version === 'string') connection.version = version.slice(0, 64);
  // HTTP without a session id: the next request is somebody else's, or comes through another transport.
  if (connection.isHttp && exchange.asked === 'them' && connection.sessionId() === undefined) return;
  connection.session = { since: now, side: exchange.asked === 'us' ? 'client' : 'server' };
}

/** What the conventions want told of a whole session. */
export function sessionAttributes({ attributes, version }: Connection): Attributes {
  return version === undefined ? attributes : { ...attributes, [MCP_PROTOCOL_VERSION]: version };
}
