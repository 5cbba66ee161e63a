import type { GatewayConfig, UpstreamConfig } from '../config/types.js';
import type { Rule } from './rule.js';

/** The rules of one upstream, in the order in which they see a request. */
export async function makeRules(
  _upstream: UpstreamConfig,
  _config: GatewayConfig,
  _tell: (line: string) => void,
): Promise<readonly Rule[]> {
  return Promise.resolve([]);
}
