/** The upstreams of one configuration, as they are served now. A new configuration takes over from it what has not changed. */
import { isDeepStrictEqual } from 'node:util';
import type { GatewayConfig, UpstreamConfig } from './config/types.js';
import { UpstreamHop } from './hop.js';
import type { StateKeeper } from './keeper.js';
import type { Log } from './operations/log.js';
import { makeRules } from './rules/rules.js';
import { Upstream } from './upstream/upstream.js';

export interface ServingParts {
  readonly now: () => number;
  readonly log: Log;
  /** Opened when the first upstream keeps state here. */
  readonly keeper: () => Promise<StateKeeper>;
}

/** One upstream with its rules, and how many requests are on their way through it. */
export class Served {
  readonly hop: UpstreamHop;
  #running = 0;
  #whenIdle: (() => void) | undefined;

  constructor(hop: UpstreamHop) {
    this.hop = hop;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#running === 0) this.#whenIdle?.();
    }
  }

  /** Resolves when nothing is on its way any more, and at the latest with the signal or after this time: open streams may never end. */
  async idle(time: number, over: AbortSignal): Promise<void> {
    if (this.#running === 0 || over.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        over.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, time);
      over.addEventListener('abort', done, { once: true });
      this.#whenIdle = done;
    });
  }
}

export type Serving = ReadonlyMap<string, Served>;

/** The upstreams, with the names of the rules that are on. */
export function namesOf(serving: Serving): { readonly name: string; readonly rules: readonly string[] }[] {
  return [...serving.values()].map(({ hop: { name, ruleNames } }) => ({ name, rules: ruleNames }));
}

/** Builds what `config` describes. Nothing of `before` is closed: its requests go on. */
export async function serve(
  config: GatewayConfig,
  parts: ServingParts,
  before?: { serving: Serving; config: GatewayConfig },
): Promise<Serving> {
  const serving = new Map<string, Served>();
  const isOnly = config.upstreams.length === 1;
  for (const upstream of config.upstreams) {
    const old = before?.serving.get(upstream.name);
    const log = (message: string): void => parts.log({ level: 'info', message, upstream: upstream.name });
    const rules = await makeRules(upstream, { isOnly, now: parts.now, keeper: parts.keeper }, log).catch(async (error: unknown) => {
      for (const { hop } of serving.values()) await hop.closeRules();
      throw error;
    });
    const kept = old !== undefined && hasSameTarget(old.hop.config, upstream) && hasSameTime(config, before?.config) ? old : undefined;
    const reached = kept?.hop.upstream ?? (await Upstream.open({ config: upstream, time: config.limits.time, log, now: parts.now }));
    serving.set(upstream.name, new Served(new UpstreamHop(reached, upstream, rules, log)));
  }
  return serving;
}

/** Ends what `next` does not use, as soon as its requests are answered, and at the latest with the signal `over` or after `time`. */
export async function retire(old: Serving, next: Serving, time: number, over: AbortSignal): Promise<void> {
  const used = new Set([...next.values()].map(({ hop }) => hop.upstream));
  await Promise.all(
    [...old.values()].map(async (served) => {
      await served.idle(time, over);
      await served.hop.closeRules();
      if (!used.has(served.hop.upstream)) await served.hop.upstream.close();
    }),
  );
}

const hasSameTime = (one: GatewayConfig, other: GatewayConfig | undefined): boolean => one.limits.time === other?.limits.time;

/** The same sessions and processes serve both. Processes are told at their start whether state is kept here. */
function hasSameTarget(one: UpstreamConfig, other: UpstreamConfig): boolean {
  const isSameKeeper = (one.state.mode === 'keep') === (other.state.mode === 'keep');
  return isSameKeeper && one.revision === other.revision && isDeepStrictEqual(one.target, other.target);
}
