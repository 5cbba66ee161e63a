import { setMaxListeners } from 'node:events';

/** For a signal that many requests listen to at once: Node would take that for a leak. */
export function shared(controller = new AbortController()): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that is never aborted. */
export const NEVER: AbortSignal = shared().signal;

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
