// D-23
/**
 * Keeps the rows of a jar. The jar decides, the store only keeps: rows of text under a drawer and a name, each with a revision that grows
 * with every change. Several jars may share one store, so a change names the revision it is based on. If another jar was faster, the
 * store returns the current row and the jar decides again. Names are arbitrary text, also halves of surrogate pairs and NUL.
 */
export interface StateStore {
  /**
   * For a store that has to start a thread, a driver or a connection: settles when it is ready. Read with the first request, which waits
   * for it.
   */
  readonly starting?: PromiseLike<unknown> | undefined;
  load(drawer: DrawerName): Promise<StoreLoaded>;
  /** Saves the changes of each drawer together, or none of them if their epoch is over. Returns the outcomes in the same order. */
  save(batch: readonly DrawerChanges[]): Promise<readonly StoreSaved[]>;
  /** Erases the state of a conversation in all drawers of the principal, and takes none for it from now on: a conversation ends once. */
  end(principal: string, conversation: string): Promise<void>;
  drawers(principal: string): Promise<readonly DrawerSize[]>;
  principals(): Promise<readonly string[]>;
  /** Calls the watcher for changes of others from now on. Returns how to stop. */
  watch(watcher: StoreWatcher): () => void;
  close(): Promise<void>;
}

export interface DrawerName {
  readonly principal: string;
  readonly server: string;
}

export interface DrawerSize {
  readonly server: string;
  readonly items: number;
}

export interface StoreRowName {
  /** The id of a conversation; `null` for the server scope. */
  readonly place: string | null;
  readonly name: string;
}

export interface StoreRow extends StoreRowName {
  /** Never used twice within an epoch, so that a row that was deleted and written again is not taken for the old one. */
  readonly revision: number;
  readonly body: string;
}

export interface StoreChange extends StoreRowName {
  /** The revision that the change is based on; 0: there was no row. */
  readonly expected: number;
  /** `undefined` deletes. */
  readonly body: string | undefined;
}

export interface StoreLoaded {
  /**
   * Changes when the store has lost its rows: a file was moved aside, a cache restarted. The jar then writes again what it still has.
   * `undefined` while nothing was ever kept for the principal.
   */
  readonly epoch: string | undefined;
  readonly rows: readonly StoreRow[];
}

export interface DrawerChanges extends DrawerName {
  /** The epoch of the revisions; `undefined` if the jar knows none yet. */
  readonly epoch: string | undefined;
  readonly changes: readonly StoreChange[];
}

export interface StoreSaved {
  readonly epoch: string | undefined;
  /** One outcome for each change; `undefined` if the epoch was another one. */
  readonly outcomes: readonly StoreOutcome[] | undefined;
}

/** The new revision (0 after a deletion); or the current row, if it is not the expected one; or the conversation has ended. */
export type StoreOutcome = { readonly revision: number } | { readonly found: StoreRow | undefined } | { readonly ended: true };

export interface StoreWatcher {
  /** Another process changed this drawer. `undefined`: it is not known which. */
  changed(drawer: DrawerName | undefined): void;
  /** Another process ended this conversation. */
  ended(principal: string, conversation: string): void;
  /** Reports an event that the user should know, as a sentence. */
  problem(text: string): void;
}

const METHODS: readonly (keyof StateStore)[] = ['load', 'save', 'end', 'drawers', 'principals', 'watch', 'close'];

/** Without this check a path, or a function that was not called, would fail only with the first request. */
export function checkStore(store: unknown, path: string): void {
  if (store === undefined) return;
  const given = typeof store === 'object' && store !== null ? (store as Partial<StateStore>) : undefined;
  if (given === undefined) throw new TypeError(`${path}: expected a store, such as sqliteStore(file)`);
  const missing = METHODS.find((method) => typeof given[method] !== 'function');
  if (missing !== undefined) throw new TypeError(`${path}: expected a store; the method ${missing} is missing`);
  // Read without a call of the getter: that may start the store.
  const starting = Object.getOwnPropertyDescriptor(given, 'starting')?.value as Partial<Promise<unknown>> | null | undefined;
  if (starting !== undefined && typeof starting?.then !== 'function')
    throw new TypeError(`${path}: expected a store; the member starting must be a promise`);
}

/** Makes a method that throws at once reject instead. */
export function rejecting(store: StateStore): StateStore {
  return {
    load: async (drawer) => store.load(drawer),
    save: async (batch) => store.save(batch),
    end: async (principal, conversation) => store.end(principal, conversation),
    drawers: async (principal) => store.drawers(principal),
    principals: async () => store.principals(),
    watch: (watcher) => store.watch(watcher),
    close: async () => store.close(),
    get starting() {
      return store.starting;
    },
  };
}
