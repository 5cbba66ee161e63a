/** `--check-config`: everything that a start would find wrong, without a process, a connection or a file. */
import { PassThrough } from 'node:stream';
import { openIdentity } from '../identity/open.js';
import type { StateKeeper } from '../keeper.js';
import { Exchanges } from '../operations/exchanges.js';
import { openMetrics } from '../operations/metrics.js';
import { checkTracing } from '../operations/tracing.js';
import { openLog } from '../operations/writer.js';
import { makeRules } from '../rules/rules.js';
import { checkStore } from '../stores.js';
import type { GatewayConfig } from './types.js';

/** Throws what a start would throw. `warn`: told of what a start would only report. */
export async function tryOut(config: GatewayConfig, warn: (line: string) => void): Promise<void> {
  await openLog(config.log.format, new PassThrough());
  await checkStore(config);
  if (config.otlp !== undefined) await checkTracing();
  await openIdentity(config.identity, { now: Date.now, log: () => undefined });
  const exchanges = new Exchanges({ keepsBodies: false, now: Date.now, namesDisclosed: () => [] });
  if (config.admin !== undefined) (await openMetrics(exchanges, () => [])).close();
  const isOnly = config.upstreams.length === 1;
  for (const upstream of config.upstreams) {
    const rules = await makeRules(upstream, { isOnly, now: Date.now, keeper: () => Promise.resolve(NO_KEEPER) }, (line) =>
      warn(`${upstream.name}: ${line}`),
    );
    for (const rule of rules) await rule.close?.();
  }
}

const NO_KEEPER: StateKeeper = {
  send: () => Promise.reject(new Error('nothing is kept while a configuration is checked')),
  end: () => Promise.resolve(),
  flush: () => Promise.resolve(),
};
