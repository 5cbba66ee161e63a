import { setMaxListeners } from 'node:events';

/** For a signal that many requests listen to at once: Node would take that for a leak. */
export function shared(controller = new AbortController()): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that is never aborted. */
export const NEVER: AbortSignal = shared().signal;
