import { checkNames } from '../../wire/check.js';
import type { ClientState } from '../state.js';
import { checkIdentity, type IdentityOptions } from './identity.js';
import { checkJar, type JarOptions as StorageOptions } from './jars.js';
import { StatePart } from './part.js';

/** Options of the store, and of the servers that may keep state. */
export interface JarOptions extends StorageOptions, IdentityOptions {}

const OPTIONS = [
  ...(['hosts', 'allowHosts', 'partition', 'stdio'] as const),
  ...(['store', 'limits', 'durability', 'storeTimeout', 'concurrent'] as const),
] satisfies (keyof JarOptions)[];

/**
 * Lets servers keep state at a client: `clientContext({ state: jar({ store, hosts }) })`. Without options, state is kept in memory, and
 * only for servers whose identity is given to `attach`.
 */
export function jar(options: JarOptions = {}): ClientState {
  checkNames(options, OPTIONS, 'jar');
  checkIdentity(options, 'jar');
  checkJar(options, 'jar');
  let isOpen = false;
  return {
    open(report) {
      // Each of two clients on one jar would see half of it. To share state, they share a store.
      if (isOpen)
        throw new TypeError(
          'state: this jar is in use; make one jar() for each clientContext, and give both jars the same store to share state',
        );
      isOpen = true;
      return new StatePart(options, report);
    },
  };
}
