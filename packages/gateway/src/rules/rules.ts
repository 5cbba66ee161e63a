/** The rules of one upstream, in the order in which they see a request. The policy comes last: it judges what the others wrote. */
import { relayJar, type RelayJar } from 'waybill/adapter';
import { memoryStore } from 'waybill/client/jar';
import { sqliteStore } from 'waybill/client/node';
import * as hosts from 'waybill/hosts';
import type { GatewayConfig, UpstreamConfig } from '../config/types.js';
import { cacheRule } from './cache.js';
import { environmentRule } from './environment.js';
import { languageRule } from './language.js';
import { policyRule } from './policy.js';
import type { Rule } from './rule.js';
import { stateRule, type Keeper } from './state.js';
import { toolsRule } from './tools.js';
import { traceRule } from './trace.js';

/** Shared by the upstreams of one gateway. */
export interface Shared {
  readonly config: GatewayConfig;
  readonly now: () => number;
  /** The jar of the gateway; undefined if no upstream keeps state here. */
  readonly relay: RelayJar | undefined;
}

export function openJar(config: GatewayConfig, tell: (line: string) => void): RelayJar | undefined {
  const keeping = config.upstreams.filter(({ state }) => state.mode === 'keep');
  if (keeping.length === 0) return undefined;
  const file = /^sqlite:(.+)$/.exec(config.store)?.[1];
  const allowHosts = keeping.flatMap(({ state }) => state.allowHosts);
  const store = file === undefined ? memoryStore() : sqliteStore(file);
  return relayJar({ store, hosts, allowHosts }, ({ key, problem }) => tell(`state: ${key} ${problem}`));
}

export async function makeRules(
  upstream: UpstreamConfig,
  { config, now, relay }: Shared,
  tell: (line: string) => void,
): Promise<readonly Rule[]> {
  const { language, environment, state, trace, tools, policy, cacheLists } = upstream;
  const isOnly = config.upstreams.length === 1;
  const rules = [
    language || tools || cacheLists > 0 ? cacheRule(cacheLists, now) : undefined,
    tools && toolsRule(tools),
    language && (await languageRule(language)),
    environment && environmentRule(environment),
    stateRule(state, upstream.name, isOnly, relay && keeperOf(upstream, relay, tell)),
    await traceRule(trace),
    policy && policyRule(policy),
  ];
  return rules.filter((rule) => rule !== undefined);
}

/** STATE-30…39: which host may keep state is decided as in a client; a command is known by its configured name. */
function keeperOf({ name, target }: UpstreamConfig, relay: RelayJar, tell: (line: string) => void): Keeper | undefined {
  if (target.kind === 'stdio') return { relay, server: `gateway:${name}` };
  const named = relay.nameOf(target.url);
  if ('name' in named) return { relay, server: named.name };
  tell(`keeps no state: its host ${named.refused}`);
  return undefined;
}
