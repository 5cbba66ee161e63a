import { outOfBounds, type Json } from '../../wire/json.js';
import { reportRejection, isThenable } from '../../wire/maybe.js';
import { STATE_BOUNDS, type StateChanges, type StateScope } from '../../wire/state.js';
import type { StateSetup, PlainState, RequestState, StateItem } from './define.js';
import { schemaProblem, type StandardSchema } from './schema.js';

/** Our own edge would refuse requests that carry a deeper value back. */
const BOUNDS = { ...STATE_BOUNDS.value, depth: 96 };

/** The state of one request, and what its handler sets. */
export interface StateNotes {
  readonly available: boolean;
  /** True once it has been answered. */
  isOver(): boolean;
  /** The values of the request, with and without a definition. */
  readonly carried: StateChanges;
  /** The valid values of defined names, and those set since. */
  readonly found: Map<string, unknown>;
  /** The values that the handler set, or deleted with `null`, as it will be read. */
  readonly changes: { readonly [Scope in StateScope]: Map<string, Json> };
  complain(scope: StateScope, name: string, problem: string): void;
}

/** Makes the `state` of a handler, when it is first read. */
export function handlerState(notes: StateNotes, defined: StateSetup | undefined): RequestState {
  const items: Record<string, StateItem<unknown, unknown>> = {};
  const definitions = [...(defined?.definitions ?? [])];
  for (const [name, definition] of definitions)
    Object.defineProperty(items, name, { value: itemOf(notes, name, definition), enumerable: true });
  const names = (scope: StateScope): ReadonlySet<string> =>
    new Set(definitions.filter(([, definition]) => definition.scope === scope).map(([name]) => name));
  return Object.assign(items, {
    available: notes.available,
    session: plainOf(notes, 'session', names('session')),
    server: plainOf(notes, 'server', names('server')),
  });
}

function itemOf(
  notes: StateNotes,
  name: string,
  { scope, schema }: { scope: StateScope; schema: StandardSchema },
): StateItem<unknown, unknown> {
  return {
    get: () => notes.found.get(name),
    set(value) {
      const plain = snapshot(name, value);
      const verdict = reportRejection(schema['~standard'].validate(plain));
      // An asynchronous schema checks the value when it comes back.
      const isLater = isThenable(verdict);
      if (!isLater && verdict.issues !== undefined) throw new TypeError(`state.${name}.set: the value ${schemaProblem(verdict.issues)}`);
      if (!canSet(notes, scope, name)) return false;
      notes.changes[scope].set(name, plain);
      notes.found.set(name, isLater ? plain : verdict.value);
      return true;
    },
    delete() {
      if (!canSet(notes, scope, name)) return false;
      notes.changes[scope].set(name, null);
      notes.found.delete(name);
      return true;
    },
  };
}

function plainOf(notes: StateNotes, scope: StateScope, defined: ReadonlySet<string>): PlainState {
  const check = (name: string): void => {
    if (typeof name !== 'string') throw new TypeError(`state.${scope}: expected a text as the name`);
    if (defined.has(name)) throw new TypeError(`state.${scope}: ${JSON.stringify(name)} has a definition; use state.${name}`);
  };
  const at = (name: string): Json | undefined => {
    const changed = notes.changes[scope].get(name);
    return changed === undefined ? notes.carried[scope]?.get(name) : (changed ?? undefined);
  };
  return {
    get(name) {
      check(name);
      return at(name);
    },
    set(name, value) {
      check(name);
      const plain = snapshot(name, value);
      if (!canSet(notes, scope, name)) return false;
      notes.changes[scope].set(name, plain);
      return true;
    },
    delete(name) {
      check(name);
      if (!canSet(notes, scope, name)) return false;
      notes.changes[scope].set(name, null);
      return true;
    },
    names() {
      const all = new Set([...(notes.carried[scope]?.keys() ?? []), ...notes.changes[scope].keys()]);
      return [...all].filter((name) => !defined.has(name) && at(name) !== undefined);
    },
  };
}

/** D-24: the client would not keep the value, or never get it. */
function canSet(notes: StateNotes, scope: StateScope, name: string): boolean {
  const isOver = notes.isOver();
  if (!notes.available) notes.complain(scope, name, 'cannot be set: the client of this request keeps no state');
  else if (isOver) notes.complain(scope, name, 'cannot be set: the request has been answered');
  return notes.available && !isOver;
}

/** Takes the value as it will come back: later changes to the object have no effect, and values that JSON cannot express are refused. */
function snapshot(name: string, value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined;
  const plain = text === undefined ? undefined : (JSON.parse(text) as Json);
  if (plain === undefined || plain === null)
    throw new TypeError(`state: the value of ${JSON.stringify(name)} is not JSON; to delete it, use delete()`);
  const problem = outOfBounds(plain, BOUNDS);
  if (problem !== undefined) throw new TypeError(`state: the value of ${JSON.stringify(name)} ${problem}`);
  return plain;
}
