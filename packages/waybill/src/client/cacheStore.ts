import type { Meta } from '../wire/json.js';

export type MaybePromise<T> = T | Promise<T>;
export interface CacheKey {
  readonly method: string;
  readonly params?: string;
  readonly partition?: string;
}
export interface CacheValue {
  value: string;
  expiresAt?: number;
  scope?: 'public' | 'private';
}
export interface CacheEntry extends Readonly<CacheValue> {
  readonly stamp: number;
}
/** The public type of the SDK v2 response cache: `ClientOptions.responseCacheStore`. */
export interface CacheStore {
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>;
  set(key: CacheKey, entry: CacheValue): MaybePromise<number>;
  delete(key: CacheKey): MaybePromise<void>;
  evict(method: string): MaybePromise<void>;
  clear(): MaybePromise<void>;
}

/** The members that `clientOptions()` adds to the options of a client. */
export interface VariantOptions {
  readonly responseCacheStore: CacheStore;
  readonly capabilities: Meta;
}
