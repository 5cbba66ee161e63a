import type { Drawer } from './drawer.js';
import type { StoreSync } from './storeSync.js';
import type { Loaded } from './store.js';
import { atMost, within } from './timeouts.js';

const FIRST_RETRY = 50;
const LAST_RETRY = 2_000;
/** A thread starts in a tenth of a second, a connection too; on a machine that is busy, or a disk that is gone, it may take longer. */
const LONGEST_START = 2_000;

interface Loading {
  /** Rejects where the store fails. */
  readonly done: Promise<void>;
  /** The first requests have waited long enough: nobody waits any more. */
  late: boolean;
  /** Somebody changed the drawer meanwhile: what is being read may be from before. */
  outdated: boolean;
}

/** Brings drawers into memory. */
export class StoreReader {
  readonly #sync: StoreSync;
  readonly #loading = new Map<Drawer, Loading>();
  /** Drawers that could not be read, and when it is worth another try. */
  readonly #failed = new WeakMap<Drawer, { readonly until: number; readonly wait: number }>();

  /** Until the store has started, or has taken too long for it; `undefined` before anybody has asked for anything. */
  #starting: Promise<void> | 'over' | undefined;

  constructor(sync: StoreSync) {
    this.#sync = sync;
  }

  ready(drawer: Drawer): Promise<void> | undefined {
    const failed = this.#failed.get(drawer);
    if (failed !== undefined && performance.now() < failed.until) return undefined;
    const starting = (this.#starting ??= this.#start());
    const loading = this.#load(drawer);
    if (loading.late) return undefined;
    return starting === 'over' ? this.#wait(loading) : starting.then(() => this.#wait(loading));
  }

  #start(): Promise<void> | 'over' {
    const { store, options } = this.#sync;
    let starting: PromiseLike<unknown> | undefined;
    try {
      ({ starting } = store);
    } catch {
      // What is wrong with it shows when it is read.
    }
    if (starting === undefined) return 'over';
    return atMost(Promise.resolve(starting), Math.min(LONGEST_START, options.storeTimeout), () => undefined).then(() => {
      this.#starting = 'over';
    });
  }

  #wait(loading: Loading): Promise<void> {
    return atMost(loading.done, this.#sync.options.patience, () => {
      if (loading.late) return;
      loading.late = true;
      this.#sync.problem('did not answer in time; requests go on without what it keeps');
    });
  }

  load(drawer: Drawer): Promise<void> {
    return drawer.warm ? Promise.resolve() : this.#load(drawer).done;
  }

  /** Somebody else changed it: it is read again if it is in memory, and once more if it is being read. */
  changed(drawer: Drawer): void {
    if (!this.outdate(drawer) && drawer.warm) this.#refresh(drawer);
  }

  /** What is being read is not the last word; `false` where nothing is. */
  outdate(drawer: Drawer): boolean {
    const loading = this.#loading.get(drawer);
    if (loading !== undefined) loading.outdated = true;
    return loading !== undefined;
  }

  /** Meanwhile requests go on with what is in memory: what others wrote is unknown here for as long as their message and this reading take. */
  #refresh(drawer: Drawer): void {
    this.#load(drawer).done.catch(() => {
      drawer.warm = false;
    });
  }

  #load(drawer: Drawer): Loading {
    const under = this.#loading.get(drawer);
    if (under !== undefined) return under;
    this.#sync.watch();
    const { store, options } = this.#sync;
    const done = within(store.load(drawer), options.storeTimeout).then(
      (loaded) => {
        this.#loading.delete(drawer);
        this.#failed.delete(drawer);
        this.#take(drawer, loaded);
        if (loading.outdated) this.#refresh(drawer);
      },
      (error: unknown) => {
        this.#loading.delete(drawer);
        const wait = Math.min((this.#failed.get(drawer)?.wait ?? FIRST_RETRY) * 2, LAST_RETRY);
        this.#failed.set(drawer, { until: performance.now() + wait, wait });
        this.#sync.fault('could not be read; requests go on without what it keeps', error);
        throw new Error('the state store could not be read', { cause: error });
      },
    );
    done.catch(() => undefined);
    const loading: Loading = { done, late: false, outdated: false };
    this.#loading.set(drawer, loading);
    return loading;
  }

  #take(drawer: Drawer, { epoch, rows }: Loaded): void {
    const { jar } = this.#sync;
    this.#sync.enter(drawer.principal, epoch);
    const found = new Set<string>();
    for (const row of rows) {
      found.add(JSON.stringify([row.place, row.name]));
      if (drawer.item(row.place, row.name)?.stored !== row.revision) jar.adopt(drawer, row.place, row.name, row);
    }
    for (const { place, byName, volatile } of [...drawer.shelves.values()]) {
      if (volatile) continue;
      for (const [name, item] of [...byName])
        if (item.stored > 0 && !found.has(JSON.stringify([place, name]))) jar.adopt(drawer, place, name, undefined);
    }
    drawer.warm = true;
    jar.loaded(drawer);
  }
}
