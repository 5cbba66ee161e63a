import type { Drawer, Place } from './drawer.js';
import type { StoreSync } from './storeSync.js';
import { writeBody } from './storedItem.js';
import type { Item } from './item.js';
import type { Change, Outcome, Saved } from './store.js';
import { timer, within, type Timer } from './timeouts.js';

/** D-23: what is in memory reaches the store well within 50 ms, and changes of one moment go together. */
const GATHER = 2;
const FIRST_RETRY = 50;
const LAST_RETRY = 2_000;

/** What went to the store of one drawer, to be compared with what the drawer holds when the answer comes. */
interface Sent {
  readonly drawer: Drawer;
  readonly items: readonly (readonly [place: Place, name: string, item: Item])[];
}

/** Brings what changed into the store: everything that waits, in one go, one go at a time. */
export class StoreWriter {
  readonly #sync: StoreSync;
  readonly #dirty = new Set<Drawer>();
  readonly #ending = new Map<string, readonly [principal: string, conversation: string]>();
  /** Gives the drawers that lack something of what was sent. */
  #saving: Promise<ReadonlySet<Drawer>> | undefined;
  #next: Timer | undefined;
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

  /** What there was when it was called; what changes meanwhile, and there may be no end of it, is not waited for. */
  async flush(): Promise<void> {
    const ending = [...this.#ending.keys()];
    const dirty = [...this.#dirty];
    // What is under way left before, or took some of it along.
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
    this.#next?.cancel();
    this.#next = undefined;
  }

  #soon(wait: number): void {
    if (this.#next || this.#saving) return;
    // A process may end while a store is away; it may not end on a change that has not been tried once.
    this.#next = timer(wait, this.#failures > 0, () => {
      this.#next = undefined;
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
      // Only now: what changed while a conversation was being ended goes, too.
      drawers = [...this.#dirty];
      this.#dirty.clear();
      const sent = drawers.map(gather).filter(({ items }) => items.length > 0);
      for (const { items } of sent) for (const [, , item] of items) item.sent = sending(item);
      if (sent.length > 0) {
        const saved = await within(store.save(sent.map((one) => this.#request(one))), options.storeTimeout);
        sent.forEach((one, at) => {
          if (!this.#saved(one, saved[at] as Saved)) left.add(one.drawer);
        });
      }
      if (this.#failures > 0) this.#sync.problem('is back, and has what was in memory');
      this.#failures = 0;
      return left;
    } catch (error) {
      for (const drawer of drawers) this.#dirty.add(drawer);
      if (this.#failures++ === 0) this.#sync.fault('could not be written; what it lacks stays in memory', error);
      throw new Error('the state store could not be written', { cause: error });
    }
  }

  #request({ drawer, items }: Sent): Parameters<StoreSync['store']['save']>[0][number] {
    const { principal, server } = drawer;
    const changes = items.map(([place, name, item]): Change => ({ place, name, expected: item.stored, body: writeBody(item) }));
    return { principal, server, epoch: this.#sync.epoch(principal), changes };
  }

  /** `false` where the store still lacks something of what was sent: somebody else was quicker. */
  #saved({ drawer, items }: Sent, { epoch, outcomes }: Saved): boolean {
    const { jar } = this.#sync;
    this.#sync.enter(drawer.principal, epoch);
    let isWhole = outcomes !== undefined;
    items.forEach(([place, name, item], at) => {
      const outcome: Outcome | undefined = outcomes?.[at];
      if (outcome === undefined) isWhole = false;
      else if ('ended' in outcome) jar.endedElsewhere(drawer.principal, place ?? '');
      else if ('found' in outcome) {
        jar.adopt(drawer, place, name, outcome.found);
        isWhole &&= drawer.item(place, name)?.base === undefined;
      } else landed(drawer.item(place, name), item, outcome.revision);
    });
    if (!isWhole || gather(drawer).items.length > 0) this.#dirty.add(drawer);
    return isWhole;
  }
}

/** The store has what was sent. What the item became meanwhile, it lacks. */
function landed(current: Item | undefined, sent: Item, revision: number): void {
  if (current === undefined) return;
  current.stored = revision;
  current.sent = undefined;
  current.base = current === sent ? undefined : sent.entries.map(({ id }) => id);
}

/** A store that is away for long is sent ever new values; of those it never answered for, the last few. */
const MAX_SENT = 32;

function sending({ sent = [], entries }: Item): readonly string[] {
  const ids = entries.map(({ id }) => id);
  return [...sent.filter((id) => !ids.includes(id)), ...ids].slice(-MAX_SENT);
}

function gather(drawer: Drawer): Sent {
  const items: [Place, string, Item][] = [];
  for (const { place, byName: all, volatile } of drawer.shelves.values()) {
    if (volatile) continue;
    for (const [name, item] of all) if (item.base !== undefined) items.push([place, name, item]);
  }
  return { drawer, items };
}
