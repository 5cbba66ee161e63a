/** `createGateway(config)`: the hops of all upstreams behind one edge, to be listened with or embedded. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Readable, Writable } from 'node:stream';
import { Bodies } from 'waybill/adapter';
import { Refusal } from './answer.js';
import { loadConfig, type ConfigInput } from './config/load.js';
import { settledAtStart } from './config/settled.js';
import type { GatewayConfig } from './config/types.js';
import { Edge } from './front/edge.js';
import { handleFetch } from './front/fetch.js';
import { Limits } from './front/limits.js';
import { handleNode } from './front/node.js';
import { SessionSeal } from './front/sessions.js';
import { servePipe } from './front/stdio.js';
import { openIdentity } from './identity/open.js';
import { openKeeper, type StateKeeper } from './keeper.js';
import { Listener } from './listener.js';
import { auditTo } from './operations/audit.js';
import { Exchanges } from './operations/exchanges.js';
import { lineOf, type Log, type LogEntry } from './operations/log.js';
import { Operators } from './operations/operators.js';
import type { OnExchange } from './operations/record.js';
import { startTracing } from './operations/tracing.js';
import { namesDisclosed } from './rules/policy.js';
import { namesOf, retire, serve, type Serving } from './serving.js';
import { forManyListeners } from './signals.js';
import { checkStore, openStore } from './stores.js';

export interface GatewayOptions {
  /** Lines for the operator: stderr of children, restarts, values that were dropped, one line for each call. */
  readonly log?: (line: string, entry: LogEntry) => void;
  readonly onExchange?: OnExchange;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Gateway {
  readonly config: GatewayConfig;
  /** The upstreams, with the names of the rules that are on. */
  readonly upstreams: readonly { readonly name: string; readonly rules: readonly string[] }[];
  /** For embedding in a server of the `fetch` kind. `peer`: the address that the connection comes from, for `trustedProxy`. */
  fetch(request: Request, peer?: string): Promise<Response>;
  /** For embedding in `node:http`. */
  node(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Listens on the configured addresses. Returns the base URL. */
  listen(): Promise<string>;
  /** The base URL of /readyz, /metrics and /feed, once it listens; undefined without `admin`. */
  readonly admin: string | undefined;
  /** Serves the only upstream over a pipe, until the input ends. */
  pipe(input: Readable, output: Writable): Promise<void>;
  /** The number of child processes that run for an upstream, and of those started in all. */
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
  const opened: Opened[] = [];
  try {
    return await openGateway(loadConfig(input), options, opened);
  } catch (error) {
    await Promise.all(opened.map((part) => part.close()));
    throw error;
  }
}

/** A part that holds connections, timers or watched files until it is closed. */
interface Opened {
  close(): Promise<void>;
}

/** `opened` gets every part that must be closed if a later one cannot be opened. */
async function openGateway(first: GatewayConfig, options: GatewayOptions, opened: Opened[]): Promise<Gateway> {
  let config = first;
  const { now = Date.now } = options;
  const log: Log = (entry) => options.log?.(lineOf(entry), entry);
  const warn = (message: string): void => log({ level: 'warn', message });
  const exchanges = new Exchanges({ keepsBodies: config.feed === 'bodies', now, namesDisclosed });
  /** A listener of the program that embeds the gateway may throw. */
  const listen = (listener: OnExchange): (() => void) =>
    exchanges.listen((record) => {
      try {
        listener(record);
      } catch (error) {
        warn(`onExchange: ${String(error)}`);
      }
    });
  if (options.onExchange) listen(options.onExchange);
  if (config.log.audit && options.log) auditTo(log, exchanges);
  await checkStore(config);
  const store = await openStore(config.store, warn);
  opened.push(store);
  const tracing = config.otlp === undefined ? undefined : await startTracing(config.otlp, warn);
  if (tracing) opened.push(tracing);
  let keeper: Promise<StateKeeper> | undefined;
  const parts = { now, log, keeper: () => (keeper ??= openKeeper(store, warn)) };
  const stopping = forManyListeners();
  const over = forManyListeners();
  let identity = await openIdentity(config.identity, { now, log });
  let limits = new Limits({ ...config.limits, now });
  let serving = await serve(config, parts);
  for (const { hop } of serving.values()) opened.push({ close: () => hop.closeRules() });
  let edge = edgeOf(config, serving);
  const retiring = new Set<Promise<void>>();
  let reloading = Promise.resolve();
  let isClosed = false;
  const main = new Listener((request, response) => void handleNode(edge, request, response));
  const operators =
    config.admin &&
    (await Operators.open({ exchanges, store, config: () => config, serving: () => serving, isStopping: () => main.isStopping }));

  function edgeOf(of: GatewayConfig, to: Serving): Edge {
    let seal: SessionSeal | undefined;
    return new Edge({
      ...{ config: of, serving: to, exchanges, identity, limits, stopping: stopping.signal },
      seal: async () => (seal ??= new SessionSeal(of.key ?? [await store.secret().catch(noKey)], of.replica)),
    });
  }

  async function takeOver(given: ConfigInput): Promise<readonly string[]> {
    if (isClosed) throw new TypeError('reload: the gateway is closed');
    const { config: next, settled } = settledAtStart(config, loadConfig(given));
    await checkStore(next);
    // Parts that have not changed go on: the keys of the issuer, and what each user has used of the limits.
    const isSame = (member: 'identity' | 'limits'): boolean => isDeepStrictEqual(next[member], config[member]);
    const nextIdentity = isSame('identity') ? identity : await openIdentity(next.identity, { now, log });
    const served = await serve(next, parts, { serving, config });
    const before = serving;
    if (!isSame('limits')) limits = new Limits({ ...next.limits, now });
    identity = nextIdentity;
    serving = served;
    config = next;
    edge = edgeOf(config, serving);
    exchanges.keepsBodies = config.feed === 'bodies';
    const retired = retire(before, served, config.limits.time, over.signal).finally(() => retiring.delete(retired));
    retiring.add(retired);
    return settled;
  }

  return {
    get config() {
      return config;
    },
    get upstreams() {
      return namesOf(serving);
    },
    get admin() {
      return operators?.url;
    },
    fetch: (request, peer) => handleFetch(edge, request, peer),
    node: (request, response) => handleNode(edge, request, response),
    onExchange: listen,
    children: (name) => serving.get(name)?.hop.upstream.children ?? { running: 0, starts: 0 },
    async listen() {
      if (config.admin) await operators?.listen(config.admin);
      return main.listen(config);
    },
    async pipe(input, output) {
      const [only, ...others] = serving.values();
      if (only === undefined || others.length > 0) throw new TypeError('upstreams: expected exactly one to serve over stdio');
      const bodies = new Bodies({ size: config.limits.body, depth: config.limits.depth });
      const principal = config.identity.kind === 'single' ? config.identity.principal : 'stdio';
      await servePipe(only.hop, input, output, {
        caller: { isPipe: true, principal },
        exchanges,
        enter: (kind) => limits.enter(principal, only.hop.name, kind),
        parse: (text) => (Buffer.byteLength(text) > config.limits.body ? undefined : bodies.parse(text)),
      });
    },
    reload(given) {
      // One after the other: each begins with what the one before has left.
      const taken = reloading.then(() => takeOver(given));
      reloading = taken.then(
        () => undefined,
        () => undefined,
      );
      return taken;
    },
    async close(grace = 0) {
      isClosed = true;
      const closed = main.close(grace);
      stopping.abort();
      await closed;
      await reloading;
      over.abort();
      const ended = [...serving.values()].map(({ hop }) => Promise.all([hop.upstream.close(), hop.closeRules()]));
      await Promise.all([...retiring, ...ended]);
      await operators?.close();
      await (await keeper)?.flush().catch((error: unknown) => warn(`state: ${(error as Error).message}`));
      await store.close();
      await tracing?.close();
    },
  };
}

function noKey(): never {
  throw new Refusal(503, -32000, 'Service Unavailable: the store of the gateway cannot be reached', undefined, { 'retry-after': '1' });
}
