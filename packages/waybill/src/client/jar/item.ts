import type { Json } from '../../wire/json.js';

/** One value that arrived for a name. `null` is a deletion: a value like any other until it is settled (D-08). */
export interface Entry {
  readonly value: Json;
  /** Bytes of the name and the value as JSON, which is what the limits count (D-09). */
  readonly bytes: number;
  /** The jar's clock when it arrived here. A request that left later carried it. */
  readonly revision: number;
  /** The jar's clock when the request that brought it left (IX-10). */
  readonly issued: number;
  /** The same in every jar that shares the store; empty where there is none. */
  readonly id: string;
}

/** One name on a shelf. */
export interface Item {
  /** Values nobody has seen together yet, in arrival order; the last one stands. Never empty, and never changed once it is counted. */
  entries: readonly Entry[];
  /** Milliseconds since 1970, for people. */
  written: number;
  /** The later the higher: clocks on walls are set back. */
  order: number;
  /** The store's revision of it; 0 where the store has none. */
  stored: number;
  /** While the store lacks a change of ours: what it had when we last agreed with it. */
  base?: readonly string[] | undefined;
  /** Values of ours that went to the store: until it answers, it may have them. */
  sent?: readonly string[] | undefined;
}

/** The value that stands: the one under the state key, and the last of the concurrent ones. */
export function standing(item: Item): Entry {
  return item.entries[item.entries.length - 1] as Entry;
}

/** Deleted, and remembered only so that a write which did not know is told from one that did. */
export function isTombstone(item: Item): boolean {
  return item.entries.length === 1 && standing(item).value === null;
}

export interface Settled {
  readonly entries: readonly Entry[];
  /** Values stood there that the writer had not seen. */
  readonly concurrent: boolean;
}

export interface SettleOptions {
  /** Up to which revision the request that wrote carried what was there. */
  readonly carried: number;
  /** Whether the server merges this name: concurrent values are kept for it. */
  readonly keep: boolean;
  /** IX-10: a late answer to an older request does not overwrite what a newer request wrote. */
  readonly newest: boolean;
}

/** D-08: a write settles exactly the values its request carried; later arrivals stay, or are overwritten where nobody merges them. */
export function settle(entries: readonly Entry[], arrived: Entry, { carried, keep, newest }: SettleOptions): Settled {
  const unseen = entries.filter((entry) => entry.revision > carried);
  if (keep) return { entries: [...unseen, arrived], concurrent: unseen.length > 0 };
  const late = newest && unseen.some((entry) => entry.issued > arrived.issued);
  return { entries: late ? entries : [arrived], concurrent: unseen.length > 0 };
}

/**
 * What becomes of a name that we and somebody else on the same store changed: theirs without what we settled, then ours that they
 * have not seen. What both had and they no longer have, they settled.
 */
export function reconcile(item: Item, theirs: readonly Entry[], keep: boolean): Settled {
  const base = new Set(item.base ?? item.entries.map((entry) => entry.id));
  // Also what it took of ours and never answered for: that is no value of somebody else's.
  const seen = new Set([...base, ...(item.sent ?? [])]);
  const ours = new Set(item.entries.map((entry) => entry.id));
  const known = new Set(theirs.map((entry) => entry.id));
  const unsettled = theirs.filter((entry) => ours.has(entry.id) || !seen.has(entry.id));
  const added = item.entries.filter((entry) => !base.has(entry.id) && !known.has(entry.id));
  const entries = [...unsettled, ...added];
  const concurrent = added.length > 0 && unsettled.some((entry) => !ours.has(entry.id));
  return { entries: keep ? entries : entries.slice(-1), concurrent };
}
