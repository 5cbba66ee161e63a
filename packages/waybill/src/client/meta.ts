import { isEmpty, isObject } from '../wire/json.js';
import { andThen } from '../wire/maybe.js';
import { checkOwnMeta } from '../wire/meta.js';
import type { ClientCall, Draft, ClientPart } from './part.js';
import { askEach, firstProblem, perObject, sourcesIn, type CallValues } from './values.js';

/**
 * SEP-414, BASE-05: checks the application's own keys. A wrong name is a mistake of the program. The value of a function is checked when it
 * is there.
 */
export function checkMeta(input: unknown, path: string): void {
  if (input === undefined || input === null) return;
  if (!isObject(input)) throw new TypeError(`${path}: expected an object or null`);
  const values = Object.entries(input).map(([key, value]) => [key, typeof value === 'function' ? null : value]);
  const first = firstProblem((report) => checkOwnMeta(Object.fromEntries(values), report));
  if (first) throw new RangeError(`${path}[${JSON.stringify(first.key)}]: ${first.problem}`);
}

export class MetaPart implements ClientPart {
  readonly name = 'meta';
  readonly #sources = perObject(({ meta }: CallValues) => sourcesIn(meta ?? {}));

  preview(call: ClientCall, draft: Draft): void | Promise<void> {
    return this.request(call, draft);
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    const { fixed, functions } = this.#sources(call.values);
    if (functions.length === 0) {
      if (!isEmpty(fixed)) draft.own = fixed;
      return;
    }
    return andThen(askEach(functions, call, 'meta'), (found) => {
      draft.own = { ...fixed, ...checkOwnMeta(found, call.connection.onIssue) };
    });
  }
}
