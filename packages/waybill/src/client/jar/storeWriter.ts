import { startIdleTimer, startTimer } from '../../transport/index.js';
import type { Drawer, Place } from './drawer.js';
import type { StoreSync } from './storeSync.js';
import { writeBody, type Item } from './item.js';
import type { DrawerChanges, StoreChange, StoreOutcome, StoreSaved } from './store.js';
import { FIRST_RETRY, LAST_RETRY, within } from './timeouts.js';

/** Milliseconds. D-23: changes reach the store well within 50 ms, and changes of one moment go together. */
const GATHER = 2;

/** The items of one drawer that the store lacks, to compare with the drawer when its answer comes. */
interface Unsaved {
  readonly drawer: Drawer;
  readonly items: readonly (readonly [place: Place, name: string, item: Item])[];
}

/** Writes changes to the store: everything that waits in one save, and one save at a time. */
export class StoreWriter {
  readonly #sync: StoreSync;
  readonly #dirty = new Set<Drawer>();
  readonly #ending = new Map<string, readonly [principal: string, conversation: string]>();
  /** Resolves to the drawers that still lack something of what was sent. */
  #saving: Promise<ReadonlySet<Drawer>> | undefined;
  #cancelNext: (() => void) | undefined;
  #failures = 0;

  constructor(sync: StoreSync) {
    this.#sync = sync;
  }

  touched(drawer: Drawer): void {
    this.#dirty.add(drawer);
    if (this.#failures === 0) this.#soon(GATHER);
  }

  end(principal: string, conversation: string): Promise<void> {
    this.#ending.set(JSON.stringify([principal, conversation]), [principal, conversation]);
    return this.flush();
  }

  get isDone(): boolean {
    return this.#dirty.size === 0 && this.#ending.size === 0 && this.#saving === undefined;
  }

  /** Writes what had changed before the call. It does not wait for later changes, which may never stop. */
  async flush(): Promise<void> {
    const ending = [...this.#ending.keys()];
    const dirty = [...this.#dirty];
    // The save under way began earlier, or contains some of the changes.
    let wanted = new Set([...((await this.#saving) ?? []), ...dirty]);
    while (wanted.size > 0 || ending.some((key) => this.#ending.has(key))) {
      const left = await (this.#saving ?? this.#begin());
      wanted = new Set([...left].filter((drawer) => wanted.has(drawer)));
    }
  }

  #begin(): Promise<ReadonlySet<Drawer>> {
    return (this.#saving = this.#save().finally(() => {
      this.#saving = undefined;
      if (this.#failures > 0) this.#soon(Math.min(FIRST_RETRY * 2 ** this.#failures, LAST_RETRY));
      else if (this.#dirty.size > 0) this.#soon(GATHER);
    }));
  }

  stop(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }

  #soon(wait: number): void {
    if (this.#cancelNext || this.#saving) return;
    // The process may end while a store is unreachable, but not before a change was tried once.
    this.#cancelNext = (this.#failures > 0 ? startIdleTimer : startTimer)(wait, () => {
      this.#cancelNext = undefined;
      this.flush().catch(() => undefined);
    });
  }

  async #save(): Promise<ReadonlySet<Drawer>> {
    this.stop();
    const left = new Set<Drawer>();
    let drawers: readonly Drawer[] = [];
    const { store, options } = this.#sync;
    try {
      for (const [key, [principal, conversation]] of this.#ending) {
        await within(store.end(principal, conversation), options.storeTimeout);
        this.#ending.delete(key);
      }
      // Read only now, so that changes during `end` are written too.
      drawers = [...this.#dirty];
      this.#dirty.clear();
      const sent = drawers.map(gather).filter(({ items }) => items.length > 0);
      for (const { items } of sent) for (const [, , item] of items) item.sent = sending(item);
      if (sent.length > 0) {
        const saved = await within(store.save(sent.map((one) => this.#request(one))), options.storeTimeout);
        sent.forEach((one, at) => {
          if (!this.#saved(one, saved[at] as StoreSaved)) left.add(one.drawer);
        });
      }
      if (this.#failures > 0) this.#sync.problem('is back, and has what was in memory');
      this.#failures = 0;
      return left;
    } catch (error) {
      for (const drawer of drawers) this.#dirty.add(drawer);
      if (this.#failures++ === 0) this.#sync.fault('could not be written; its changes stay in memory', error);
      throw new Error('the state store could not be written', { cause: error });
    }
  }

  #request({ drawer, items }: Unsaved): DrawerChanges {
    const { principal, server } = drawer;
    const changes = items.map(([place, name, item]): StoreChange => ({ place, name, expected: item.stored, body: writeBody(item) }));
    return { principal, server, epoch: this.#sync.epoch(principal), changes };
  }

  /** Returns `false` if the store still lacks something of what was sent, because another process was faster. */
  #saved({ drawer, items }: Unsaved, { epoch, outcomes }: StoreSaved): boolean {
    const { jar } = this.#sync;
    this.#sync.enter(drawer.principal, epoch);
    let isWhole = outcomes !== undefined;
    items.forEach(([place, name, item], at) => {
      const outcome: StoreOutcome | undefined = outcomes?.[at];
      if (outcome === undefined) isWhole = false;
      else if ('ended' in outcome) jar.endedElsewhere(drawer.principal, place ?? '');
      else if ('found' in outcome) {
        jar.adopt(drawer, place, name, outcome.found);
        isWhole &&= drawer.item(place, name)?.base === undefined;
      } else landed(drawer.item(place, name), item, outcome.revision);
    });
    // A read during the save may have agreed on a newer row than the saved one. A further save finds that row.
    if (!isWhole || gather(drawer).items.length > 0) this.#dirty.add(drawer);
    return isWhole;
  }
}

/** Marks an item as stored. Changes since then still have to be written. */
function landed(current: Item | undefined, sent: Item, revision: number): void {
  if (current === undefined) return;
  current.stored = revision;
  current.sent = undefined;
  current.base = current === sent ? undefined : sent.entries.map(({ id }) => id);
}

/** A store that is unreachable for long is sent more and more values; only the last ones without an answer are remembered. */
const MAX_SENT = 32;

function sending({ sent = [], entries }: Item): readonly string[] {
  const ids = entries.map(({ id }) => id);
  return [...sent.filter((id) => !ids.includes(id)), ...ids].slice(-MAX_SENT);
}

function gather(drawer: Drawer): Unsaved {
  const items: [Place, string, Item][] = [];
  for (const { place, byName, volatile } of drawer.shelves.values()) {
    if (volatile) continue;
    for (const [name, item] of byName) if (item.base !== undefined) items.push([place, name, item]);
  }
  return { drawer, items };
}
