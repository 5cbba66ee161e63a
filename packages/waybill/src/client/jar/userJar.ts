import { outOfBounds, type Json } from '../../wire/json.js';
import { STATE_BOUNDS, type StateScope } from '../../wire/state.js';
import { checkFilter, checkText, OWNER, PART } from './filters.js';
import { isConversationOf } from './conversations.js';
import type { Drawer, Place } from './drawer.js';
import { nameHttpServer, type IdentityOptions, type Named } from './identity.js';
import type { Jars } from './jars.js';
import { isTombstone, standing, type Item } from './item.js';
import type { KeptLedger } from '../state.js';
import { NOBODY } from '../values.js';
import type { DrawerSummary, ItemFilter, ShownItem, StateJar } from './stateJar.js';
import { isLedgerName } from '../policy/ledgerName.js';

export function userJar(jars: Jars, options: IdentityOptions, ledger: () => KeptLedger | undefined = () => undefined): StateJar {
  /** Names the drawer of a server that is given as a URL, by the rule for connections. Any other text is a name already. */
  const name = (server: string): Named => (server.includes('://') ? nameHttpServer(server, options) : { name: server });

  /**
   * A server that may hold no state now may have held some under other rules: the user can still see and clear it. A drawer with exactly
   * this name comes first, since a given identity may look like a URL.
   */
  function named(principal: string, server: string): string {
    const found = name(server);
    const isItself = (jars.drawer(principal, server)?.items ?? 0) > 0;
    return 'name' in found && !isItself ? found.name : server;
  }

  async function opened(principal: string, server: string): Promise<Drawer> {
    const at = named(principal, server);
    // The store is asked only if the name could mean another drawer.
    const drawer = jars.open(principal, at !== server && (await jars.keeps(principal, server)) ? server : at);
    await jars.sync?.load(drawer);
    return drawer;
  }

  /** `only` undefined: forgets in all servers. */
  function forget(principal: string, only: Drawer | undefined, part: ItemFilter): number {
    const place = placeOf(part);
    // The answer under way may be the first of its server, which has no drawer yet.
    for (const scope of scopesOf(part)) jars.dropAnswersUnderWay(only ?? jars.jar(principal), scope, place);
    let forgotten = 0;
    for (const drawer of only ? [only] : [...jars.drawers(principal)]) {
      for (const [place, name] of itemsOf(drawer, part)) {
        jars.jar(principal).erase(drawer, place, name);
        forgotten++;
      }
    }
    return forgotten;
  }

  return {
    async principals() {
      const kept = (await jars.sync?.principals()) ?? [];
      const here = [...jars.principals()].filter((principal) => [...jars.drawers(principal)].some(({ items }) => items > 0));
      return [...new Set([...here, ...kept.filter((principal) => !isLedgerName(principal))])];
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
      return [...itemsOf(drawer, part)].map(shown);
    },
    async edit(server, item, value, part = {}) {
      checkText('edit', 'server', server);
      checkText('edit', 'name', item);
      if ((value as unknown) === undefined) throw new TypeError('jar.edit.value: expected a value; use null to delete the item');
      checkFilter('edit', part, PART);
      const found = name(server);
      if ('refused' in found) throw new TypeError(`jar.edit.server: expected a server that may keep state; ${server} ${found.refused}`);
      const problem = outOfBounds(value, STATE_BOUNDS.value);
      if (problem !== undefined) throw new TypeError(`jar.edit.value: expected JSON; the value ${problem}`);
      const principal = part.principal ?? NOBODY;
      const place = part.scope === 'server' ? null : placeOf(part);
      if (part.scope === 'session' && place === null)
        throw new TypeError('jar.edit.conversation: expected a conversation, because the scope is session');
      if (place !== null) checkOwner(part, principal);
      checkGoing(principal, place);
      const drawer = await opened(principal, server);
      checkGoing(principal, place);
      jars.jar(principal).edit(drawer, place, item, value);
      await jars.sync?.flush();
      // Another process may have ended the conversation; only the store knew.
      checkGoing(principal, place);
    },
    async export(owner = {}) {
      checkFilter('export', owner, [...OWNER, 'server']);
      const { principal = NOBODY, server } = owner;
      if (server === undefined) await jars.openAll(principal);
      const drawers = server === undefined ? [...jars.drawers(principal)] : [await opened(principal, server)];
      const full = drawers.filter(({ items }) => items > 0);
      const items = (drawer: Drawer): Json => [...itemsOf(drawer, {})].map((found) => ({ ...shown(found) }) as unknown as Json);
      return { version: 1, principal, drawers: full.map((drawer) => ({ server: drawer.server, items: items(drawer) })) };
    },
    async clear(filter = {}) {
      checkFilter('clear', filter, [...PART, 'server']);
      const { server, ...part } = filter;
      placeOf(part); // Throws for a foreign conversation before anything is forgotten.
      const principal = part.principal ?? NOBODY;
      const there = async (known: Drawer | undefined): Promise<Drawer | undefined> => {
        if (server === undefined) await jars.openAll(principal);
        else if (known?.server !== server) return opened(principal, server);
        else await jars.sync?.load(known);
        return known;
      };
      // Memory is cleared first, even if the store fails.
      const here = server === undefined ? undefined : jars.open(principal, named(principal, server));
      let forgotten = forget(principal, here, part);
      // D-20: a user who clears all state of a server also clears its ledger.
      if (part.scope === undefined && part.conversation === undefined)
        await ledger()?.clear({ principal, ...(server !== undefined && { server }) });
      if (jars.sync === undefined) return forgotten;
      forgotten += forget(principal, await there(here), part);
      await jars.sync.flush();
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
    async flush() {
      await Promise.all([jars.sync?.flush(), ledger()?.flush()]);
    },
    async close() {
      try {
        await ledger()?.flush();
      } finally {
        await jars.sync?.close();
      }
    },
  };

  function placeOf({ conversation }: ItemFilter): Place {
    if (conversation === undefined) return null;
    if (typeof conversation === 'string') return conversation;
    if (!isConversationOf(jars, conversation)) throw new TypeError('the conversation belongs to another jar');
    return conversation.id;
  }

  function checkGoing(principal: string, place: Place): void {
    if (place !== null && jars.conversations.isEnded({ principal, id: place }))
      throw new Error('the conversation has ended; begin a new one');
  }

  function* itemsOf(drawer: Drawer, part: ItemFilter): Iterable<FoundItem> {
    const only = placeOf(part);
    const scopes = scopesOf(part);
    for (const { place, byName } of [...drawer.shelves.values()]) {
      if (!scopes.includes(place === null ? 'server' : 'session') || (only !== null && place !== only)) continue;
      for (const [name, item] of [...byName]) if (!isTombstone(item)) yield [place, name, item];
    }
  }
}

type FoundItem = readonly [Place, string, Item];

/** A conversation belongs to one principal. In another principal's jar its state would never be found. */
function checkOwner({ conversation }: ItemFilter, principal: string): void {
  if (typeof conversation === 'object' && conversation.principal !== principal)
    throw new TypeError('jar.edit.conversation: expected a conversation of this principal');
}

function scopesOf({ scope, conversation }: ItemFilter): readonly StateScope[] {
  const all: readonly StateScope[] = conversation === undefined ? ['session', 'server'] : ['session'];
  return scope === undefined ? all : all.filter((one) => one === scope);
}

function shown([place, name, item]: FoundItem): ShownItem {
  const { entries, written } = item;
  return {
    scope: place === null ? 'server' : 'session',
    ...(place !== null && { conversation: place }),
    name,
    value: standing(item).value,
    ...(entries.length > 1 && { concurrent: entries.map(({ value }) => value) }),
    bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0),
    written,
  };
}

function summary(drawer: Drawer): DrawerSummary {
  let lastWritten = 0;
  for (const { byName } of drawer.shelves.values()) for (const { written } of byName.values()) lastWritten = Math.max(lastWritten, written);
  return { server: drawer.server, items: drawer.items, bytes: drawer.bytes, lastWritten };
}
