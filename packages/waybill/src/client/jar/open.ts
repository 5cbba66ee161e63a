import { checkNames } from '../../wire/check.js';
import type { ClientState } from '../state.js';
import type { StdioCommand } from '../../transport/index.js';
import { checkIdentity, type HostRules, type Partition } from './identity.js';
import { checkStorage } from './jars.js';
import type { JarLimits } from './limits.js';
import { StatePart } from './part.js';
import type { StateStore } from './store.js';

/** Where state is kept, and which servers may keep some. */
export interface JarOptions {
  /** Which hosts may hold state: `waybill/hosts`. Without it, only those in `allowHosts` may. */
  readonly hosts?: HostRules;
  /** Further hosts, by name and one by one: `localhost`, `10.0.0.7`, `mcp.corp.internal`. */
  readonly allowHosts?: readonly string[];
  /** What tells the servers of one host apart: nothing (the default), the port, or the path and the query as well. `command`: for stdio, the arguments. */
  readonly partition?: Partition;
  /** Names a stdio server: `stdioIdentity()` of `waybill/client/node`. Without it, only servers with a given identity keep state. */
  readonly stdio?: (command: StdioCommand) => string | undefined;
  /** Where state is kept. Without a store: in memory, until the process ends. */
  readonly store?: StateStore;
  readonly limits?: Partial<JarLimits>;
  /** `strict`: an answer reaches the application once the store has saved its state, or has failed to. */
  readonly durability?: 'relaxed' | 'strict';
  /** Milliseconds after which a store that does not answer has failed. */
  readonly storeTimeout?: number;
  /** Which of two values stands if their requests did not know of each other: the last to arrive, as with cookies, or that of the newer request. */
  readonly concurrent?: 'last-arrival' | 'newest-request';
}

const OPTIONS = [
  ...(['hosts', 'allowHosts', 'partition', 'stdio'] as const),
  ...(['store', 'limits', 'durability', 'storeTimeout', 'concurrent'] as const),
] satisfies (keyof JarOptions)[];

/**
 * Lets servers keep state at a client: `clientContext({ state: jar({ store, hosts }) })`. Without options it is kept in memory, and only
 * for servers whose identity is given to `attach`.
 */
export function jar(options: JarOptions = {}): ClientState {
  checkJarOptions(options, 'jar');
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

export function checkJarOptions(options: JarOptions, path: string): void {
  checkNames(options, OPTIONS, path);
  checkIdentity(options, path);
  checkStorage(options, path);
}
