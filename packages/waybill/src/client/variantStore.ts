import { isObject } from '../wire/json.js';
import { keep } from '../wire/memo.js';
import type { CacheEntry, CacheKey, CacheStore, CacheValue, MaybePromise } from './cacheStore.js';
import type { DeliveredResults } from './delivered.js';
import { dropOldest } from './oldest.js';

/** The entry under the SDK's own key: the live generation of variants, and the variant that came last. Dropping it drops all variants. */
interface Head {
  readonly generation: string;
  readonly last: string;
}

/**
 * Keeps one entry for each variant where the SDK thinks it keeps one (LANG-60). `list_changed` makes the SDK delete that one, so no stale
 * language is left. The SDK also derives its index of tools from the list it finds here. If this variant was never listed, another one
 * serves the index, since names and schemas are the same in all (IX-03); that one is never fresh, so it is never shown.
 */
export class VariantStore implements CacheStore {
  readonly #inner: CacheStore;
  readonly #delivered: DeliveredResults;
  readonly #current: (method: string) => MaybePromise<string | undefined>;
  readonly #fresh: () => string;
  readonly #stamps = new Stamps();
  /** Counts drops: a write that began before a drop must not bring the entry back. */
  #drops = 0;

  constructor(
    inner: CacheStore,
    delivered: DeliveredResults,
    current: (method: string) => MaybePromise<string | undefined>,
    fresh: () => string,
  ) {
    this.#inner = inner;
    this.#delivered = delivered;
    this.#current = current;
    this.#fresh = fresh;
  }

  async get(key: CacheKey): Promise<CacheEntry | undefined> {
    const variant = await this.#current(key.method);
    const head = headOf(await this.#inner.get(key));
    if (head === undefined) return undefined;
    const entry = variant === undefined ? undefined : await this.#inner.get(variantKey(key, head.generation, variant));
    if (variant !== undefined && entry !== undefined) return this.#stamped(key, variant, entry);
    if (key.method !== 'tools/list') return undefined;
    const other = await this.#inner.get(variantKey(key, head.generation, head.last));
    if (other === undefined) return undefined;
    const { expiresAt: _, ...stale } = this.#stamped(key, head.last, other);
    return stale;
  }

  async set(key: CacheKey, entry: CacheValue): Promise<number> {
    // The current variant may be another one than that of the request.
    const variant = this.#delivered.variantOf(key, JSON.parse(entry.value));
    const drops = this.#drops;
    const known = headOf(await this.#inner.get(key));
    const generation = known?.generation ?? this.#fresh();
    // A result of an unknown variant serves the index of tools and is never shown.
    const name = variant ?? UNKNOWN;
    const { expiresAt, ...rest } = entry;
    const kept = { ...rest, ...(variant !== undefined && expiresAt !== undefined && { expiresAt }) };
    const stamp = await this.#inner.set(variantKey(key, generation, name), kept);
    const head: Head = { generation, last: name };
    if (drops === this.#drops)
      await this.#inner.set(key, { value: JSON.stringify(head), ...(entry.scope !== undefined && { scope: entry.scope }) });
    return this.#stamps.of(stampKey(key, name), stamp);
  }

  delete(key: CacheKey): MaybePromise<void> {
    this.#drops++;
    return this.#inner.delete(key);
  }

  evict(method: string): MaybePromise<void> {
    this.#drops++;
    return this.#inner.evict(method);
  }

  clear(): MaybePromise<void> {
    this.#drops++;
    return this.#inner.clear();
  }

  #stamped(key: CacheKey, variant: string, entry: CacheEntry): CacheEntry {
    return { ...entry, stamp: this.#stamps.of(stampKey(key, variant), entry.stamp) };
  }
}

const UNKNOWN = '';

function variantKey(key: CacheKey, generation: string, variant: string): CacheKey {
  return { ...key, params: JSON.stringify([key.params ?? '', generation, variant]) };
}

function stampKey({ method, params, partition }: CacheKey, variant: string): string {
  return JSON.stringify([method, params, partition, variant]);
}

function headOf(entry: CacheEntry | undefined): Head | undefined {
  if (entry === undefined) return undefined;
  try {
    const head: unknown = JSON.parse(entry.value);
    return isObject(head) && typeof head['generation'] === 'string' && typeof head['last'] === 'string'
      ? { generation: head['generation'], last: head['last'] }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The SDK keeps what it derived while the stamp stays the same. A store may count per key, so two variants could have the same stamp. */
class Stamps {
  readonly #known = new Map<string, { readonly inner: number; readonly ours: number }>();
  #last = 0;

  of(key: string, inner: number): number {
    const known = this.#known.get(key);
    if (known?.inner === inner) return known.ours;
    return keep(this.#known, key, { inner, ours: ++this.#last }, 4096).ours;
  }
}

/** The default store. It keeps `maxEntries` resources and as many lists; of each, the oldest goes first. */
export class MemoryCache implements CacheStore {
  readonly #lists = new Map<string, CacheEntry>();
  readonly #reads = new Map<string, CacheEntry>();
  readonly #maxEntries: number;
  #stamp = 0;

  constructor(maxEntries = 1024) {
    this.#maxEntries = maxEntries;
  }

  #of({ method }: CacheKey): Map<string, CacheEntry> {
    return method === 'resources/read' ? this.#reads : this.#lists;
  }

  get(key: CacheKey): CacheEntry | undefined {
    return this.#of(key).get(textOf(key));
  }

  set(key: CacheKey, entry: CacheValue): number {
    const entries = this.#of(key);
    const text = textOf(key);
    entries.delete(text);
    entries.set(text, { ...entry, stamp: ++this.#stamp });
    dropOldest(entries, this.#maxEntries);
    return this.#stamp;
  }

  delete(key: CacheKey): void {
    this.#of(key).delete(textOf(key));
  }

  evict(method: string): void {
    const entries = this.#of({ method });
    for (const text of entries.keys()) if (text.startsWith(`${method}\n`)) entries.delete(text);
  }

  clear(): void {
    this.#lists.clear();
    this.#reads.clear();
  }
}

function textOf({ method, params, partition }: CacheKey): string {
  return `${method}\n${JSON.stringify([partition ?? '', params ?? ''])}`;
}
