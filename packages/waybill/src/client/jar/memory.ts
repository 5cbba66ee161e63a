import type { Change, DrawerName, Outcome, Row, StateStore, StoreWatcher } from './store.js';

/** How many ended conversations are remembered, so that what was under way for them is not kept. */
const MAX_ENDED = 10_000;

/** A store in this process: several jars may share it, and nothing outlives it. A jar of its own needs none. */
export function memoryStore(): StateStore {
  const drawers = new Map<string, { name: DrawerName; rows: Map<string, Row> }>();
  const ended = new Map<string, true>();
  const watchers = new Set<StoreWatcher>();
  const epoch = 'memory';
  let clock = 0;

  function change(rows: Map<string, Row>, principal: string, { place, name, expected, body }: Change): Outcome {
    if (place !== null && ended.has(key(principal, place))) return { ended: true };
    const at = key(place, name);
    const row = rows.get(at);
    if ((row?.revision ?? 0) !== expected) return { found: row };
    if (body === undefined) {
      rows.delete(at);
      return { revision: 0 };
    }
    rows.set(at, { place, name, body, revision: ++clock });
    return { revision: clock };
  }

  // A store is asynchronous even where it need not be: nobody may come to rely on an answer in the same turn.
  return {
    async load({ principal, server }) {
      await Promise.resolve();
      return { epoch, rows: [...(drawers.get(key(principal, server))?.rows.values() ?? [])] };
    },
    async save(batch) {
      await Promise.resolve();
      return batch.map(({ principal, server, changes, epoch: known }) => {
        if (known !== undefined && known !== epoch) return { epoch, outcomes: undefined };
        const at = key(principal, server);
        let drawer = drawers.get(at);
        if (drawer === undefined) drawers.set(at, (drawer = { name: { principal, server }, rows: new Map() }));
        const { rows } = drawer;
        const outcomes = changes.map((one) => change(rows, principal, one));
        if (rows.size === 0) drawers.delete(at);
        for (const watcher of watchers) watcher.changed({ principal, server });
        return { epoch, outcomes };
      });
    },
    async end(principal, conversation) {
      await Promise.resolve();
      remember(ended, key(principal, conversation));
      for (const [at, { name, rows }] of drawers) {
        if (name.principal !== principal) continue;
        for (const [row, { place }] of rows) if (place === conversation) rows.delete(row);
        if (rows.size === 0) drawers.delete(at);
      }
      for (const watcher of watchers) watcher.ended(principal, conversation);
    },
    async drawers(principal) {
      await Promise.resolve();
      const own = [...drawers.values()].filter(({ name }) => name.principal === principal);
      return own.map(({ name, rows }) => ({ server: name.server, items: rows.size }));
    },
    async principals() {
      await Promise.resolve();
      return [...new Set([...drawers.values()].map(({ name }) => name.principal))];
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    async close() {
      await Promise.resolve();
    },
  };
}

/** Injective, whatever the names are. */
function key(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}

function remember(set: Map<string, true>, name: string): void {
  set.set(name, true);
  if (set.size > MAX_ENDED) for (const oldest of set.keys()) return void set.delete(oldest);
}
