/** Opens the configured way to know who asks. */
import type { IdentityConfig } from '../config/types.js';
import type { Caller } from '../face.js';
import type { Identity, IdentityParts } from './identity.js';
import { jwtIdentity } from './jwt.js';
import { trustedProxy } from './trustedProxy.js';

export async function openIdentity(config: IdentityConfig, parts: IdentityParts): Promise<Identity> {
  if (config.kind === 'jwt') return jwtIdentity(config, parts);
  if (config.kind === 'trustedProxy') return trustedProxy(config);
  const caller: Caller = config.kind === 'single' ? { principal: config.principal } : {};
  return { identify: () => Promise.resolve(caller) };
}
