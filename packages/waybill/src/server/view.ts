import type { Meta } from '../wire/json.js';
import type { ServerCall } from './call.js';
import type { RequestContext } from './context.js';
import type { Part } from './part.js';

/**
 * The class of what `contextOf` gives in one room: a getter for each face of its parts, so that a handler which looks at one pays for
 * one. Made once, when the room is.
 */
export function viewOf(parts: readonly Part[]): new (call: ServerCall) => RequestContext {
  const faces = parts.flatMap((part) => Object.entries(part.faces ?? {}));
  const none: readonly unknown[] = faces.map(() => undefined);
  class View {
    readonly #call: ServerCall;
    /** The faces by their place. */
    readonly #made = none.slice();
    #meta: Meta | undefined;

    constructor(call: ServerCall) {
      this.#call = call;
    }

    /** A copy: keys that a handler sets or takes out are so for itself alone, and it reads faster than a message that never was text. */
    get meta(): Meta {
      this.#call.personal = true;
      return (this.#meta ??= { ...this.#call.asked.meta });
    }

    get issues() {
      return this.#call.issues;
    }

    /** Of the class, not of its objects, where it would be a face of that name. */
    static face(view: View, place: number, make: (call: ServerCall) => unknown): unknown {
      return (view.#made[place] ??= make(view.#call));
    }
  }
  faces.forEach(([name, make], place) =>
    Object.defineProperty(View.prototype, name, {
      get(this: View) {
        return View.face(this, place, make);
      },
      enumerable: true,
      configurable: true,
    }),
  );
  return View as unknown as new (call: ServerCall) => RequestContext;
}
