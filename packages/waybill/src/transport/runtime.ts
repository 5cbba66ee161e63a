/** The part of `AsyncLocalStorage` that both halves use. Node, Deno, Bun and Workers have it. */
export interface AsyncStorage {
  run<R>(store: unknown, fn: () => R): R;
  getStore(): unknown;
}

interface Runtime {
  readonly AsyncLocalStorage?: new () => AsyncStorage;
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** Returns a module of Node, without an import that would fail elsewhere: Node 20.16 and 22.3, Deno and Bun have `getBuiltinModule`. */
export function builtinModule(name: string): unknown {
  return (globalThis as Runtime).process?.getBuiltinModule?.(name);
}

/**
 * Makes a new AsyncLocalStorage, or returns `undefined` if the runtime offers none without an import; a program then passes one as
 * `storage`. The first one slows every promise of the process on Node 20 and 22, so it is made only for a program that asks for it.
 */
export function findStorage(): AsyncStorage | undefined {
  const Storage =
    (globalThis as Runtime).AsyncLocalStorage ?? (builtinModule('node:async_hooks') as Runtime | undefined)?.AsyncLocalStorage;
  return Storage && new Storage();
}

/** Calls `elapsed` once after that many milliseconds. Returns a function that prevents it. */
export type StartTimer = (milliseconds: number, elapsed: () => void) => () => void;

export const startTimer: StartTimer = (milliseconds, elapsed) => {
  const handle = setTimeout(elapsed, milliseconds);
  return () => {
    clearTimeout(handle);
  };
};

/** The same, without keeping the process alive. */
export const startIdleTimer: StartTimer = (milliseconds, elapsed) => {
  const handle: unknown = setTimeout(elapsed, milliseconds);
  (handle as { unref?: () => void }).unref?.();
  return () => {
    clearTimeout(handle as Parameters<typeof clearTimeout>[0]);
  };
};
