import type { Meta } from '../wire/json.js';
import type { RequestContext } from './context.js';
import type { ServerPart } from './part.js';
import type { IncomingRequest } from './request.js';

/**
 * Returns the class of what `contextOf` returns: a getter for each member that a part provides, so that a handler pays only for what it
 * reads.
 */
export function viewOf(parts: readonly ServerPart[]): new (request: IncomingRequest) => RequestContext {
  const provided = parts.flatMap((part) => Object.entries(part.provides ?? {}));
  const none: readonly unknown[] = provided.map(() => undefined);
  class View {
    readonly #request: IncomingRequest;
    /** The members made so far, by their place in `provided`. */
    readonly #made = none.slice();
    #meta: Meta | undefined;

    constructor(request: IncomingRequest) {
      this.#request = request;
    }

    /** A copy, so that a handler changes it only for itself. */
    get meta(): Meta {
      this.#request.answer.caching.noteCaller();
      return (this.#meta ??= { ...this.#request.received.meta });
    }

    get issues() {
      return this.#request.issues;
    }

    /** Static: as a method it could hide a member of this name that a part provides. */
    static provide(view: View, place: number, make: (request: IncomingRequest) => unknown): unknown {
      return (view.#made[place] ??= make(view.#request));
    }
  }
  provided.forEach(([name, make], place) =>
    Object.defineProperty(View.prototype, name, {
      get(this: View) {
        return View.provide(this, place, make);
      },
      enumerable: true,
      configurable: true,
    }),
  );
  return View as unknown as new (request: IncomingRequest) => RequestContext;
}
