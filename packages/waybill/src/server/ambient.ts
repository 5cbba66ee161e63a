import { findStorage, type AsyncStorage } from '../transport/storage.js';

/**
 * The storages that `contextOf()` without an argument looks into: the runtime's own, one for the process, and those that programs passed.
 */
const storages = new Set<AsyncStorage>();
let shared: AsyncStorage | undefined;

/** Returns the storage that handlers run in: the given one, or the runtime's own, made for the first program that asks for it. */
export function openAmbient(given: AsyncStorage | undefined): AsyncStorage {
  const storage = given ?? (shared ??= findStorage());
  if (storage === undefined)
    throw new TypeError(
      'storage: expected an AsyncLocalStorage. ambient needs one and this runtime has none; pass the option storage, or use contextOf(ctx)',
    );
  storages.add(storage);
  return storage;
}

export function ambientValue(): unknown {
  for (const storage of storages) {
    const value = storage.getStore();
    if (value !== undefined) return value;
  }
  return undefined;
}
