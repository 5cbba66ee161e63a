import { setMaxListeners } from 'node:events';

/** A controller whose signal many requests listen to at once. Node warns of a leak otherwise. */
export function forManyListeners(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that is never aborted. */
export const NEVER: AbortSignal = forManyListeners().signal;

/** Aborted with the first of the two. The second one may live much longer: `release` makes it forget this pair. */
export function either(first: AbortSignal, second: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = (): void => {
    first.removeEventListener('abort', abort);
    second.removeEventListener('abort', abort);
  };
  const abort = (): void => {
    release();
    controller.abort();
  };
  if (first.aborted || second.aborted) abort();
  else {
    first.addEventListener('abort', abort, { once: true });
    second.addEventListener('abort', abort, { once: true });
  }
  return { signal: controller.signal, release };
}
