import {
  Bodies,
  edge,
  hookTransportEdge,
  hookServer,
  hookTransport,
  instrument,
  type Instrumented,
  type FetchHandler,
  type Observer,
  type TransportLike,
} from '../transport/index.js';
import { eachServer, innerServer } from '../transport/connect.js';
import { hookedWith } from '../transport/hook.js';
import { nodeEdge, type NodeHandler } from '../transport/node/edge.js';
import { passesUnknownMembers } from '../transport/sdk.js';
import { checkMembers, checkNames, expectFlag } from '../wire/check.js';
import type { JsonObject } from '../wire/json.js';
import { EXTENSION_ID } from '../wire/keys.js';
import { openAmbient } from './find.js';
import { checkOptions } from './check.js';
import { edgeHooks } from './edge.js';
import type { PeerConnection } from './connection.js';
import { connectionHooks } from './hook.js';
import { createLayer } from './layer.js';
import type { NodeListener, NodeListenerBehind } from './nodeListener.js';
import type { ServerContextOptions } from './options.js';
import { partsOf } from './parts.js';
import { unknownCapabilities } from './parts/toolNeeds.js';
import { tellChanged } from './runParts.js';
import { type Standalone, Sessions } from './standaloneCall.js';
import { standaloneFetch, standaloneNode } from './standalone.js';
import { stdioTransport, type StdioOptions, type StdioTransport } from './stdio.js';

export interface ServerContext {
  /**
   * Adds the context to a `Server` or `McpServer` of either SDK, before it is connected, or to a function that makes them. Returns its
   * argument, or a function of the same kind. Attaching the same server twice has no further effect.
   */
  attach<T extends object>(target: T): T;
  /**
   * The HTTP edge in front of a fetch-shaped handler: `createMcpHandler(…)`, or a function of a `Request`. A handler that reads the request
   * itself instead of `parsedBody` needs `rebuild`. A handler whose server cannot be given to `attach` needs `standalone`.
   */
  http<H extends FetchHandler | { readonly fetch: FetchHandler }>(
    handler: H,
    options?: { readonly rebuild?: boolean; readonly standalone?: boolean },
  ): H;
  /**
   * The HTTP edge in front of a `node:http` listener or, without one, as middleware for Express and similar frameworks: the next handler
   * finds `req.body`.
   */
  node(handler?: NodeListenerBehind, options?: { readonly standalone?: boolean }): NodeListener;
  /** Returns the second argument of `serveStdio`; its `transport` also serves `connect`. */
  stdio(options?: StdioOptions): { transport: StdioTransport };
  /** For frameworks that build servers themselves: attaches every instance of this class. Returns how to undo it. */
  instrument(target: { prototype: object }): Instrumented;
  /** Calls the observer for each exchange. Returns how to stop. */
  observe(observer: Observer): () => void;
}

/** The maker of a server (a factory or the program), and which of the servers of this context it is. */
interface Origin {
  readonly by: 'author' | 'factory';
  readonly target: string;
}

interface Declares {
  registerCapabilities?(capabilities: object): void;
}

/** SDK v2 sends changes for `subscriptions/listen` over a bus of its handler, which is public. */
function onEvent(handler: object, listener: (event: { readonly kind?: unknown }) => void): void {
  const { bus } = handler as { bus?: { subscribe?: (listener: (event: { readonly kind?: unknown }) => void) => unknown } };
  bus?.subscribe?.(listener);
}

/** Returns the same object with another `fetch`. Its own methods are called on itself, since it may have private fields. */
function withFetch<T extends object>(inner: T, fetch: FetchHandler): T {
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'fetch') return fetch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Passes on to the next handler of Express and similar frameworks; without one, nothing is served here. */
const passOn: NodeHandler = (_request, response, _body, next) => {
  if (next === undefined) response.writeHead(404).end();
  else next();
};

/**
 * Makes the context of a server program. One context serves any number of servers, connections and requests, and keeps nothing between
 * requests.
 */
export function serverContext(options: ServerContextOptions = {}): ServerContext {
  checkOptions(options);
  const ambient = options.ambient === true ? openAmbient(options.storage) : undefined;
  const parts = partsOf(options);
  const layer = createLayer(options, parts);
  for (const issue of unknownCapabilities(options.tools ?? {})) layer.report(issue);
  const bodies = new Bodies(options.limits);
  const inFront = edgeHooks(layer, bodies, 'front');
  const atTransport = edgeHooks(layer, bodies, 'transport');
  const observers = new Set<Observer>();
  /** The servers that have declared the extension. */
  const origins = new WeakMap<object, Origin>();
  const wants = options.wants && { wants: { ...options.wants } };
  const settings = Object.assign({ lifts: true }, wants, ...parts.map((part) => part.declares ?? {})) as JsonObject;

  /** A handler without an SDK server has no `ctx` that could lead to its request, so it always needs an ambient one. */
  function standaloneOf(handler: object): Standalone {
    const target = layer.targets.ofFactory(handler);
    return { layer, observers, settings, target, ambient: ambient ?? openAmbient(options.storage), sessions: new Sessions() };
  }

  function onTransport(transport: TransportLike, server: object): void {
    // The transport is ours already, and connected again.
    if (hookedWith(transport)?.observers === observers) return;
    const { target, by } = origins.get(server) as Origin;
    hookTransport(transport, connectionHooks(layer, transport, observers, ambient, { target, lifts: lifting(transport, by) }));
    hookTransportEdge(transport, atTransport);
  }

  /**
   * Tells whether the literal `clientContext` would have been moved into `_meta`. `createMcpHandler`, which takes a factory, checks a
   * message strictly before it reaches the edge of its transport.
   */
  function lifting(transport: TransportLike, by: Origin['by']): PeerConnection['lifts'] {
    return (edge) => edge === 'front' || (edge === 'transport' ? by !== 'factory' : passesUnknownMembers(transport));
  }

  /** The extension is declared last, when everything else is in place, as in the SDK's own extensions. */
  function declare(server: object, factory?: Origin): void {
    const known = origins.get(server);
    origins.set(server, factory ?? known ?? { by: 'author', target: layer.targets.ofServer(server) });
    if (known === undefined) (server as Declares).registerCapabilities?.({ extensions: { [EXTENSION_ID]: settings } });
  }

  function attachOne<T extends object>(target: T, factory?: Origin): T {
    hookServer(target, onTransport, 'attach');
    declare(innerServer(target, 'attach'), factory);
    return target;
  }

  return {
    attach(target) {
      if (typeof target !== 'function') return attachOne(target);
      const factory: Origin = { by: 'factory', target: layer.targets.ofFactory(target) };
      return eachServer(target, (server) => attachOne(server, factory), 'attach');
    },

    http(handler, given = {}) {
      checkMembers(given, { rebuild: expectFlag, standalone: expectFlag }, 'http');
      const { rebuild = false, standalone = false } = given;
      const behindEdge = (served: FetchHandler): FetchHandler =>
        standalone ? edge(standaloneFetch(standaloneOf(served), served), inFront) : edge(served, inFront, { rebuild });
      if (typeof handler === 'function') return behindEdge(handler) as typeof handler;
      if (typeof (handler as { fetch?: unknown } | undefined)?.fetch !== 'function')
        throw new TypeError('http: expected a function of a Request, or an object with fetch()');
      if (options.lists !== undefined) onEvent(handler, (event) => tellChanged(layer, event));
      const fetch = behindEdge((...args) => handler.fetch(...args));
      return Object.getPrototypeOf(handler) === Object.prototype
        ? ({ ...(handler as object), fetch } as typeof handler)
        : withFetch(handler, fetch);
    },

    node(handler = passOn, given = {}) {
      checkMembers(given, { standalone: expectFlag }, 'node');
      if (typeof handler !== 'function') throw new TypeError('node: expected a listener (request, response)');
      const listener = handler as NodeHandler;
      return nodeEdge(given.standalone === true ? standaloneNode(standaloneOf(handler), listener) : listener, inFront) as NodeListener;
    },

    stdio(given = {}) {
      checkNames(given, ['stdin', 'stdout', 'maxLine', 'grace'], 'stdio');
      return { transport: stdioTransport(given, layer.wire) };
    },

    instrument: (target) =>
      instrument(target, (transport, connecting) => {
        const server = innerServer(connecting, 'instrument');
        declare(server);
        onTransport(transport, server);
      }),

    observe(observer) {
      if (typeof observer !== 'function') throw new TypeError('observe: expected a function');
      observers.add(observer);
      return () => void observers.delete(observer);
    },
  };
}
