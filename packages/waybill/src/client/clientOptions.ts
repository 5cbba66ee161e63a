/** The options for a client of SDK v2, whose cache keeps one result for each variant and shows the one that its calls would get now. */
import type { IdPool } from '../transport/index.js';
import type { Meta } from '../wire/json.js';
import { EXTENSION_ID } from '../wire/keys.js';
import type { CachePart, ChoiceOf, VariantClient } from './cache.js';
import type { Attached } from './connection.js';
import type { VariantOptions } from './cacheStore.js';
import { MemoryCache, VariantStore } from './variantStore.js';
import type { CallValues } from './values.js';
import { variantOf } from './variant.js';

/** The options of SDK v2's client that are read here. */
interface ClientOptionsLike extends Partial<VariantOptions> {
  readonly defaultCacheTtlMs?: number;
}

interface Variants {
  readonly cache: CachePart;
  readonly connections: Iterable<Attached>;
  readonly ids: IdPool;
  readonly choice: ChoiceOf;
  /** Returns the values that a call over this connection would have now. */
  values(connection: Attached): CallValues;
}

export function variantOptions(given: object, variants: Variants): object {
  const { responseCacheStore, capabilities = {}, defaultCacheTtlMs = 0 } = given as ClientOptionsLike;
  const { cache, ids } = variants;
  const client: VariantClient = {
    lasting: defaultCacheTtlMs > 0,
    // The SDK's own cache does not outlive a connection either.
    begins: () => void (responseCacheStore === undefined && store.clear()),
  };
  const extensions = { ...(capabilities['extensions'] as Meta | undefined), [EXTENSION_ID]: cache.settingsOf(client) };
  const current = (method: string): Promise<string | undefined> => currentVariant(client, method, variants);
  const store = new VariantStore(responseCacheStore ?? new MemoryCache(), cache.delivered, current, () => ids.traceId());
  return { ...given, responseCacheStore: store, capabilities: { ...capabilities, extensions } };
}

/**
 * Returns the variant that a cached result must have to be shown now. A client with several connections does not say which one it asks
 * for, so none fits.
 */
async function currentVariant(client: VariantClient, method: string, variants: Variants): Promise<string | undefined> {
  const its = [...variants.connections].filter((connection) => variants.cache.clientOf(connection) === client);
  const [variant, ...others] = new Set(await Promise.all(its.map((connection) => variantAt(connection, method, variants))));
  return others.length === 0 ? variant : undefined;
}

async function variantAt(connection: Attached, method: string, variants: Variants): Promise<string> {
  const values = variants.values(connection);
  const { language, capabilities } = await variants.choice(values, { method, connection });
  return variantOf({
    method,
    language: language ?? undefined,
    chosen: capabilities ?? undefined,
    carriesQuestions: connection.carriesQuestions,
    principal: values.principal ?? undefined,
    connection,
  });
}
