/**
 * Finds the kind of a transport. Neither SDK says it, and both have several classes for each kind, so the members of the object decide. All
 * such questions are answered here, in the comment form of `private.ts`: what is lost if a member is missing.
 */
import type { HeaderSource } from '../wire/headers.js';
import { isObject } from '../wire/json.js';
import type { TransportLike } from './types.js';

/** `unknown`: a transport of somebody else. Nothing is assumed about it. */
type WireKind = 'stdio' | 'http' | 'memory' | 'unknown';

/**
 * `finishAuth` of HTTP clients; `handleRequest`, `handleMessage` and `handlePostMessage` of HTTP servers: all public. `stderr` of the stdio
 * clients is public too. The stdio servers and the in-memory transports have only the name of their class.
 * Lost without them: what telemetry says about the network. On HTTP also the language header of clients and the HTTP edge of servers.
 */
export function wireOf(transport: TransportLike): WireKind {
  if (HTTP_MEMBERS.some((name) => name in transport)) return 'http';
  const name = (transport.constructor as { name?: string } | undefined)?.name ?? '';
  if ('stderr' in transport || /stdio/i.test(name)) return 'stdio';
  return /in-?memory/i.test(name) ? 'memory' : 'unknown';
}

const HTTP_MEMBERS = ['finishAuth', 'handleRequest', 'handleMessage', 'handlePostMessage'];

/** `finishAuth`: only the HTTP client transports of both SDKs can finish an authorization. */
export function isHttpClient(transport: TransportLike): boolean {
  return typeof (transport as { finishAuth?: unknown }).finishAuth === 'function';
}

/** `hasPerRequestStream` of the v2 HTTP clients, whose `send` takes headers. Lost without it: nothing, the header goes through `fetch`. */
export function sendsHeaders(transport: TransportLike): boolean {
  return 'hasPerRequestStream' in transport;
}

/**
 * `handleMessage` of the transport that `createMcpHandler` of SDK v2 makes for each request of 2026-07-28. The old SSE transport has a
 * method of this name too, which takes no HTTP request; `handlePostMessage` tells the two apart.
 * Lost without it: `Vary`, `Content-Language` and the status of a refusal, unless an edge stands in front.
 */
export function isPerRequest(transport: TransportLike): boolean {
  return 'handleMessage' in transport && !('handlePostMessage' in transport);
}

/** `sessionId`, which is public. `undefined` on HTTP means: the next request on this transport may come from another client. */
export function sessionOf(transport: TransportLike): string | undefined {
  const { sessionId } = transport as { sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : undefined;
}

/**
 * `sessionId`: the Streamable HTTP clients of both SDKs have this member before a session begins, the old SSE clients never have it. The
 * in-memory transports of SDK v2 have it too, so ask only about a client with a URL.
 * Lost without it: a tool is offered whose question never arrives.
 */
export function isStreamableHttp(transport: TransportLike): boolean {
  return 'sessionId' in transport;
}

/** True if what one request says also applies to the next on the same transport: always, except on HTTP without a session. */
export function isOnePeer(transport: TransportLike): boolean {
  return wireOf(transport) !== 'http' || sessionOf(transport) !== undefined;
}

/** True if a server can send a request of its own and get an answer. Also true for an unknown transport. */
export function canAskBack(transport: TransportLike): boolean {
  return !isPerRequest(transport) && isOnePeer(transport) && !answersInJsonOnly(transport);
}

/**
 * `_enableJsonResponse` of the HTTP server transports of both SDKs, and `_webStandardTransport`, which those for Node hold. A call that is
 * answered with one JSON body has no stream that could bring a question before the answer.
 * Lost without them: a tool is offered whose question never arrives.
 */
function answersInJsonOnly(transport: TransportLike): boolean {
  const { _webStandardTransport } = transport as unknown as { _webStandardTransport?: object | null };
  const { _enableJsonResponse } = (_webStandardTransport ?? transport) as { _enableJsonResponse?: unknown };
  return _enableJsonResponse === true;
}

/**
 * True if a message with a member that JSON-RPC does not know gets through this transport. In memory it does. On stdio both SDKs drop the
 * line, unless the transport or its stream is ours (`lifts`). For an unknown transport the answer is no: the caller of a dropped message
 * would wait for its timeout.
 * `_stdin` of the stdio server transports, and `_wire` of the channel that `serveStdio` of v2 puts in front of one.
 * Lost without them: we do not declare `lifts` if a stream of ours stands in front of the SDK's transport.
 */
export function passesUnknownMembers(transport: TransportLike): boolean {
  const { _wire = transport } = transport as unknown as { _wire?: unknown };
  const { lifts, _stdin } = _wire as { lifts?: unknown; _stdin?: { lifts?: unknown } | null };
  return lifts === true || _stdin?.lifts === true || wireOf(transport) === 'memory';
}

/**
 * Returns the HTTP headers of an incoming request, from what a transport passes beside the message: SDK v2 the `Request`, SDK v1 a plain
 * object. `undefined` over stdio and in memory.
 */
export function headersIn(extra: unknown): HeaderSource | undefined {
  if (!isObject(extra)) return undefined;
  const { request, requestInfo } = extra as { request?: { headers?: unknown }; requestInfo?: { headers?: unknown } };
  const headers = request?.headers ?? requestInfo?.headers;
  return typeof headers === 'object' && headers !== null ? (headers as HeaderSource) : undefined;
}
