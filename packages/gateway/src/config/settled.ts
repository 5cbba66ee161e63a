/** Settings that are fixed when the gateway starts: its addresses, its store and what is opened with them. */
import { isDeepStrictEqual } from 'node:util';
import { isLoopback } from './address.js';
import { ConfigError } from './problem.js';
import type { GatewayConfig } from './types.js';

/** The fixed settings by their names in the file. */
function fixed({ host, port, admin, store, key, replica, log, otlp }: GatewayConfig): Record<string, unknown> {
  return { listen: [host, port], 'admin.listen': admin && [admin.host, admin.port], store, key, replica, log, otlp };
}

/** The new configuration with the fixed settings of the old one, and the names of those that differ. */
export function settledAtStart(old: GatewayConfig, next: GatewayConfig): { config: GatewayConfig; settled: readonly string[] } {
  const { host, port, admin, store, key, replica, log, otlp } = old;
  // The new file may be right for an address of this machine only, while the old one is still listened at.
  if (!isLoopback(host) && (next.identity.kind === 'none' || next.identity.kind === 'single'))
    throw new ConfigError([
      `identity: is needed until the next start, because the gateway listens at ${host}, which other machines can reach`,
    ]);
  const wanted = fixed(next);
  const settled = Object.entries(fixed(old)).flatMap(([name, value]) => (isDeepStrictEqual(value, wanted[name]) ? [] : [name]));
  // The token of the operators may change; without a new one the old one stays.
  const kept = admin && { ...admin, token: next.admin?.token ?? admin.token };
  return { config: { ...next, host, port, admin: kept, store, key, replica, log, otlp }, settled };
}
