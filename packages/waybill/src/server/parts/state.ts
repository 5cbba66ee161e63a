/** State on the server (SEP-1655): the state that the client sent back, made safe to use, and what handlers set. */
import { startTimer, type StartTimer } from '../../transport/index.js';
import { isObject, type Json, type Meta } from '../../wire/json.js';
import { andThen, andThenAll, atOnce, reportRejection } from '../../wire/maybe.js';
import { declaresState, type StateChanges, type StateScope } from '../../wire/state.js';
import type { ServerPart, ServerRequest } from '../part.js';
import type { StateSetup, StateDefinition } from '../state/define.js';
import { handlerState, type StateNotes } from '../state/handlerState.js';
import type { ItemAbout, Later } from '../state/item.js';
import { mergeValues, readItem, type CheckedValue } from '../state/read.js';
import { writeItem } from '../state/write.js';

const SCOPES = ['session', 'server'] as const;

/** Notes about one request. */
interface Notes extends StateNotes {
  /** D-22: the sealing that each guarded name came with; a write retires it. */
  readonly sequences: Map<string, string>;
  principal?: string | null | undefined;
  /** The changes as they are sent, sealed if configured. */
  sealed?: StateChanges;
}

/** `start` limits the time of a replay guard. */
export function state(defined?: StateSetup, start: StartTimer = startTimer): ServerPart {
  if (defined !== undefined && !(defined.definitions instanceof Map))
    throw new TypeError('state: expected the value that defineState() returns');
  const definitions: ReadonlyMap<string, StateDefinition> = defined?.definitions ?? new Map();
  const merged = [...definitions].filter(([, { merge }]) => merge !== undefined).map(([name]) => name);
  const all = new WeakMap<ServerRequest, Notes>();

  function notesOf(request: ServerRequest): Notes {
    let notes = all.get(request);
    if (notes === undefined) {
      const complain = (scope: StateScope, name: string, problem: string): void => {
        request.report({ concern: 'state', key: `${scope}.${name}`, problem });
      };
      const changes = { session: new Map<string, Json>(), server: new Map<string, Json>() };
      notes = {
        available: declaresState(request.declared),
        isOver: () => request.exchange === undefined,
        carried: request.received.state ?? {},
        found: new Map(),
        sequences: new Map(),
        changes,
        complain,
      };
      all.set(request, notes);
    }
    return notes;
  }

  /** Returns `undefined` if the user of the request is unknown: then sealed values stay closed. */
  function principalOf(request: ServerRequest, notes: Notes): string | null | undefined {
    if (defined?.options.principal === undefined) return null;
    if ('principal' in notes) return notes.principal;
    const extra = request.exchange?.extra;
    try {
      const authInfo = isObject(extra) ? extra['authInfo'] : undefined;
      notes.principal = principalIn(defined.options.principal({ extra, authInfo }), (error) => request.fault(error));
    } catch (error) {
      request.report({ concern: 'state', key: 'principal', problem: 'is unknown: the function that returns it failed, see onFault' });
      request.fault(error);
      notes.principal = undefined;
    }
    return notes.principal;
  }

  function itemAbout(request: ServerRequest, notes: Notes, name: string, definition: StateDefinition): ItemAbout {
    const { options } = defined as StateSetup;
    const complain = (problem: string, error?: unknown): undefined => {
      notes.complain(definition.scope, name, problem);
      if (error !== undefined) request.fault(error);
      return undefined;
    };
    return { name, definition, options, startTimer: start, principal: () => principalOf(request, notes), complain };
  }

  /** Reads one name, with all values that were written at the same time. */
  function take(request: ServerRequest, notes: Notes, name: string, definition: StateDefinition): void | Promise<void> {
    const { scope, merge } = definition;
    const current = notes.carried[scope]?.get(name);
    const concurrent = merge && request.received.state?.conflicts?.[scope]?.get(name);
    const about = itemAbout(request, notes, name, definition);
    if (concurrent !== undefined) {
      const read = concurrent.map((value) => (value === null ? null : readItem(value, about)));
      return andThenAll(read, (values: readonly (CheckedValue | null | undefined)[]) => {
        const good = values.flatMap((value) => (value === undefined ? [] : [value && value.value]));
        const one = good.length > 1 ? mergeValues(good, about) : good[0];
        if (one !== undefined && one !== null) notes.found.set(name, one);
      });
    }
    if (current === undefined) return;
    return andThen(readItem(current, about), (found) => {
      if (found === undefined) return;
      notes.found.set(name, found.value);
      if (found.sequence !== undefined) notes.sequences.set(name, found.sequence);
    });
  }

  /** Returns what is sent for one name that was set. */
  function give(request: ServerRequest, notes: Notes, scope: StateScope, name: string, value: Json): Later<Json | undefined> {
    const definition = definitions.get(name);
    if (definition?.scope !== scope) return value;
    return writeItem(value, itemAbout(request, notes, name, definition), notes.sequences.get(name));
  }

  function takeAll(request: ServerRequest): void | Promise<void> {
    if (request.received.state === undefined) return;
    const notes = notesOf(request);
    return andThenAll(
      [...definitions].map(([name, definition]) => take(request, notes, name, definition)),
      () => undefined,
    );
  }

  return {
    name: 'state',
    declares: merged.length > 0 ? { merge: merged } : {},

    ...(definitions.size > 0 && { before: takeAll }),

    provides: {
      state(request) {
        request.answer.caching.noteCaller();
        return handlerState(notesOf(request), defined);
      },
    },

    result(result, request) {
      const notes = all.get(request);
      if (notes === undefined || (notes.changes.session.size === 0 && notes.changes.server.size === 0)) return result;
      // D-24, IX-09: like Set-Cookie.
      request.answer.caching.restrict('no-store');
      const next: Meta = Object.hasOwn(result, 'cacheScope') ? { ...result, cacheScope: 'private' } : result;
      const parts = SCOPES.flatMap((scope) =>
        [...notes.changes[scope]].map(([name, value]) =>
          andThen(give(request, notes, scope, name, value), (out) => [scope, name, out] as const),
        ),
      );
      const finish = (done: readonly (readonly [StateScope, string, Json | undefined])[]): Meta => {
        const out = { session: new Map<string, Json>(), server: new Map<string, Json>() };
        for (const [scope, name, value] of done) if (value !== undefined) out[scope].set(name, value);
        notes.sealed = out;
        return next;
      };
      return andThenAll(parts, finish);
    },

    error(error, request) {
      const notes = all.get(request);
      for (const scope of SCOPES)
        for (const name of notes?.changes[scope].keys() ?? [])
          notes?.complain(scope, name, 'was set on a call that failed, and errors carry no state');
      return error;
    },

    values(kind, _body, request) {
      const out = kind === 'result' ? all.get(request)?.sealed : undefined;
      return out && { state: out };
    },

    /** D-24: the head leaves before anybody knows whether state will be set. */
    stream(request) {
      if (declaresState(request.declared)) request.answer.caching.restrict('no-store');
    },
  };
}

/**
 * Checks the principal that the author's function returned: a text, or `null` for no particular user. Everything else throws (D-35). A
 * sealed value is bound to the principal, so `undefined` from a misspelt member, or any two promises or objects, would make all users one.
 */
function principalIn(given: unknown, onFault: (error: unknown) => void): string | null {
  if (given === null || (typeof given === 'string' && given !== '')) return given;
  atOnce(reportRejection(given, onFault), 'principal');
  const gave = given === '' ? 'an empty text' : given === undefined ? 'undefined' : 'no text';
  throw new TypeError(`principal: returned ${gave}: expected a text, or null for no particular user`);
}
