// D-22
/**
 * Remembers which sealed values are live. A sealed value that was overwritten stays valid until it expires, and a client may send it again:
 * a server without memory cannot see that. `slot` stands for audience, principal, scope and name.
 */
export interface ReplayGuard {
  /** Only `true` opens the value. */
  isLive(slot: string, sequence: string): boolean | PromiseLike<boolean>;
  /**
   * Called for a new sealed value. It replaces `retired`, the one its request carried, if any. `expires` in seconds since 1970, if it
   * expires. Only `true` lets the new value out; `false` means that another request was first. It has to be one atomic step, or two
   * requests could use one value.
   */
  replace(slot: string, retired: string | undefined, live: string | undefined, expires: number | undefined): boolean | PromiseLike<boolean>;
}

/** Keeps the memory in this process, for tests and single servers. It holds the most recent values; an older one counts as replayed. */
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
