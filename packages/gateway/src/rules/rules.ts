/** The rules of one upstream, in the order in which they see a request. The policy comes last: it judges what the others wrote. */
import { relayJar, type RelayJar } from 'waybill/adapter';
import * as hosts from 'waybill/hosts';
import type { UpstreamConfig } from '../config/types.js';
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
  /** There is no other upstream. */
  readonly isOnly: boolean;
  readonly now: () => number;
  /** The jar of the gateway. It is opened when the first upstream keeps state in it. */
  readonly relay: () => RelayJar;
}

export async function makeRules(
  upstream: UpstreamConfig,
  { isOnly, now, relay }: Shared,
  tell: (line: string) => void,
): Promise<readonly Rule[]> {
  const { language, environment, state, trace, tools, policy, cacheLists } = upstream;
  const rules = [
    language || tools || cacheLists > 0 ? cacheRule(cacheLists, now) : undefined,
    tools && toolsRule(tools),
    language && (await languageRule(language)),
    environment && environmentRule(environment),
    stateRule(state, upstream.name, isOnly, state.mode === 'keep' ? keeperOf(upstream, relay(), tell) : undefined),
    await traceRule(trace),
    policy && policyRule(policy),
  ];
  return rules.filter((rule) => rule !== undefined);
}

/** STATE-30…39: which host may keep state is decided as in a client; a command is known by its configured name. */
function keeperOf({ name, target, state }: UpstreamConfig, relay: RelayJar, tell: (line: string) => void): Keeper | undefined {
  if (target.kind === 'stdio') return { relay, server: `gateway:${name}` };
  const named = relayJar({ hosts, allowHosts: state.allowHosts }).nameOf(target.url);
  if ('name' in named) return { relay, server: named.name };
  tell(`keeps no state: its host ${named.refused}`);
  return undefined;
}
