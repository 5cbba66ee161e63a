import { outOfBounds, type Json, type JsonObject } from '../../wire/json.js';
import { STATE_BOUNDS, type StateScope } from '../../wire/state.js';
import { checkFilter, checkText, OWNER, PART } from './asked.js';
import { isConversationOf, type Conversation } from './conversation.js';
import type { Drawer, Place, Shelf } from './drawer.js';
import type { Named } from './identity.js';
import type { Jars } from './jars.js';
import { isTombstone, standing } from './slot.js';

export interface DrawerSummary {
  readonly server: string;
  readonly items: number;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly lastWritten: number;
}

export interface ShownItem {
  readonly scope: StateScope;
  /** The id, in session scope. */
  readonly conversation?: string;
  readonly name: string;
  readonly value: Json;
  /** D-08: values that nobody has merged yet, in arrival order; the last is `value`, or `null` where that one deletes. */
  readonly concurrent?: readonly Json[];
  readonly bytes: number;
  readonly written: number;
}

export interface Owner {
  /** Whose jar; without one, that of the client without principals. */
  readonly principal?: string;
}

export interface Part extends Owner {
  readonly scope?: StateScope;
  /** A conversation or its id: only its state. */
  readonly conversation?: Conversation | string;
}

/** What the user owns, for the user: a settings page needs nothing else. Every call rejects, with the cause, where the store fails. */
export interface StateJar {
  /** Who keeps anything. */
  principals(): Promise<readonly string[]>;
  list(owner?: Owner): Promise<readonly DrawerSummary[]>;
  show(server: string, part?: Part): Promise<readonly ShownItem[]>;
  /** Sets one item, or with `null` deletes it; session scope needs the conversation. */
  edit(server: string, name: string, value: Json, part?: Part): Promise<void>;
  /** All of it as one JSON document. */
  export(owner?: Owner & { readonly server?: string }): Promise<JsonObject>;
  /** Forgets, at once and in the store; answers to requests already under way bring nothing back. Gives the number of items. */
  clear(part?: Part & { readonly server?: string }): Promise<number>;
  begin(owner?: Owner): Conversation;
  /** Continues a conversation by its id, also in another process. One that has ended stays so. */
  resume(id: string, owner?: Owner): Conversation;
  /** D-23: resolves when all that is in memory is in the store. */
  flush(): Promise<void>;
  /** Flushes, and closes the store. */
  close(): Promise<void>;
}

export const NOBODY = '';

/** `name` gives the drawer's name of a server that is written as a URL, by the rule for connections. */
export function stateJar(jars: Jars, name: (server: string) => Named): StateJar {
  /** What may hold no state now may have held some under other rules: that can still be looked at, and forgotten. */
  function named(server: string): string {
    const found = name(server);
    return 'name' in found ? found.name : server;
  }

  async function opened(principal: string, server: string): Promise<Drawer> {
    const drawer = jars.open(principal, named(server));
    await jars.keeper?.load(drawer);
    return drawer;
  }

  function forget(drawers: Iterable<Drawer>, part: Part): number {
    let forgotten = 0;
    for (const drawer of [...drawers]) {
      for (const scope of scopesOf(part)) jars.bar(drawer, scope);
      for (const [shelf, name] of itemsOf(drawer, part)) {
        jars.jar(drawer.principal).erase(drawer, shelf.place, name);
        forgotten++;
      }
    }
    return forgotten;
  }

  return {
    async principals() {
      const kept = (await jars.keeper?.principals()) ?? [];
      const here = [...jars.principals()].filter((principal) => [...jars.drawers(principal)].some(({ items }) => items > 0));
      return [...new Set([...here, ...kept])];
    },
    async list(owner = {}) {
      checkFilter('list', owner, OWNER);
      const { principal = NOBODY } = owner;
      await jars.openAll(principal);
      return [...jars.drawers(principal)].filter(({ items }) => items > 0).map(summary);
    },
    async show(server, part = {}) {
      checkText('show', 'server', server);
      checkFilter('show', part, PART);
      const drawer = await opened(part.principal ?? NOBODY, server);
      return [...itemsOf(drawer, part)].map(([shelf, name]) => shown(shelf, name));
    },
    async edit(server, item, value, part = {}) {
      checkText('edit', 'server', server);
      checkText('edit', 'name', item);
      if ((value as unknown) === undefined) throw new TypeError('jar.edit: value: is missing; null deletes');
      checkFilter('edit', part, PART);
      const found = name(server);
      if ('refused' in found) throw new TypeError(`jar.edit: server: ${server} may keep no state: it ${found.refused}`);
      const problem = outOfBounds(value, STATE_BOUNDS.value);
      if (problem !== undefined) throw new TypeError(`the value ${problem}`);
      const place = placeOf(part);
      if (part.scope === 'session' && place === null) throw new TypeError('session scope needs a conversation');
      const drawer = await opened(part.principal ?? NOBODY, server);
      jars.jar(drawer.principal).edit(drawer, part.scope === 'server' ? null : place, item, value);
      await jars.keeper?.flush();
    },
    async export(owner = {}) {
      checkFilter('export', owner, [...OWNER, 'server']);
      const { principal = NOBODY, server } = owner;
      if (server === undefined) await jars.openAll(principal);
      const drawers = server === undefined ? [...jars.drawers(principal)] : [await opened(principal, server)];
      const full = drawers.filter(({ items }) => items > 0);
      const items = (drawer: Drawer): Json =>
        [...itemsOf(drawer, {})].map(([shelf, name]) => ({ ...shown(shelf, name) }) as unknown as Json);
      return { version: 1, principal, drawers: full.map((drawer) => ({ server: drawer.server, items: items(drawer) })) };
    },
    async clear(filter = {}) {
      checkFilter('clear', filter, [...PART, 'server']);
      const { server, ...part } = filter;
      placeOf(part); // Before anything is forgotten: a conversation that is none of ours.
      const principal = part.principal ?? NOBODY;
      const here = (): Iterable<Drawer> => (server === undefined ? jars.drawers(principal) : [jars.open(principal, named(server))]);
      // What is in memory goes first, whatever the store says.
      let forgotten = forget(here(), part);
      if (jars.keeper === undefined) return forgotten;
      if (server === undefined) await jars.openAll(principal);
      else await opened(principal, server);
      forgotten += forget(here(), part);
      await jars.keeper.flush();
      return forgotten;
    },
    begin(owner = {}) {
      checkFilter('begin', owner, OWNER);
      return jars.conversations.begin(owner.principal ?? NOBODY);
    },
    resume(id, owner = {}) {
      checkText('resume', 'id', id);
      checkFilter('resume', owner, OWNER);
      return jars.conversations.resume(owner.principal ?? NOBODY, id);
    },
    flush: () => jars.keeper?.flush() ?? Promise.resolve(),
    close: () => jars.keeper?.close() ?? Promise.resolve(),
  };

  function placeOf({ conversation }: Part): Place {
    if (conversation === undefined) return null;
    if (typeof conversation === 'string') return conversation;
    if (!isConversationOf(jars, conversation)) throw new TypeError('the conversation is not of this jar');
    return conversation.id;
  }

  function* itemsOf(drawer: Drawer, part: Part): Iterable<readonly [Shelf, string]> {
    const place = placeOf(part);
    const scopes = scopesOf(part);
    for (const shelf of [...drawer.shelves.values()]) {
      if (!scopes.includes(shelf.place === null ? 'server' : 'session') || (place !== null && shelf.place !== place)) continue;
      for (const [name, slot] of [...shelf.slots]) if (!isTombstone(slot)) yield [shelf, name];
    }
  }
}

function scopesOf({ scope, conversation }: Part): readonly StateScope[] {
  if (scope !== undefined) return [scope];
  return conversation === undefined ? ['session', 'server'] : ['session'];
}

function shown({ place, slots }: Shelf, name: string): ShownItem {
  const slot = slots.get(name);
  if (slot === undefined) throw new Error('no such item');
  const { entries, written } = slot;
  return {
    scope: place === null ? 'server' : 'session',
    ...(place !== null && { conversation: place }),
    name,
    value: standing(slot).value,
    ...(entries.length > 1 && { concurrent: entries.map(({ value }) => value) }),
    bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0),
    written,
  };
}

function summary(drawer: Drawer): DrawerSummary {
  let lastWritten = 0;
  for (const { slots } of drawer.shelves.values()) for (const { written } of slots.values()) lastWritten = Math.max(lastWritten, written);
  return { server: drawer.server, items: drawer.items, bytes: drawer.bytes, lastWritten };
}
