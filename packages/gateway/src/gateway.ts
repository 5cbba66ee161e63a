/** `createGateway(config)`: the hops of all upstreams behind one edge, to be listened with or embedded. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { Bodies, relayJar, type RelayJar } from 'waybill/adapter';
import * as hosts from 'waybill/hosts';
import { loadConfig, type ConfigInput } from './config/load.js';
import type { GatewayConfig } from './config/types.js';
import { Edge } from './front/edge.js';
import { handleFetch } from './front/fetch.js';
import { handleNode } from './front/node.js';
import { servePipe } from './front/stdio.js';
import { Listener } from './listener.js';
import { adminHandler } from './operations/admin.js';
import { Exchanges, type OnExchange } from './operations/exchanges.js';
import { FeedStream } from './operations/feedStream.js';
import { openMetrics, type Metrics } from './operations/metrics.js';
import { readiness } from './operations/ready.js';
import { namesDisclosed } from './rules/policy.js';
import { retire, serve } from './serving.js';
import { Store } from './stores.js';

export interface GatewayOptions {
  /** Lines for the operator: stderr of children, restarts, values that were dropped. */
  readonly log?: (line: string) => void;
  readonly onExchange?: OnExchange;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Gateway {
  readonly config: GatewayConfig;
  /** The upstreams, with the names of the rules that are on. */
  readonly upstreams: readonly { readonly name: string; readonly rules: readonly string[] }[];
  /** For embedding in a server of the `fetch` kind. */
  fetch(request: Request): Promise<Response>;
  /** For embedding in `node:http`. */
  node(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Listens on the configured addresses. Returns the base URL. */
  listen(): Promise<string>;
  /** The base URL of /readyz, /metrics and /feed, once it listens; undefined without `admin`. */
  readonly admin: string | undefined;
  /** Serves the only upstream over a pipe, until the input ends. */
  pipe(input: Readable, output: Writable): Promise<void>;
  /** How many child processes run for an upstream, and how many were started in all. */
  children(upstream: string): { readonly running: number; readonly starts: number };
  onExchange(listener: OnExchange): () => void;
  /**
   * Takes another configuration. Requests under way are finished under the old one. Rejects if the new one is wrong; then nothing changes.
   * Returns the settings that only a new start changes.
   */
  reload(input: ConfigInput): Promise<readonly string[]>;
  /** Ends all streams and all child processes. `grace`: milliseconds that requests under way have until then. */
  close(grace?: number): Promise<void>;
}

/** Builds a gateway from a configuration object, or from the text of a configuration file. Rejects if the configuration is wrong. */
export async function createGateway(input: ConfigInput, options: GatewayOptions = {}): Promise<Gateway> {
  let config = loadConfig(input);
  const { log = () => undefined, now = Date.now } = options;
  const exchanges = new Exchanges({ keepsBodies: config.feed === 'bodies', now, namesDisclosed: namesDisclosed() });
  if (options.onExchange) exchanges.listen(options.onExchange);
  const store = new Store(config.store);
  let relay: RelayJar | undefined;
  const parts = {
    now,
    log,
    relay: () => (relay ??= relayJar({ store: store.open(), hosts }, ({ key, problem }) => log(`state: ${key} ${problem}`))),
  };
  let serving = await serve(config, parts);
  let edge = new Edge(config, serving, exchanges);
  const upstreams = () => [...serving.values()].map(({ hop: { name, ruleNames } }) => ({ name, rules: ruleNames }));
  const retiring = new Set<Promise<void>>();

  const main = new Listener((request, response) => void handleNode(edge, request, response));
  let metrics: Metrics | undefined;
  let feed: FeedStream | undefined;
  let admin: Listener | undefined;
  if (config.admin !== undefined) {
    metrics = await openMetrics(exchanges, () => [...serving.values()].map(({ hop }) => hop));
    feed = new FeedStream(exchanges, () => ({ feed: exchanges.keepsBodies ? 'bodies' : 'names', upstreams: upstreams() }));
    const handle = adminHandler({
      metrics,
      token: () => config.admin?.token ?? '',
      feed: () => (config.feed === 'off' ? undefined : feed),
      ready: () =>
        readiness({
          store,
          upstreams: new Map([...serving].map(([name, { upstream }]) => [name, upstream])),
          isStopping: main.isStopping,
        }),
    });
    admin = new Listener(handle);
  }

  return {
    get config() {
      return config;
    },
    get upstreams() {
      return upstreams();
    },
    get admin() {
      return admin?.url;
    },
    fetch: (request) => handleFetch(edge, request),
    node: (request, response) => handleNode(edge, request, response),
    onExchange: (listener) => exchanges.listen(listener),
    children: (name) => serving.get(name)?.upstream.children ?? { running: 0, starts: 0 },
    async listen() {
      if (admin !== undefined && config.admin !== undefined) await admin.listen(config.admin);
      return main.listen(config);
    },
    async pipe(input, output) {
      const [only, ...others] = serving.values();
      if (only === undefined || others.length > 0) throw new TypeError('upstreams: expected exactly one to serve over stdio');
      const bodies = new Bodies({ size: config.limits.body, depth: config.limits.depth });
      await servePipe(only.hop, input, output, {
        caller: { isPipe: true, principal: config.principal ?? 'stdio' },
        exchanges,
        parse: (text) => (Buffer.byteLength(text) > config.limits.body ? undefined : bodies.parse(text)),
      });
    },
    async reload(given) {
      const next = loadConfig(given);
      const fixed = settledAtStart(config, next);
      const after = { ...next, host: config.host, port: config.port, store: config.store, admin: config.admin && next.admin };
      const before = serving;
      const served = await serve(after, parts, { serving, config });
      serving = served;
      config = after;
      exchanges.keepsBodies = config.feed === 'bodies';
      edge = new Edge(config, serving, exchanges);
      const retired = retire(before, served, config.limits.time).finally(() => retiring.delete(retired));
      retiring.add(retired);
      return fixed;
    },
    async close(grace = 0) {
      await main.close(grace);
      feed?.close();
      await Promise.all([...serving.values()].map(async ({ hop, upstream }) => Promise.all([upstream.close(), hop.closeRules()])));
      metrics?.close();
      await admin?.close(0);
      await (relay === undefined ? store.close() : relay.jar.close());
    },
  };
}

/** The settings of `next` that are not taken before a new start. */
function settledAtStart(now: GatewayConfig, next: GatewayConfig): string[] {
  const changed = [
    ...(next.host !== now.host || next.port !== now.port ? ['listen'] : []),
    ...(next.admin?.host !== now.admin?.host || next.admin?.port !== now.admin?.port ? ['admin.listen'] : []),
    ...(next.store !== now.store ? ['store'] : []),
  ];
  return changed;
}
