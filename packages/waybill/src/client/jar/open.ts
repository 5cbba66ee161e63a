import { checkMembers, expectFunction, expectMethods, expectOneOf, expectTimeout, type Check } from '../../wire/check.js';
import type { ClientState } from '../state.js';
import type { StdioNames } from '../stdioNames.js';
import { checkHosts, type HostRules, type Partition } from './identity.js';
import { checkJarLimits, type JarLimits } from './limits.js';
import { StatePart } from './part.js';
import { checkStore, type StateStore } from './store.js';

/** Options of the store, and of the servers that may keep state. */
export interface JarOptions {
  /** Decides which hosts may hold state: `waybill/hosts`. Without it, only those in `allowHosts` may. */
  readonly hosts?: HostRules;
  /** Further hosts, by name and one by one: `localhost`, `10.0.0.7`, `mcp.corp.internal`. */
  readonly allowHosts?: readonly string[];
  /** Separates the servers of one host by nothing (the default), the port, or also path and query. `command`: for stdio, the arguments. */
  readonly partition?: Partition;
  /** Names a stdio server: `stdioIdentity()` of `waybill/client/node`. Without it, only servers with a given identity keep state. */
  readonly stdio?: StdioNames;
  /** Keeps the state. Without a store: in memory, until the process ends. */
  readonly store?: StateStore;
  /** Sizes and numbers that the jar accepts of one server and of all. */
  readonly limits?: Partial<JarLimits>;
  /** `strict`: an answer reaches the application after the store has saved its state, or has failed to. */
  readonly durability?: 'relaxed' | 'strict';
  /** Milliseconds after which a store that does not answer counts as failed. */
  readonly storeTimeout?: number;
  /**
   * Decides which value counts if two answers set it and neither request carried the value of the other: the last to arrive, as with cookies, or that of the newer
   * request.
   */
  readonly concurrent?: 'last-arrival' | 'newest-request';
}

const OPTIONS: Readonly<Record<keyof JarOptions, Check>> = {
  hosts: expectMethods('isAllowedStateHost, as in waybill/hosts', 'isAllowedStateHost'),
  allowHosts: checkHosts,
  partition: expectOneOf('host', 'origin', 'endpoint', 'command'),
  stdio: expectFunction,
  store: checkStore,
  limits: checkJarLimits,
  durability: expectOneOf('relaxed', 'strict'),
  storeTimeout: expectTimeout,
  concurrent: expectOneOf('last-arrival', 'newest-request'),
};

/**
 * Lets servers keep state at a client: `clientContext({ state: jar({ store, hosts }) })`. Without options, state is kept in memory, and
 * only for servers whose identity is given to `attach`.
 */
export function jar(options: JarOptions = {}): ClientState {
  checkJarOptions(options, 'jar');
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

export function checkJarOptions(options: JarOptions, path: string): void {
  checkMembers(options, OPTIONS, path);
}
