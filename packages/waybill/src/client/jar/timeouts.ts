export interface Timer {
  cancel(): void;
}

/** An `idle` timer does not keep the process alive. */
export function timer(ms: number, idle: boolean, run: () => void): Timer {
  const handle: unknown = setTimeout(run, ms);
  if (idle) (handle as { unref?: () => void }).unref?.();
  return { cancel: () => clearTimeout(handle as Parameters<typeof clearTimeout>[0]) };
}

/** Rejects if the promise takes longer. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = timer(ms, false, () => {
      reject(new Error(`no answer within ${ms} ms`));
    });
    promise.then(resolve, reject).finally(() => {
      late.cancel();
    });
  });
}

/** Resolves when the promise has settled, or after this many milliseconds; then `onLate` is called. */
export function atMost(promise: Promise<unknown>, ms: number, onLate: () => void): Promise<void> {
  return new Promise((resolve) => {
    const late = timer(ms, false, () => {
      onLate();
      resolve();
    });
    const settled = (): void => {
      late.cancel();
      resolve();
    };
    promise.then(settled, settled);
  });
}
