/**
 * Every question about an object of the SDKs: what kind of transport it is, what it can do, and the few members that are not public. Neither
 * SDK names a kind, and both have several classes for each, so the members of the object decide. Each member is optional: if one is missing or
 * of another type, the layer goes on without what the comment names as lost.
 */
import type { HeaderSource } from '../wire/headers.js';
import { isObject, own, type Meta } from '../wire/json.js';
import type { TransportLike } from './types.js';
import type { FetchLike } from './fetch.js';

type Loose = Record<string, unknown>;

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

/**
 * `_fetch` of the HTTP client transports: sets the header on SDK v1, whose `send` takes no headers.
 * Lost without it: the language on v1 over HTTP, unless the transport was built with a `fetch` of ours.
 */
export function wrapFetchSlot(transport: TransportLike, wrap: (base: FetchLike | undefined) => FetchLike): boolean {
  const loose = transport as unknown as Loose;
  const slot = loose['_fetch'];
  if (!('_fetch' in loose) || (slot !== undefined && typeof slot !== 'function')) return false;
  const base = slot as FetchLike | undefined;
  loose['_fetch'] = following(loose, wrap(base && (wrapped.get(base) ?? base)));
  return true;
}

/** Functions that SDK v1 made around one of ours. */
const wrapped = new WeakMap<FetchLike, FetchLike>();

/**
 * `_followRedirects` of the HTTP client transports of SDK v1, true for `redirectPolicy: 'follow'`. They leave redirects to `_fetch` only if
 * their own constructor made that function, so a second transport is built to get one, and dropped.
 * Lost without it: a redirect to another origin is not followed.
 */
function following(transport: Loose, fetch: FetchLike): FetchLike {
  const { _followRedirects, _url, constructor: Base } = transport;
  if (_followRedirects !== true || typeof Base !== 'function') return fetch;
  const built = new (Base as new (url: unknown, options: object) => Loose)(_url, { fetch, redirectPolicy: 'follow' });
  if (typeof built['_fetch'] !== 'function') return fetch;
  wrapped.set(built['_fetch'] as FetchLike, fetch);
  return built['_fetch'] as FetchLike;
}

/** `_url` of the HTTP client transports. Lost without it: the server's identity must be given by hand. */
export function endpointOf(transport: TransportLike): URL | undefined {
  const url = (transport as unknown as Loose)['_url'];
  return url instanceof URL ? url : undefined;
}

export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder it starts in, if it is not ours. */
  readonly cwd?: string;
  /** The variables given to the transport, without those it adds itself. They may hold secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * `_serverParams` of the SDKs' stdio client transports, `serverParams` of the one in `@ai-sdk/mcp`: the command they start.
 * Lost without it: the server's identity must be given by hand.
 */
export function commandOf(transport: TransportLike): StdioCommand | undefined {
  const loose = transport as unknown as Loose;
  const params = loose['_serverParams'] ?? loose['serverParams'];
  if (typeof params !== 'object' || params === null) return undefined;
  const { command, args = [], cwd, env } = params as Loose;
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  const folder = cwd instanceof URL ? pathOf(cwd) : (cwd ?? undefined);
  // Without its folder a command would be taken for another one.
  if (typeof folder !== 'string' && (folder !== undefined || cwd instanceof URL)) return undefined;
  return {
    command,
    args: args.map(String),
    ...(folder !== undefined && { cwd: folder }),
    ...(typeof env === 'object' && env !== null && { env: textsIn(env) }),
  };
}

function textsIn(env: object): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** Returns the path of a `file:` URL, as this system writes it. */
function pathOf({ protocol, host, pathname }: URL): string | undefined {
  try {
    if (protocol !== 'file:') return undefined;
    const path = decodeURIComponent(pathname);
    return host === '' ? path.replace(/^\/(?=[A-Za-z]:)/, '') : `//${host}${path}`;
  } catch {
    return undefined;
  }
}

/**
 * `_serverParams` and `constructor` of the v2 stdio client: with automatic version negotiation it asks `server/discover`
 * of a second, disposable process, which it builds with `new transport.constructor(params)`.
 * Lost without it: context on that one probe.
 */
export function hookProbe<T extends TransportLike>(transport: T, hook: (probe: T) => T): boolean {
  const loose = transport as unknown as Loose;
  const Base: unknown = loose['constructor'];
  if (!('_serverParams' in loose) || typeof Base !== 'function') return false;
  const build = Base as new (...args: unknown[]) => T;
  function Probe(...args: unknown[]): T {
    return hook(new build(...args));
  }
  Object.defineProperty(transport, 'constructor', { configurable: true, value: Probe });
  return true;
}

/**
 * `_meta` of the request that a handler serves: SDK v2 keeps it under `mcpReq` of `ctx`, SDK v1 at the top of `extra`. Both are public.
 * Lost without it: `contextOf(ctx)`; a program then needs `ambient`.
 */
export function metaInHandler(ctx: Meta): unknown {
  const mcpReq = own(ctx, 'mcpReq');
  return isObject(mcpReq) ? own(mcpReq, '_meta') : own(ctx, '_meta');
}

/** `mcpReq` of SDK v2, `requestId` of SDK v1. Lost without them: which of two mistakes the error of `contextOf` names. */
export function isHandlerContext(ctx: unknown): boolean {
  return isObject(ctx) && ['mcpReq', 'requestId'].some((name) => name in ctx);
}

/** `setRequestHandler` of `Server`, which `McpServer` has as its `server`. Lost without it: an error that names the mistake. */
export function isSdkServer(target: object): boolean {
  const { server, setRequestHandler } = target as { server?: { setRequestHandler?: unknown }; setRequestHandler?: unknown };
  return typeof (setRequestHandler ?? server?.setRequestHandler) === 'function';
}

/** `_serverInfo` of the servers. Lost without it: two servers with one name count as two, and lists are kept for each. */
export function serverName(server: object): string | undefined {
  const info = (server as Loose)['_serverInfo'];
  if (typeof info !== 'object' || info === null) return undefined;
  const { name, version } = info as Loose;
  return typeof name === 'string' ? `${name} ${String(version)}` : undefined;
}
