import type { Json } from '../../wire/json.js';
import { MAX_CONFLICTS, type StateValues } from '../../wire/state.js';
import { Clearings } from './clearings.js';
import type { JarLimits } from './limits.js';
import { isTombstone, standing, type Item } from './item.js';

/** A shelf of a drawer: the id of a conversation (session scope), or `null` for the server scope. */
export type Place = string | null;

export interface Shelf {
  readonly place: Place;
  readonly byName: Map<string, Item>;
  /** True if it lasts as long as its connection and is never stored. */
  readonly volatile: boolean;
  /** The values for a request, built when first needed after a change. */
  built?: ShelfValues | undefined;
}

interface ShelfValues {
  readonly values: ReadonlyMap<string, Json>;
  readonly conflicts: ReadonlyMap<string, readonly Json[]> | undefined;
  alone?: StateValues;
  /** The same together with the values of the server's shelf at that time. */
  joined?: { readonly server: ShelfValues | undefined; readonly values: StateValues };
}

export const NO_NAMES: ReadonlySet<string> = new Set();
const MAX_TOMBSTONES_PER_ITEM = 16;
const NO_STATE: StateValues = Object.freeze({});

/** One server's part of a jar (D-07): bookkeeping only, always within the limits (D-09). */
export class Drawer {
  readonly principal: string;
  readonly server: string;
  /** D-08: the names whose concurrent values the server merges. */
  merges: ReadonlySet<string> = NO_NAMES;
  readonly cleared: Clearings = new Clearings();
  /** True if everything that the store has for this drawer is in memory. */
  warm = false;
  items = 0;
  bytes = 0;
  #tombstones = 0;
  readonly shelves: Map<Place, Shelf> = new Map();
  readonly #limits: JarLimits;

  constructor(principal: string, server: string, limits: JarLimits) {
    this.principal = principal;
    this.server = server;
    this.#limits = limits;
  }

  /** True if it holds something that the store does not have: it must stay in memory. */
  get busy(): boolean {
    for (const { byName, volatile } of this.shelves.values()) {
      if (volatile) return true;
      for (const item of byName.values()) if (item.base !== undefined) return true;
    }
    return false;
  }

  item(place: Place, name: string): Item | undefined {
    return this.shelves.get(place)?.byName.get(name);
  }

  /**
   * Returns what a request of this conversation carries: the server's shelf and that of the conversation, and no other (STATE-08). The
   * object stays the same until something changes.
   */
  values(conversation: Place): StateValues {
    const server = this.#built(null);
    const session = conversation === null ? undefined : this.#built(conversation);
    if (session === undefined) return server === undefined ? NO_STATE : (server.alone ??= join(undefined, server));
    if (session.joined === undefined || session.joined.server !== server) session.joined = { server, values: join(session, server) };
    return session.joined.values;
  }

  #built(place: Place): ShelfValues | undefined {
    const shelf = this.shelves.get(place);
    if (shelf === undefined) return undefined;
    if (shelf.built === undefined) {
      const values = new Map<string, Json>();
      let conflicts: Map<string, readonly Json[]> | undefined;
      for (const [name, item] of shelf.byName) {
        const { value } = standing(item);
        if (value !== null) values.set(name, value);
        if (item.entries.length > 1)
          (conflicts ??= new Map()).set(
            name,
            item.entries.map((entry) => entry.value),
          );
      }
      shelf.built = { values, conflicts };
    }
    return shelf.built.values.size > 0 || shelf.built.conflicts ? shelf.built : undefined;
  }

  /** Sets a name, which then counts as the last one written. Returns how many of its concurrent values did not fit and were dropped. */
  write(place: Place, name: string, item: Item, volatile: boolean): number {
    let shelf = this.shelves.get(place);
    if (shelf === undefined) this.shelves.set(place, (shelf = { place, byName: new Map(), volatile }));
    this.#forget(shelf, name);
    shelf.byName.set(name, item);
    shelf.built = undefined;
    this.#count(item, 1);
    const before = item.entries.length;
    const bytesOver = (): boolean => this.bytes > this.#limits.drawerBytes;
    while (item.entries.length > MAX_CONFLICTS || (item.entries.length > 1 && bytesOver())) {
      this.#count(item, -1);
      item.entries = item.entries.slice(1);
      this.#count(item, 1);
    }
    return before - item.entries.length;
  }

  /** D-09: returns the least recently written item except this one, if the drawer is too full. */
  overflow(place: Place, name: string): readonly [Place, string] | undefined {
    if (this.items <= this.#limits.drawerItems && this.bytes <= this.#limits.drawerBytes) return undefined;
    return this.oldest((at, other) => at !== place || other !== name);
  }

  /** The least recently written item. */
  oldest(among: (place: Place, name: string) => boolean = () => true): readonly [Place, string] | undefined {
    let found: readonly [Place, string] | undefined;
    let order = Infinity;
    for (const shelf of this.shelves.values())
      for (const [name, item] of shelf.byName) {
        if (item.order >= order || isTombstone(item) || !among(shelf.place, name)) continue;
        [found, order] = [[shelf.place, name], item.order];
      }
    return found;
  }

  /** Removes a name without a trace. */
  remove(place: Place, name: string): void {
    const shelf = this.shelves.get(place);
    if (shelf === undefined) return;
    this.#forget(shelf, name);
    if (shelf.byName.size === 0) this.shelves.delete(place);
  }

  /**
   * Returns a deletion that can be forgotten: deletions are remembered only for a while. The oldest goes first, if the store does not wait
   * for it or never had the name. While a store is unreachable some deletions wait for it; their number is limited too.
   */
  surplusTombstone(): readonly [Place, string] | undefined {
    const { drawerItems } = this.#limits;
    if (this.#tombstones <= drawerItems) return undefined;
    const any = this.#tombstones > MAX_TOMBSTONES_PER_ITEM * drawerItems;
    for (const shelf of this.shelves.values())
      for (const [name, item] of shelf.byName) if (isTombstone(item) && (any || !this.#isAwaited(item))) return [shelf.place, name];
    return undefined;
  }

  /** True if the store has the item, or may have it, and must still delete it. */
  #isAwaited({ base, stored, sent }: Item): boolean {
    return base !== undefined && (!this.warm || stored > 0 || sent !== undefined);
  }

  #forget(shelf: Shelf, name: string): void {
    const item = shelf.byName.get(name);
    if (item === undefined) return;
    this.#count(item, -1);
    shelf.byName.delete(name);
    shelf.built = undefined;
  }

  #count(item: Item, sign: 1 | -1): void {
    if (isTombstone(item)) {
      this.#tombstones += sign;
      return;
    }
    this.items += sign;
    for (const entry of item.entries) this.bytes += sign * entry.bytes;
  }
}

function join(session: ShelfValues | undefined, server: ShelfValues | undefined): StateValues {
  const conflicts = session?.conflicts || server?.conflicts;
  return {
    ...(session && { session: session.values }),
    ...(server && { server: server.values }),
    ...(conflicts && {
      conflicts: { ...(session?.conflicts && { session: session.conflicts }), ...(server?.conflicts && { server: server.conflicts }) },
    }),
  };
}
