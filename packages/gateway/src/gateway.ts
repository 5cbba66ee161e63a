/** `createGateway(config)`: the hops of all upstreams behind one edge, to be listened with or embedded. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { Bodies } from 'waybill/adapter';
import { loadConfig, type ConfigInput } from './config/load.js';
import type { GatewayConfig } from './config/types.js';
import { Feed, type OnExchange } from './feed.js';
import { Edge } from './front/edge.js';
import { handleFetch } from './front/fetch.js';
import { handleNode } from './front/node.js';
import { servePipe } from './front/stdio.js';
import { UpstreamHop } from './hop.js';
import { makeRules, openJar } from './rules/rules.js';
import { Upstream } from './upstream/upstream.js';

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
  /** Listens on the configured address. Returns the base URL. */
  listen(): Promise<string>;
  /** Serves the only upstream over a pipe, until the input ends. */
  pipe(input: Readable, output: Writable): Promise<void>;
  /** How many child processes run for an upstream, and how many were started in all. */
  children(upstream: string): { readonly running: number; readonly starts: number };
  onExchange(listener: OnExchange): () => void;
  /** Ends all streams and all child processes. */
  close(): Promise<void>;
}

/** Builds a gateway from a configuration object, or from the text of a configuration file. Rejects if the configuration is wrong. */
export async function createGateway(input: ConfigInput, options: GatewayOptions = {}): Promise<Gateway> {
  const config = loadConfig(input);
  const { log = () => undefined, now = Date.now } = options;
  const feed = new Feed(config.feed);
  if (options.onExchange) feed.listen(options.onExchange);
  const relay = openJar(config, log);
  const hops = new Map<string, UpstreamHop>();
  for (const upstream of config.upstreams) {
    const tell = (line: string): void => log(`${upstream.name}: ${line}`);
    const rules = await makeRules(upstream, { config, now, relay }, tell);
    hops.set(
      upstream.name,
      new UpstreamHop(new Upstream({ config: upstream, time: config.limits.time, log: tell, now }), upstream, rules, tell),
    );
  }
  const edge = new Edge(config, hops, feed);
  let server: Server | undefined;

  return {
    config,
    upstreams: [...hops.values()].map(({ name, ruleNames }) => ({ name, rules: ruleNames })),
    fetch: (request) => handleFetch(edge, request),
    node: (request, response) => handleNode(edge, request, response),
    onExchange: (listener) => feed.listen(listener),
    children: (name) => hops.get(name)?.upstream.children ?? { running: 0, starts: 0 },
    async listen() {
      const listening = createServer((request, response) => void handleNode(edge, request, response));
      // Streams may be silent for long; slow bodies are limited by the edge.
      listening.requestTimeout = 0;
      listening.keepAliveTimeout = 65_000;
      server = listening;
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(config.port, config.host, resolve);
      });
      const address = listening.address();
      const port = typeof address === 'object' && address !== null ? address.port : config.port;
      const host = config.host.includes(':') ? `[${config.host}]` : config.host;
      return `http://${host}:${port}`;
    },
    async pipe(input, output) {
      const [hop, ...others] = hops.values();
      if (hop === undefined || others.length > 0) throw new TypeError('upstreams: expected exactly one to serve over stdio');
      const bodies = new Bodies({ size: config.limits.body, depth: config.limits.depth });
      await servePipe(hop, input, output, {
        caller: { isPipe: true, principal: config.principal ?? 'stdio' },
        parse: (text) => bodies.parse(text),
      });
    },
    async close() {
      const closing = server;
      if (closing !== undefined) {
        const closed = new Promise((resolve) => closing.close(resolve));
        closing.closeAllConnections();
        await closed;
      }
      await Promise.all([...hops.values()].map((hop) => hop.close()));
      await relay?.jar.close();
    },
  };
}
