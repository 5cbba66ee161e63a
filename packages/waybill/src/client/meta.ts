import type { Issue } from '../wire/issue.js';
import { isObject } from '../wire/json.js';
import { andThen, isThenable } from '../wire/maybe.js';
import { checkOwnMeta } from '../wire/meta.js';
import type { ClientCall, Draft, ClientPart } from './part.js';
import { ask, perObject, type CallValues } from './values.js';

/**
 * SEP-414, BASE-05: checks the application's own keys. A wrong name is a mistake of the program. The value of a function is checked when it
 * is there.
 */
export function checkMeta(input: unknown, path: string): void {
  if (input === undefined || input === null) return;
  if (!isObject(input)) throw new TypeError(`${path}: expected an object or null`);
  const issues: Issue[] = [];
  const values = Object.entries(input).map(([key, value]) => [key, typeof value === 'function' ? null : value]);
  checkOwnMeta(Object.fromEntries(values), (issue) => issues.push(issue));
  const [first] = issues;
  if (first) throw new RangeError(`${path}[${JSON.stringify(first.key)}]: ${first.problem}`);
}

export class MetaPart implements ClientPart {
  readonly name = 'meta';
  readonly #plan = perObject(({ meta }: CallValues) => {
    const entries = Object.entries(meta ?? {}).filter(([, value]) => value !== undefined);
    const fixed = Object.fromEntries(entries.filter(([, value]) => typeof value !== 'function'));
    return {
      fixed,
      functions: entries.filter(([, value]) => typeof value === 'function') as [string, () => unknown][],
      any: entries.length > 0,
    };
  });

  preview(call: ClientCall, draft: Draft): void | Promise<void> {
    return this.request(call, draft);
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    const { fixed, functions, any } = this.#plan(call.values);
    if (!any) return;
    if (functions.length === 0) {
      draft.own = fixed;
      return;
    }
    const found: [string, unknown][] = [];
    const waiting: Promise<void>[] = [];
    for (const [key, source] of functions) {
      const value = andThen(ask(source, call, 'meta', key), (given) => {
        if (given !== undefined) found.push([key, given]);
      });
      if (isThenable(value)) waiting.push(value);
    }
    const add = (): void => {
      draft.own = { ...fixed, ...checkOwnMeta(Object.fromEntries(found), call.connection.onIssue) };
    };
    return waiting.length === 0 ? add() : Promise.all(waiting).then(add);
  }
}
