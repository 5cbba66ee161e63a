import { startTimer } from '../../transport/index.js';

/** Milliseconds until a store that failed is asked again: each time twice as long, up to the last. */
export const FIRST_RETRY = 50;
export const LAST_RETRY = 2_000;

/** Rejects if the promise takes longer. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = startTimer(ms, () => {
      reject(new Error(`no answer within ${ms} ms`));
    });
    promise.then(resolve, reject).finally(cancel);
  });
}

/** Resolves when the promise has settled, or after this many milliseconds; then `onLate` is called. */
export function atMost(promise: Promise<unknown>, ms: number, onLate: () => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = startTimer(ms, () => {
      onLate();
      resolve();
    });
    const settled = (): void => {
      cancel();
      resolve();
    };
    promise.then(settled, settled);
  });
}
