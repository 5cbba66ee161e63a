/** What `contextOf()` without an argument looks into. One a process, and only from the moment somebody asks for it: see docs/server.md for its price. */
export interface AmbientStore {
  run<R>(value: unknown, fn: () => R): R;
  getStore(): unknown;
}

/** The runtime's own, and those that programs gave. */
let shared: AmbientStore | undefined;
const stores = new Set<AmbientStore>();

interface Builtins {
  getBuiltinModule?(name: string): { AsyncLocalStorage: new () => AmbientStore } | undefined;
}

/** The store to run handlers in: the one given, or the runtime's own, or a `TypeError` where it has none. */
export function openAmbient(given: true | AmbientStore): AmbientStore {
  if (given !== true) {
    stores.add(given);
    return given;
  }
  if (shared !== undefined) return shared;
  const runtime = (globalThis as { process?: Builtins }).process;
  const hooks = runtime?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined)
    throw new TypeError('ambient: this runtime does not offer AsyncLocalStorage by itself; pass one: `ambient: new AsyncLocalStorage()`');
  shared = new hooks.AsyncLocalStorage();
  stores.add(shared);
  return shared;
}

export function ambientValue(): unknown {
  for (const store of stores) {
    const value = store.getStore();
    if (value !== undefined) return value;
  }
  return undefined;
}
