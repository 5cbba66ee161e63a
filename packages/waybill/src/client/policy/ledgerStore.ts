import type { StoreChange, StoreLoaded, StateStore } from '../jar/store.js';
import { addCount, isAbout, newest, readCounts, trim, writeCounts, type Counts } from './counts.js';
import { isLedgerName, ledgerName, principalOfLedger } from './ledgerName.js';

/** A writer that loses this many races against other writers gives up; its counts stay in memory. */
const MAX_ROUNDS = 8;
const DRAWER = 'ledger';

/** A ledger in the store of a jar: one drawer for each principal, one row for each server. Several programs may add to it. */
export class LedgerStore {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  async principals(): Promise<readonly string[]> {
    const all = await this.#store.principals();
    return all.filter(isLedgerName).map(principalOfLedger);
  }

  async load(principal: string): Promise<Counts> {
    return countsIn(await this.#load(principal));
  }

  /** Adds the counts to the stored ones. Removes each written count from `counts`, so that a retry after a failure adds nothing twice. */
  add(principal: string, counts: Counts): Promise<void> {
    const add = (loaded: StoreLoaded): readonly StoreChange[] => {
      const servers = new Set([...counts.values()].map(({ server }) => server));
      const joined = countsIn(loaded);
      for (const count of counts.values()) addCount(joined, count);
      trim(joined);
      return changesTo(loaded, joined, (server) => servers.has(server));
    };
    return this.#change(principal, add, (name) => {
      for (const [key, { server }] of counts) if (nameOf(server) === name) counts.delete(key);
    });
  }

  /** Removes the entries about one server, or all of them. Returns their keys. */
  async clear(principal: string, server: string | undefined): Promise<readonly string[]> {
    let removed: string[] = [];
    await this.#change(principal, (loaded) => {
      const kept = countsIn(loaded);
      removed = [...kept].filter(([, count]) => server === undefined || isAbout(count, server)).map(([key]) => key);
      for (const key of removed) kept.delete(key);
      return changesTo(loaded, kept, () => true);
    });
    return removed;
  }

  #load(principal: string): Promise<StoreLoaded> {
    return this.#store.load({ principal: ledgerName(principal), server: DRAWER });
  }

  async #change(
    principal: string,
    work: (loaded: StoreLoaded) => readonly StoreChange[],
    written: (name: string) => void = () => undefined,
  ): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const loaded = await this.#load(principal);
      const changes = work(loaded);
      if (changes.length === 0) return;
      const [saved] = await this.#store.save([{ principal: ledgerName(principal), server: DRAWER, epoch: loaded.epoch, changes }]);
      const lost = changes.filter(({ name }, at) => {
        const outcome = saved?.outcomes?.[at];
        if (outcome === undefined || !('revision' in outcome)) return true;
        written(name);
        return false;
      });
      if (lost.length === 0) return;
    }
    throw new Error(`the ledger was not written: other programs changed it in each of ${MAX_ROUNDS} tries`);
  }
}

function countsIn({ rows }: StoreLoaded): Counts {
  const counts: Counts = new Map();
  for (const { name, body } of rows) for (const count of readCounts(serverIn(name), body)) addCount(counts, count);
  return counts;
}

/** The rows that have to change so that the store holds these counts. */
function changesTo({ rows }: StoreLoaded, counts: Counts, isTouched: (server: string | null) => boolean): StoreChange[] {
  const servers = new Map<string, ReturnType<typeof newest>>();
  for (const count of newest(counts)) servers.set(nameOf(count.server), [...(servers.get(nameOf(count.server)) ?? []), count]);
  const names = new Set([...rows.map(({ name }) => name), ...servers.keys()]);
  return [...names].flatMap((name): StoreChange[] => {
    const row = rows.find((one) => one.name === name);
    const kept = servers.get(name);
    if (kept !== undefined && !isTouched(serverIn(name))) return [];
    return [{ place: null, name, expected: row?.revision ?? 0, body: kept && writeCounts(kept) }];
  });
}

/** A row is named by the JSON of its server: a server without a name must differ from one whose name is empty. */
function nameOf(server: string | null): string {
  return JSON.stringify(server);
}

function serverIn(name: string): string | null {
  try {
    const server: unknown = JSON.parse(name);
    return typeof server === 'string' ? server : null;
  } catch {
    return null;
  }
}
