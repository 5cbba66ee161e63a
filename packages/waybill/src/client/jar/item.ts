import { type Json, isObject } from '../../wire/json.js';
import { itemBytes } from './limits.js';

/** One value that arrived for a name. `null` is a deletion: it is treated like any value until it is settled (D-08). */
export interface Entry {
  readonly value: Json;
  /** Bytes of the name and the value as JSON. The limits count these (D-09). */
  readonly bytes: number;
  /** The jar's clock when the value arrived. A request that left later carried it. */
  readonly revision: number;
  /** The jar's clock when the request left whose answer brought the value (IX-10). */
  readonly issued: number;
  /** The same in every jar that shares the store; empty without a store. */
  readonly id: string;
}

/** One name on a shelf. */
export interface Item {
  /**
   * Values that no request has carried together yet, in arrival order; the last one is current. Never empty, and never changed once
   * counted.
   */
  entries: readonly Entry[];
  /** Milliseconds since 1970, for people. */
  written: number;
  /** Grows with each write. The wall clock cannot serve: it may be set back. */
  order: number;
  /** The store's revision of the item; 0 if the store does not have it. */
  stored: number;
  /** Set while the store lacks a change of ours: the ids it had when we last agreed with it. */
  base?: readonly string[] | undefined;
  /** Ids of values that were sent to the store: until it answers, it may have them. */
  sent?: readonly string[] | undefined;
}

/** Returns the current value: the one under the state key, the last of the concurrent ones. */
export function standing(item: Item): Entry {
  return item.entries[item.entries.length - 1] as Entry;
}

/** True for a deleted item. It is remembered to tell a write that knew of the deletion from one that did not. */
export function isTombstone(item: Item): boolean {
  return item.entries.length === 1 && standing(item).value === null;
}

interface Settled {
  readonly entries: readonly Entry[];
  /** True if there were values that the writer had not seen. */
  readonly concurrent: boolean;
}

interface SettleOptions {
  /** The revision up to which the writing request carried the values. */
  readonly carried: number;
  /** True if the server merges this name: concurrent values are kept for it. */
  readonly keep: boolean;
  /** IX-10: a late answer to an older request does not overwrite what a newer request wrote. */
  readonly newest: boolean;
}

/**
 * D-08: a write settles exactly the values its request carried. Later arrivals stay if the server merges the name, otherwise they are
 * overwritten.
 */
export function settle(entries: readonly Entry[], arrived: Entry, { carried, keep, newest }: SettleOptions): Settled {
  const unseen = entries.filter((entry) => entry.revision > carried);
  if (keep) return { entries: [...unseen, arrived], concurrent: unseen.length > 0 };
  const late = newest && unseen.some((entry) => entry.issued > arrived.issued);
  return { entries: late ? entries : [arrived], concurrent: unseen.length > 0 };
}

/**
 * Combines our values of a name with those of another process on the same store: theirs without what we settled, then ours that they have
 * not seen. Values that both had and they no longer have were settled by them.
 */
export function reconcile(item: Item, theirs: readonly Entry[], keep: boolean): Settled {
  const base = new Set(item.base ?? item.entries.map((entry) => entry.id));
  // A value that the store took from us without an answer is ours, not another process's.
  const seen = new Set([...base, ...(item.sent ?? [])]);
  const ours = new Set(item.entries.map((entry) => entry.id));
  const known = new Set(theirs.map((entry) => entry.id));
  const unsettled = theirs.filter((entry) => ours.has(entry.id) || !seen.has(entry.id));
  const added = item.entries.filter((entry) => !base.has(entry.id) && !known.has(entry.id));
  const entries = [...unsettled, ...added];
  const concurrent = added.length > 0 && unsettled.some((entry) => !ours.has(entry.id));
  return { entries: keep ? entries : entries.slice(-1), concurrent };
}

// The format of a name in a store: `{"written": ms, "values": [[id, value], …]}`.

export function writeBody(item: Item): string | undefined {
  if (isTombstone(item)) return undefined;
  return JSON.stringify({ written: item.written, values: item.entries.map(({ id, value }) => [id, value]) });
}

interface Body {
  readonly written: number;
  readonly entries: readonly Entry[];
}

/** Reads a row; returns `undefined` if it is not ours. `tick` gives a revision to values that this jar sees for the first time. */
export function readBody(body: string, name: string, known: Item | undefined, tick: () => number): Body | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || typeof parsed['written'] !== 'number' || !Array.isArray(parsed['values'])) return undefined;
  const entries: Entry[] = [];
  for (const pair of parsed['values'] as unknown[]) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string' || pair[1] === undefined) return undefined;
    const [id, value] = pair as [string, Json];
    const same = known?.entries.find((entry) => entry.id === id);
    if (same) entries.push(same);
    else {
      const now = tick();
      entries.push({ id, value, bytes: itemBytes(name, value, Infinity) ?? 0, revision: now, issued: now });
    }
  }
  return entries.length > 0 ? { written: parsed['written'], entries } : undefined;
}
