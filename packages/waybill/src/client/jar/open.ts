import { checkNames } from '../../wire/check.js';
import type { ClientState } from '../state.js';
import { checkIdentity, type IdentityOptions } from './identity.js';
import { checkJar, type JarOptions as StorageOptions } from './jars.js';
import { StatePart } from './part.js';

/** Where state is kept, and which servers may keep some. */
export interface JarOptions extends StorageOptions, IdentityOptions {}

const OPTIONS = [
  ...(['hosts', 'allowHosts', 'partition', 'stdio'] as const),
  ...(['store', 'limits', 'durability', 'storeTimeout', 'concurrent'] as const),
] satisfies (keyof JarOptions)[];

/**
 * Lets servers keep state at a client: `clientContext({ state: jar({ store, hosts }) })`. Without options it is kept in memory, and only
 * for servers whose identity is given to `attach`.
 */
export function jar(options: JarOptions = {}): ClientState {
  checkNames(options, OPTIONS, 'jar');
  checkIdentity(options, 'jar');
  checkJar(options, 'jar');
  let isOpen = false;
  return {
    open(report) {
      // Two clients on one jar would each see half of it. To share state, they share a store.
      if (isOpen) throw new TypeError('state: expected a jar of its own for each clientContext; to share state, give both jars one store');
      isOpen = true;
      return new StatePart(options, report);
    },
  };
}
