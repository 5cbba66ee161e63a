/** The rules of one upstream, in the order in which they see a request. The policy comes last: it judges what the others wrote. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { relayJar } from 'waybill/adapter';
import type { LanguageConfig, UpstreamConfig } from '../config/types.js';
import { ConfigError } from '../config/problem.js';
import type { StateKeeper } from '../keeper.js';
import { cacheRule } from './cache.js';
import { environmentRule } from './environment.js';
import { languageRule } from './language.js';
import { mayKnow, policyRule } from './policy.js';
import type { Rule } from './rule.js';
import { stateRule, type Kept } from './state.js';
import { toolsRule } from './tools.js';
import { traceRule } from './trace.js';

export interface RuleParts {
  /** True if there is no other upstream. */
  readonly isOnly: boolean;
  readonly now: () => number;
  /** Opened when the first upstream keeps state here. */
  readonly keeper: () => Promise<StateKeeper>;
}

export async function makeRules(
  upstream: UpstreamConfig,
  { isOnly, now, keeper }: RuleParts,
  tell: (line: string) => void,
): Promise<readonly Rule[]> {
  const { language, environment, state, trace, tools, policy, cacheLists } = upstream;
  const rules = [
    language || tools || cacheLists > 0 ? cacheRule(cacheLists, now) : undefined,
    tools && toolsRule(tools),
    language && (await languageRule(withCatalogs(language, tell)).catch((error: unknown) => wrongCatalogs(upstream, error as Error))),
    environment && environmentRule(environment, mayKnow(policy)),
    stateRule(state, upstream.name, isOnly, state.mode === 'keep' ? await keptFor(upstream, await keeper(), tell) : undefined),
    await traceRule(trace),
    policy && policyRule(policy),
  ];
  return rules.filter((rule) => rule !== undefined);
}

/** A folder that is not mounted yet costs its titles, not the gateway. */
function withCatalogs(language: LanguageConfig, tell: (line: string) => void): LanguageConfig {
  const { catalogs } = language;
  if (catalogs === undefined || existsSync(catalogs)) return language;
  tell(`language.catalogs: there is no folder ${catalogs}; texts stay as the server sends them`);
  return { ...language, catalogs: undefined };
}

/** STATE-30…39: which host may keep state is decided as in a client; a command is known by its configured name. */
async function keptFor(
  { name, target, state }: UpstreamConfig,
  keeper: StateKeeper,
  tell: (line: string) => void,
): Promise<Kept | undefined> {
  if (target.kind === 'stdio') return { keeper, server: `gateway:${name}` };
  const named = relayJar({ hosts: await import('waybill/hosts'), allowHosts: state.allowHosts }).nameOf(target.url);
  if ('name' in named) return { keeper, server: named.name };
  tell(`keeps no state: its host ${named.refused}`);
  return undefined;
}

function wrongCatalogs({ name, language }: UpstreamConfig, error: Error): never {
  throw new ConfigError([`upstreams.${name}.language.catalogs: ${adviceOf(error, language ?? {}) ?? error.message}`]);
}

/** Says what to do about a folder without a file of the default language. */
function adviceOf(error: Error, { catalogs, default: standard }: Partial<LanguageConfig>): string | undefined {
  if (!(error instanceof RangeError) || catalogs === undefined || standard === undefined) return undefined;
  const spoken = new Intl.DisplayNames('en', { type: 'language' }).of(standard) ?? standard;
  return `the default language has no file; add ${join(catalogs, `${standard}.json`)} with {} if the server's own texts are ${spoken}`;
}
