/**
 * D-22: a sealed value that was overwritten stays valid until it expires, and a client may send it again: without memory on the server nobody
 * can see that. This is that memory: the sequences that are live, by audience, principal, scope and name (`slot`).
 */
export interface ReplayGuard {
  isLive(slot: string, sequence: string): boolean | Promise<boolean>;
  /**
   * A new value was sealed; the one its request carried, if any, is over. `expires` in seconds since 1970, if it does. `false`: that one was
   * over already, another request was first, and the new one is not live. It has to be one step, or two requests spend one value.
   */
  replace(slot: string, retired: string | undefined, live: string | undefined, expires: number | undefined): Replaced | Promise<Replaced>;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a guard that cannot tell says nothing
export type Replaced = boolean | void;

/** In this process, for tests and single servers. Holds the most recent ones; an older one counts as replayed. */
export function memoryReplayGuard(most = 100_000): ReplayGuard {
  const live = new Set<string>();
  const key = (slot: string, sequence: string): string => JSON.stringify([slot, sequence]);
  return {
    isLive: (slot, sequence) => live.has(key(slot, sequence)),
    replace(slot, retired, added) {
      if (retired !== undefined && !live.delete(key(slot, retired))) return false;
      if (added !== undefined) live.add(key(slot, added));
      const [oldest] = live;
      if (live.size > most && oldest !== undefined) live.delete(oldest);
      return true;
    },
  };
}
