/** Keeps the state of clients that do not: in this process and its store, or in a store that several replicas share. */
import { relayJar, type RelayAnswer } from 'waybill/adapter';
import type * as hosts from 'waybill/hosts';
import type { StateStore } from 'waybill/client/jar';
import { Refusal } from './answer.js';
import type { JsonRecord } from './json/values.js';
import type { Store } from './stores.js';

export interface KeptFor {
  /** The drawer of the upstream. */
  readonly server: string;
  readonly principal: string;
  /** Without one, no session state is kept. */
  readonly conversation: string | undefined;
}

export interface StateKeeper {
  /** Puts the stored state into a request. */
  send(message: JsonRecord, to: KeptFor): Promise<RelayAnswer>;
  /** Forgets the session state of a conversation. */
  end(principal: string, conversation: string): Promise<void>;
  /** Resolves when the store has everything. */
  flush(): Promise<void>;
}

type Tell = (line: string) => void;

/** `storeTimeout`: milliseconds that a request waits for the store. */
export async function openKeeper(store: Store, tell: Tell, storeTimeout = 5_000): Promise<StateKeeper> {
  const list = await import('waybill/hosts');
  const opened = await store.open();
  return store.isShared ? sharedKeeper(opened, list, tell, storeTimeout) : ownKeeper(opened, list, tell);
}

/** The list of hosts takes megabytes of memory, so only a gateway that keeps state loads it. */
type Hosts = typeof hosts;

/** No other process writes to the store while requests are under way, so memory is right and the store follows. */
function ownKeeper(store: StateStore, hosts: Hosts, tell: Tell): StateKeeper {
  const relay = relayJar({ store, hosts, durability: 'strict' }, ({ key, problem }) => tell(`state: ${key} ${problem}`));
  return {
    send: (message, { server, principal, conversation }) =>
      relay.send(message, {
        ...{ server, principal },
        ...(conversation !== undefined && { conversation: relay.jar.resume(conversation, { principal }) }),
      }),
    end: (principal, conversation) => relay.jar.resume(conversation, { principal }).end(),
    flush: () => relay.jar.flush(),
  };
}

/**
 * Other replicas write to the store at any time. So each request reads it and each answer waits until it is written; a jar in memory would be
 * behind. If the store fails, so does the request: an answer from no state would be wrong, and one whose state is lost would be a false promise.
 */
function sharedKeeper(store: StateStore, hosts: Hosts, tell: Tell, storeTimeout: number): StateKeeper {
  return {
    async send(message, { server, principal, conversation }) {
      const checked = new CheckedStore(store);
      const relay = relayJar({ store: checked.store, hosts, durability: 'strict', storeTimeout }, ({ key, problem }) => {
        if (!checked.hasFailed) tell(`state: ${key} ${problem}`);
      });
      const held = conversation === undefined ? {} : { conversation: relay.jar.resume(conversation, { principal }) };
      const carried = await relay.send(message, { server, principal, ...held });
      checked.refuseIfFailed();
      return {
        message: carried.message,
        async take(answer, merges) {
          const taken = await carried.take(answer, merges);
          checked.refuseIfFailed();
          checked.isOver = true;
          return taken;
        },
      };
    },
    end: (principal, conversation) => store.end(principal, conversation),
    flush: () => Promise.resolve(),
  };
}

/** The store for one request: it remembers a failure, and after one it takes no late attempt, which could overwrite something newer. */
class CheckedStore {
  hasFailed = false;
  isOver = false;
  #pending = 0;
  readonly store: StateStore;

  constructor(store: StateStore) {
    const noted = async <T>(work: Promise<T>): Promise<T> => {
      this.#pending++;
      try {
        return await work;
      } catch (error) {
        this.hasFailed = true;
        throw error;
      } finally {
        this.#pending--;
      }
    };
    this.store = {
      load: (drawer) => noted(store.load(drawer)),
      save: (batch) =>
        this.isOver || this.hasFailed
          ? Promise.resolve(batch.map(({ epoch, changes }) => ({ epoch, outcomes: changes.map(() => ({ ended: true as const })) })))
          : noted(store.save(batch)),
      end: (principal, conversation) => store.end(principal, conversation),
      drawers: (principal) => store.drawers(principal),
      principals: () => store.principals(),
      watch: () => () => undefined,
      close: () => Promise.resolve(),
    };
  }

  refuseIfFailed(): void {
    // The jar goes on without a store that does not answer in time.
    if (this.#pending > 0) this.hasFailed = true;
    if (this.hasFailed) throw new Refusal(503, -32603, 'The store of the gateway cannot be reached', undefined, { 'retry-after': '1' });
  }
}
