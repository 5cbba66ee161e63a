/**
 * The few members of SDK transports and servers that are not public. Each is optional: if one is missing or of another type, the function
 * here does nothing and returns that, and the layer goes on without what its comment names as lost.
 */
import type { FetchLike } from './fetch.js';
import type { TransportLike } from './types.js';

type Loose = Record<string, unknown>;

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
    ...(typeof env === 'object' && env !== null && { env: given(env) }),
  };
}

function given(env: object): Record<string, string> {
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

/** `_serverInfo` of the servers. Lost without it: two servers with one name count as two, and lists are kept for each. */
export function serverName(server: object): string | undefined {
  const info = (server as Loose)['_serverInfo'];
  if (typeof info !== 'object' || info === null) return undefined;
  const { name, version } = info as Loose;
  return typeof name === 'string' ? `${name} ${String(version)}` : undefined;
}
