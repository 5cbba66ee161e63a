import type { Drawer } from './drawer.js';
import type { StoreSync } from './storeSync.js';
import type { StoreLoaded } from './store.js';
import { atMost, FIRST_RETRY, LAST_RETRY, within } from './timeouts.js';

/** Milliseconds. A thread or a connection starts in about a tenth of a second; on a busy machine or a lost disk it takes longer. */
const LONGEST_START = 2_000;

interface Loading {
  /** Rejects if the store fails. */
  readonly done: Promise<void>;
  /** True once the first requests have waited long enough: no request waits any more. */
  late: boolean;
  /** True once the drawer was changed during loading: the loaded rows may be older than the change. */
  outdated: boolean;
}

/** Loads drawers into memory. */
export class StoreReader {
  readonly #sync: StoreSync;
  readonly #loading = new Map<Drawer, Loading>();
  /** Drawers that could not be read, and when to try again. */
  readonly #failed = new WeakMap<Drawer, { readonly until: number; readonly wait: number }>();
  /** Settles when the store has started or its time is over; `undefined` before the first request. */
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
      // A problem of the store shows when it is read.
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
      this.#sync.problem('did not answer in time; requests go on without its state');
    });
  }

  load(drawer: Drawer): Promise<void> {
    return drawer.warm ? Promise.resolve() : this.#load(drawer).done;
  }

  /** Another process changed the drawer: it is read again if it is in memory, or if it is being read. */
  changed(drawer: Drawer): void {
    if (!this.outdate(drawer) && drawer.warm) this.#refresh(drawer);
  }

  /** Marks the current loading as outdated; returns `false` if the drawer is not being loaded. */
  outdate(drawer: Drawer): boolean {
    const loading = this.#loading.get(drawer);
    if (loading !== undefined) loading.outdated = true;
    return loading !== undefined;
  }

  /** Requests go on with what is in memory until the drawer has been read again. */
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
        this.#sync.fault('could not be read; requests go on without its state', error);
        throw new Error('the state store could not be read', { cause: error });
      },
    );
    done.catch(() => undefined);
    const loading: Loading = { done, late: false, outdated: false };
    this.#loading.set(drawer, loading);
    return loading;
  }

  #take(drawer: Drawer, { epoch, rows }: StoreLoaded): void {
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
