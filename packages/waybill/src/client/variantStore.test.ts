import { describe, expect, it } from 'vitest';
import { DeliveredResults } from './delivered.js';
import type { CacheEntry, CacheKey, CacheStore, CacheValue } from './cacheStore.js';
import { MemoryCache, VariantStore } from './variantStore.js';
import { variantOf } from './variant.js';

const LIST: CacheKey = { method: 'tools/list', params: '', partition: 'p' };
const READ: CacheKey = { method: 'resources/read', params: 'note://x', partition: 'p' };

const HERE = { url: new URL('https://a.example.com/mcp'), server: undefined, command: undefined };

/** A store whose current variant can be set. Results are delivered as by a connection, and kept as the SDK keeps them. */
function rig(inner: CacheStore = new MemoryCache()): {
  store: VariantStore;
  speak(language: string): void;
  put(key: CacheKey, language: string | undefined, body: object, more?: Partial<CacheValue>): Promise<number>;
  get(key: CacheKey): Promise<unknown>;
} {
  const delivered = new DeliveredResults();
  let current = 'en';
  let generation = 0;
  const variant = (language: string): string =>
    variantOf({ method: '', language, chosen: undefined, carriesQuestions: true, principal: undefined, connection: HERE });
  const store = new VariantStore(
    inner,
    delivered,
    () => variant(current),
    () => `g${generation++}`,
  );
  return {
    store,
    speak: (language) => (current = language),
    put: async (key, language, body, more = { expiresAt: 99, scope: 'private' }) => {
      if (language !== undefined) delivered.remember(key, variant(language), { ...body });
      return store.set(key, { value: JSON.stringify({ ...body, _meta: { a: 1 } }), ...more });
    },
    get: async (key) => {
      const entry = await store.get(key);
      return entry && [JSON.parse(entry.value), entry.expiresAt, entry.scope];
    },
  };
}

/** An asynchronous store with one counter for each key, as a remote store may have. */
class Remote implements CacheStore {
  readonly entries = new Map<string, CacheEntry>();
  #text = ({ method, params, partition }: CacheKey): string => JSON.stringify([method, params, partition]);
  get = async (key: CacheKey): Promise<CacheEntry | undefined> => this.entries.get(this.#text(key));
  set = async (key: CacheKey, entry: CacheValue): Promise<number> => {
    const stamp = (this.entries.get(this.#text(key))?.stamp ?? 0) + 1;
    this.entries.set(this.#text(key), { ...entry, stamp });
    return stamp;
  };
  delete = async (key: CacheKey): Promise<void> => void this.entries.delete(this.#text(key));
  evict = async (): Promise<void> => undefined;
  clear = async (): Promise<void> => this.entries.clear();
}

describe.each([
  ['in memory', () => new MemoryCache()],
  ['a remote store', () => new Remote()],
])('a cache of variants, %s', (_what, inner) => {
  it('LANG-60: each variant gets its own result, and never that of another', async () => {
    const { put, get, speak } = rig(inner());
    await put(READ, 'en', { contents: ['en'] });
    speak('ru');
    expect(await get(READ)).toBeUndefined();
    await put(READ, 'ru', { contents: ['ru'] });
    expect(await get(READ)).toEqual([{ contents: ['ru'], _meta: { a: 1 } }, 99, 'private']);
    speak('en');
    expect(await get(READ)).toEqual([{ contents: ['en'], _meta: { a: 1 } }, 99, 'private']);
  });

  it('a result belongs to the variant of its request, even if another one is current when it is kept', async () => {
    const { put, get, speak } = rig(inner());
    speak('ru');
    await put(READ, 'en', { contents: ['en'] });
    expect(await get(READ)).toBeUndefined();
    speak('en');
    expect(await get(READ)).toEqual([{ contents: ['en'], _meta: { a: 1 } }, 99, 'private']);
  });

  it('deleting the entry that the SDK knows drops every variant', async () => {
    const { put, get, speak, store } = rig(inner());
    for (const language of ['en', 'ru']) await put(LIST, language, { tools: [language] });
    await store.delete(LIST);
    for (const language of ['en', 'ru']) {
      speak(language);
      expect(await get(LIST)).toBeUndefined();
    }
    await put(LIST, 'en', { tools: ['new'] });
    speak('ru');
    expect(await get(LIST)).toEqual([{ tools: ['new'], _meta: { a: 1 } }, undefined, 'private']);
  });

  it('IX-03: another variant of the tool list serves the index of tools, but is never fresh', async () => {
    const { put, get, speak } = rig(inner());
    await put(LIST, 'en', { tools: ['en'] });
    speak('ru');
    expect(await get(LIST)).toEqual([{ tools: ['en'], _meta: { a: 1 } }, undefined, 'private']);
  });

  it('two variants never have the same stamp, and one variant keeps its stamp while it is unchanged', async () => {
    const { put, speak, store } = rig(inner());
    await put(LIST, 'en', { tools: ['en'] });
    await put(LIST, 'ru', { tools: ['ru'] });
    const stamp = async (): Promise<number | undefined> => (await store.get(LIST))?.stamp;
    const en = await stamp();
    speak('ru');
    const ru = await stamp();
    expect(ru).not.toBe(en);
    speak('en');
    expect(await stamp()).toBe(en);
    await put(LIST, 'en', { tools: ['en'] });
    expect([en, ru]).not.toContain(await stamp());
  });

  it('a result that was never delivered serves only the index of tools', async () => {
    const { put, get } = rig(inner());
    await put(LIST, undefined, { tools: ['x'] });
    expect(await get(LIST)).toEqual([{ tools: ['x'], _meta: { a: 1 } }, undefined, 'private']);
    await put(READ, undefined, { contents: ['x'] });
    expect(await get(READ)).toBeUndefined();
  });
});

it('a list that is dropped while it is being written does not come back', async () => {
  const inner = new Remote();
  const { put, get, store } = rig(inner);
  await put(LIST, 'en', { tools: ['old'] });
  const writing = put(LIST, 'en', { tools: ['stale'] });
  await store.delete(LIST);
  await writing;
  expect(await get(LIST)).toBeUndefined();
});

it('a value under a key that we did not write is a miss', async () => {
  const inner = new MemoryCache();
  inner.set(LIST, { value: '{"tools":[]}' });
  inner.set(READ, { value: 'no json' });
  const { get } = rig(inner);
  expect([await get(LIST), await get(READ)]).toEqual([undefined, undefined]);
});

it('the memory is bounded, and resources do not push out lists', () => {
  const cache = new MemoryCache(10);
  cache.set(LIST, { value: 'list' });
  for (let n = 0; n < 100; n++) cache.set({ ...READ, params: `r${n}` }, { value: 'x' });
  expect(cache.get(LIST)).toMatchObject({ value: 'list' });
  const kept = Array.from({ length: 100 }, (_, n) => cache.get({ ...READ, params: `r${n}` })).filter(Boolean);
  expect(kept).toHaveLength(10);
  cache.evict('resources/read');
  expect(cache.get({ ...READ, params: 'r99' })).toBeUndefined();
  cache.clear();
  expect(cache.get(LIST)).toBeUndefined();
});

it('IX-01: a variant is the exact preference, the canonical capabilities of a list, the principal, and the address of the server', () => {
  const of = (method: string, more: object): string =>
    variantOf({ method, language: 'fr', chosen: undefined, carriesQuestions: true, principal: undefined, connection: HERE, ...more });
  const list = (more: object): string => of('tools/list', more);
  expect(list({ language: 'fr' })).not.toBe(list({ language: 'fr;q=1' }));
  expect(list({ language: undefined })).not.toBe(list({ language: '' }));
  expect(list({ chosen: { a: {}, b: {} } })).toBe(list({ chosen: { b: {}, a: {} } }));
  expect(list({ chosen: { a: {} } })).not.toBe(list({}));
  expect(list({ carriesQuestions: false })).not.toBe(list({}));
  expect(list({ principal: 'ada' })).not.toBe(list({}));
  const places = [{ url: new URL('https://b.example.com/mcp') }, { server: 'shop' }, { command: { command: 'node', args: [] } }];
  for (const place of places) expect(list({ connection: { ...HERE, ...place } })).not.toBe(list({}));
  expect(of('resources/read', { chosen: { a: {} } })).toBe(of('resources/read', {}));
});
