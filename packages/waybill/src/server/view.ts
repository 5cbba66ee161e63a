import type { ServerCall } from './call.js';
import type { RequestContext } from './context.js';
import type { Part } from './part.js';

type Faces = Record<string, unknown>;

/**
 * The class of what `contextOf` gives in one room: a getter for each face of its parts, so that a handler which looks at one pays for
 * one. Made once, when the room is.
 */
export function viewOf(parts: readonly Part[]): new (call: ServerCall) => RequestContext {
  class View {
    readonly #call: ServerCall;
    readonly #made: Faces = {};

    constructor(call: ServerCall) {
      this.#call = call;
    }

    get meta() {
      return this.#call.asked.meta;
    }

    get issues() {
      return this.#call.issues;
    }

    face(name: string, make: (call: ServerCall) => unknown): unknown {
      return name in this.#made ? this.#made[name] : (this.#made[name] = make(this.#call));
    }
  }
  for (const { faces = {} } of parts)
    for (const [name, make] of Object.entries(faces))
      Object.defineProperty(View.prototype, name, {
        get(this: View) {
          return this.face(name, make);
        },
        enumerable: true,
        configurable: true,
      });
  return View as unknown as new (call: ServerCall) => RequestContext;
}
