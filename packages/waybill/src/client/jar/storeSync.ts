import type { Report } from '../../wire/issue.js';
import type { Drawer, Place } from './drawer.js';
import { StoreReader } from './storeReader.js';
import { StoreWriter } from './storeWriter.js';
import { within } from './timeouts.js';
import { rejecting, type DrawerSize, type StoreRow, type StateStore, type StoreWatcher } from './store.js';

/** The part of the jar that the store's side calls: only the jar knows how to change a drawer. */
export interface SyncedJar {
  drawer(principal: string, server: string): Drawer | undefined;
  /** Iterates over all drawers in memory, or those of one principal. */
  drawers(principal?: string): Iterable<Drawer>;
  /** Called with the row that the store has for the name, or none. */
  adopt(drawer: Drawer, place: Place, name: string, row: StoreRow | undefined): void;
  loaded(drawer: Drawer): void;
  endedElsewhere(principal: string, conversation: string): void;
}

interface SyncOptions {
  /** D-23: a store that takes longer has failed. */
  readonly storeTimeout: number;
  /** The time a request waits for a drawer that is not in memory yet. */
  readonly patience: number;
  readonly report: Report;
}

/** Limits the rounds of writing at close: changes may arrive while earlier ones are written. */
const MAX_ROUNDS = 8;

/** Synchronises a jar with its store: reads a drawer when it is first needed, writes changes, and takes changes of others. */
export class StoreSync {
  readonly store: StateStore;
  readonly jar: SyncedJar;
  readonly options: SyncOptions;
  readonly #reader: StoreReader;
  readonly #writer: StoreWriter;
  readonly #epochs = new Map<string, string>();
  #unwatch: (() => void) | undefined;

  constructor(store: StateStore, jar: SyncedJar, options: SyncOptions) {
    this.store = rejecting(store);
    this.jar = jar;
    this.options = options;
    this.#reader = new StoreReader(this);
    this.#writer = new StoreWriter(this);
  }

  /** Returns `undefined` for a drawer in memory; otherwise a promise that a request may wait for. It never rejects and never takes long. */
  ready(drawer: Drawer): Promise<void> | undefined {
    return drawer.warm ? undefined : this.#reader.ready(drawer);
  }

  /** Loads a drawer, however long it takes; rejects if the store fails. */
  load(drawer: Drawer): Promise<void> {
    return this.#reader.load(drawer);
  }

  drawers(principal: string): Promise<readonly DrawerSize[]> {
    this.watch();
    return within(this.store.drawers(principal), this.options.storeTimeout);
  }

  principals(): Promise<readonly string[]> {
    this.watch();
    return within(this.store.principals(), this.options.storeTimeout);
  }

  touched(drawer: Drawer): void {
    this.#writer.touched(drawer);
  }

  end(principal: string, conversation: string): Promise<void> {
    return this.#writer.end(principal, conversation);
  }

  /** D-23: once it resolves, the store has everything that was in memory at the call. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** If both writing and closing fail, the reason of the failed write is thrown. */
  async close(): Promise<void> {
    try {
      // Changes that arrive meanwhile are written too, but not for ever.
      for (let round = 0; round === 0 || (round < MAX_ROUNDS && !this.#writer.isDone); round++) await this.flush();
    } catch (error) {
      await this.#shut().catch(() => undefined);
      throw error;
    }
    await this.#shut();
  }

  #shut(): Promise<void> {
    this.#unwatch?.();
    this.#writer.stop();
    return within(this.store.close(), this.options.storeTimeout);
  }

  epoch(principal: string): string | undefined {
    return this.#epochs.get(principal);
  }

  /** Writes everything in memory again if the store has lost its rows (its epoch is another one). */
  enter(principal: string, epoch: string | undefined): void {
    const known = this.#epochs.get(principal);
    if (epoch === undefined) this.#epochs.delete(principal);
    else this.#epochs.set(principal, epoch);
    if (known === undefined || known === epoch) return;
    this.problem('has lost its rows; what is in memory is written again');
    for (const drawer of this.jar.drawers(principal)) {
      drawer.warm = false;
      for (const shelf of drawer.shelves.values()) {
        if (shelf.volatile) continue;
        for (const item of shelf.byName.values()) [item.stored, item.base] = [0, []];
      }
      this.touched(drawer);
    }
  }

  /** Starts with the first read to watch for changes of others and for events of the store, such as a corrupt file that was moved aside. */
  watch(): void {
    if (this.#unwatch !== undefined) return;
    this.#unwatch = () => undefined; // Set even if watch() fails, so that the failure is reported once.
    try {
      this.#unwatch = this.store.watch(this.#watcher());
    } catch (error) {
      this.fault('does not report changes of others', error);
    }
  }

  #watcher(): StoreWatcher {
    return {
      changed: (name) => {
        if (name !== undefined) {
          const drawer = this.jar.drawer(name.principal, name.server);
          if (drawer !== undefined) this.#reader.changed(drawer);
          return;
        }
        // The changed drawer is not known, so each is read again when it is next needed.
        for (const drawer of this.jar.drawers()) {
          this.#reader.outdate(drawer);
          drawer.warm = false;
        }
      },
      ended: (principal, conversation) => {
        this.jar.endedElsewhere(principal, conversation);
      },
      problem: (text) => {
        this.problem(text);
      },
    };
  }

  fault(problem: string, error: unknown): void {
    this.problem(`${problem}: ${error instanceof Error ? error.message : String(error)}`);
  }

  problem(problem: string): void {
    this.options.report({ concern: 'state', key: 'store', problem });
  }
}
