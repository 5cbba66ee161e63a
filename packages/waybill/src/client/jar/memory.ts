import { dropOldest } from '../oldest.js';
import type { StoreChange, DrawerName, StoreOutcome, StoreRow, StateStore, StoreWatcher } from './store.js';

/** The number of ended conversations that are remembered, so that late answers set nothing for them. */
const MAX_ENDED = 10_000;

/** Keeps state in this process. Several jars may share it, and it ends with the process. A jar that shares with none needs no store. */
export function memoryStore(): StateStore {
  const drawers = new Map<string, { name: DrawerName; rows: Map<string, StoreRow> }>();
  const ended = new Set<string>();
  const watchers = new Set<StoreWatcher>();
  const epoch = 'memory';
  let clock = 0;

  function change(rows: Map<string, StoreRow>, principal: string, { place, name, expected, body }: StoreChange): StoreOutcome {
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

  // All methods are asynchronous, so that no caller relies on an answer in the same turn.
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
      ended.add(key(principal, conversation));
      dropOldest(ended, MAX_ENDED);
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

/** Gives different keys for different parts, even if the names contain separators. */
function key(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}
