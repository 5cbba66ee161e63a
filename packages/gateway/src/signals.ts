import { setMaxListeners } from 'node:events';

/** For a signal that many requests listen to at once: Node would take that for a leak. */
export function shared(controller = new AbortController()): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that is never aborted. */
export const NEVER: AbortSignal = shared().signal;

/** Aborted with the first of the two. The second one may live much longer: it forgets the first when that is over. */
export function either(first: AbortSignal, second: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    second.removeEventListener('abort', abort);
    controller.abort();
  };
  if (first.aborted || second.aborted) abort();
  first.addEventListener('abort', abort, { once: true });
  second.addEventListener('abort', abort, { once: true });
  return controller.signal;
}
