import type { Json } from '../../wire/json.js';
import { Clearings } from './clearings.js';
import { Drawer, type Place } from './drawer.js';
import { itemBytes, type JarLimits } from './limits.js';
import { readBody, isTombstone, reconcile, settle, type Entry, type Item } from './item.js';
import type { StoreRow } from './store.js';

/** Shared by the jars of a client. */
export interface SharedByJars {
  readonly limits: JarLimits;
  /** IX-10: if two answers set a value and neither request carried the value of the other, the value of the newer request is current. */
  readonly newest: boolean;
  /** Advances the jar's own clock, which moves with every request and every write, and returns it. */
  tick(): number;
  entryId(revision: number): string;
  report(place: Place, name: string, problem: string): void;
  /** Called when the store lacks something of this drawer; absent without a store. */
  readonly touched?: ((drawer: Drawer) => void) | undefined;
  /** Called when the largest drawer is only in the store: it has to be read into memory. */
  load(drawer: Drawer): void;
}

/** Subtracted from a wall clock, so that the result is below every tick of the jar's own clock. */
const LONG_AGO = 2 ** 52;
const TWICE = 'was set by two answers, and neither request carried the value of the other; ';
const KEPT = 'both are kept for the server to merge';

/** Everything that one principal keeps (D-07): its drawers, and every way to change one. */
export class Jar {
  readonly principal: string;
  readonly drawers: Map<string, Drawer> = new Map();
  /** The number of items in each drawer that only the store has. */
  readonly itemsInStore: Map<string, number> = new Map();
  /** The jar's clock when the client stopped acting for this principal (D-05). Answers to earlier requests are not taken. */
  leftAt = 0;
  /** Clearings for every server, also for those that keep nothing yet. */
  readonly cleared: Clearings = new Clearings();
  readonly #shared: SharedByJars;
  #items = 0;

  constructor(principal: string, shared: SharedByJars) {
    this.principal = principal;
    this.#shared = shared;
  }

  open(server: string): Drawer {
    let drawer = this.drawers.get(server);
    if (drawer === undefined) this.drawers.set(server, (drawer = new Drawer(this.principal, server, this.#shared.limits)));
    return drawer;
  }

  /** Drops a drawer from memory; the store has all of it. */
  shut(drawer: Drawer): void {
    this.#items -= drawer.items;
    this.drawers.delete(drawer.server);
    if (drawer.items > 0) this.itemsInStore.set(drawer.server, drawer.items);
  }

  /**
   * Takes a value that an answer sets (STATE-05…07). `issued` is the time of its request, so it shows which values the request carried
   * (D-08).
   */
  arrive(drawer: Drawer, place: Place, name: string, value: Json, issued: number, volatile: boolean): void {
    const item = drawer.item(place, name);
    if (value === null && item === undefined) return; // STATE-05: nothing to delete
    const entry = this.#entry(name, value, issued);
    if (entry === undefined) {
      const old = item && !isTombstone(item) ? 'the old value stays' : 'it is not kept';
      return this.#shared.report(place, name, `takes more than ${this.#shared.limits.itemBytes} bytes or is nested too deep; ${old}`);
    }
    const keep = drawer.merges.has(name);
    const { entries, concurrent } = settle(item?.entries ?? [], entry, { carried: issued, keep, newest: this.#shared.newest });
    const stands = entries[entries.length - 1] === entry ? 'the last to arrive counts' : 'the one of the newer request counts';
    if (concurrent) this.#shared.report(place, name, TWICE + (keep ? KEPT : stands));
    if (entries !== item?.entries) this.write(drawer, place, name, entries, volatile);
  }

  /** Takes a value that the user sets. */
  edit(drawer: Drawer, place: Place, name: string, value: Json): void {
    if (value === null) return this.erase(drawer, place, name);
    const entry = this.#entry(name, value, this.#shared.tick());
    if (entry === undefined) throw new RangeError(`the item takes more than ${this.#shared.limits.itemBytes} bytes or is nested too deep`);
    this.write(drawer, place, name, [entry], drawer.shelves.get(place)?.volatile === true);
  }

  /** Deletes a name. If a store has it, a tombstone stays until the store has deleted it. */
  erase(drawer: Drawer, place: Place, name: string): void {
    if (drawer.item(place, name) === undefined) return;
    const volatile = drawer.shelves.get(place)?.volatile === true;
    const entry = this.#shared.touched && !volatile ? this.#entry(name, null, this.#shared.tick()) : undefined;
    if (entry) this.write(drawer, place, name, [entry], false);
    else this.#remove(drawer, place, name);
  }

  /** Drops a whole shelf from memory. The store is handled elsewhere. */
  discard(drawer: Drawer, place: Place): void {
    for (const name of [...(drawer.shelves.get(place)?.byName.keys() ?? [])]) this.#remove(drawer, place, name);
  }

  write(drawer: Drawer, place: Place, name: string, entries: readonly Entry[], volatile: boolean): void {
    const before = drawer.item(place, name);
    const item: Item = { entries, written: Date.now(), order: this.#shared.tick(), stored: before?.stored ?? 0 };
    const touched = volatile ? undefined : this.#shared.touched;
    if (before?.sent) item.sent = before.sent;
    if (touched) item.base = before?.base ?? before?.entries.map(({ id }) => id) ?? [];
    this.#put(drawer, place, name, item, volatile);
    touched?.(drawer);
  }

  /** Updates memory from the store: `row` is the store's row, or undefined if it has none. Another process may have written it, or this one. */
  adopt(drawer: Drawer, place: Place, name: string, row: StoreRow | undefined): void {
    const known = drawer.item(place, name);
    const body = row && readBody(row.body, name, known, () => this.#shared.tick());
    if (row && !body) this.#shared.report(place, name, 'could not be read from the store');
    const theirs = body?.entries ?? [];
    const stored = row?.revision ?? 0;
    if (known?.base === undefined) {
      if (body) this.#put(drawer, place, name, { ...body, order: this.#orderOf(drawer, body.written), stored });
      else if (known && !isTombstone(known)) this.#remove(drawer, place, name);
      return;
    }
    const keep = drawer.merges.has(name);
    const { entries, concurrent } = reconcile(known, theirs, keep);
    if (concurrent) this.#shared.report(place, name, TWICE + (keep ? KEPT : 'the last to arrive counts'));
    if (entries.length === 0) return this.#remove(drawer, place, name);
    const agreed = entries.length === theirs.length && entries.every(({ id }, at) => id === theirs[at]?.id);
    const base = agreed ? undefined : theirs.map(({ id }) => id);
    this.#put(drawer, place, name, { entries, written: known.written, order: known.order, stored, base });
    if (!agreed) this.#shared.touched?.(drawer);
  }

  /** A row that the store had before we asked is older than everything in memory. Such rows are ordered by their wall clock. */
  #orderOf(drawer: Drawer, written: number): number {
    return drawer.warm ? this.#shared.tick() : written - LONG_AGO;
  }

  #entry(name: string, value: Json, issued: number): Entry | undefined {
    const bytes = itemBytes(name, value, this.#shared.limits.itemBytes);
    if (bytes === undefined) return undefined;
    const revision = this.#shared.tick();
    return { value, bytes, issued, revision, id: this.#shared.entryId(revision) };
  }

  #put(drawer: Drawer, place: Place, name: string, item: Item, volatile = false): void {
    const before = drawer.items;
    const lost = drawer.write(place, name, item, volatile);
    this.#items += drawer.items - before;
    for (let n = 0; n < lost; n++) this.#shared.report(place, name, 'lost one of its concurrent values: there are too many of them');
    for (let toEvict = drawer.overflow(place, name); toEvict; toEvict = drawer.overflow(place, name))
      this.#evict(drawer, toEvict, 'this server keeps too much');
    this.fit();
    for (let surplus = drawer.surplusTombstone(); surplus; surplus = drawer.surplusTombstone()) drawer.remove(...surplus);
  }

  #remove(drawer: Drawer, place: Place, name: string): void {
    const before = drawer.items;
    drawer.remove(place, name);
    this.#items += drawer.items - before;
  }

  #evict(drawer: Drawer, [place, name]: readonly [Place, string], why: string): void {
    this.#shared.report(place, name, `was dropped: ${why}`);
    this.erase(drawer, place, name);
  }

  /** D-09: a full jar takes from the largest drawer, so that no server can push out another. */
  fit(): void {
    for (;;) {
      let items = this.#items;
      if (this.itemsInStore.size > 0) for (const more of this.itemsInStore.values()) items += more;
      if (items <= this.#shared.limits.jarItems) return;
      let largest: Drawer | undefined;
      for (const drawer of this.drawers.values()) if (!largest || weight(drawer) > weight(largest)) largest = drawer;
      for (const [server, more] of this.itemsInStore) if (more > (largest?.items ?? 0)) return this.#shared.load(this.open(server));
      const oldest = largest?.oldest();
      if (!largest || !oldest) return;
      this.#evict(largest, oldest, 'the jar is full, and this server keeps most');
    }
  }
}

/** The bytes are always below 2^32, so the item count decides first. */
function weight({ items, bytes }: Drawer): number {
  return items * 2 ** 32 + bytes;
}
