/**
 * Where a jar is kept. The jar decides, the store only keeps: rows of text under a drawer and a name, each with a revision that moves
 * with every change. Several jars may share one store, so a change says which revision it was made on (D-23); whoever was
 * overtaken gets the row as it stands and decides again. Names are arbitrary text, halves of surrogate pairs and NUL included.
 */
export interface StateStore {
  /**
   * For one that has to start first, a thread, a driver or a connection: settles when it can be asked. Looked at with the first request, which waits
   * for it, since it does not hang yet.
   */
  readonly starting?: PromiseLike<unknown> | undefined;
  load(drawer: DrawerName): Promise<Loaded>;
  /** Each drawer's changes at once or, where their epoch is over, not at all. Gives what became of them, in the same order. */
  save(batch: readonly DrawerChanges[]): Promise<readonly Saved[]>;
  /** Erases what is kept for a conversation in all drawers of the principal, and takes nothing for it any more: a conversation ends once. */
  end(principal: string, conversation: string): Promise<void>;
  drawers(principal: string): Promise<readonly DrawerSize[]>;
  principals(): Promise<readonly string[]>;
  /** Tells of what others change from now on, until the function it returns is called. */
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

export interface RowName {
  /** The conversation; `null` for the server's own scope. */
  readonly place: string | null;
  readonly name: string;
}

export interface Row extends RowName {
  /** Never used twice within an epoch, so that a row which went and came back is not taken for the old one. */
  readonly revision: number;
  readonly body: string;
}

export interface Change extends RowName {
  /** The revision it was made on; 0: there was none. */
  readonly expected: number;
  /** `undefined` deletes. */
  readonly body: string | undefined;
}

export interface Loaded {
  /**
   * Another one when the store has lost what it kept: a file set aside, a cache restarted. What a jar still has is then written anew.
   * `undefined` while nothing was ever kept for the principal.
   */
  readonly epoch: string | undefined;
  readonly rows: readonly Row[];
}

export interface DrawerChanges extends DrawerName {
  /** The epoch the revisions belong to; `undefined` where the jar knows none yet. */
  readonly epoch: string | undefined;
  readonly changes: readonly Change[];
}

export interface Saved {
  readonly epoch: string | undefined;
  /** For each change; `undefined` as a whole where the epoch was another one. */
  readonly outcomes: readonly Outcome[] | undefined;
}

/** The new revision (0 once deleted); or the row as it stands instead of the one expected; or the conversation is over. */
export type Outcome = { readonly revision: number } | { readonly found: Row | undefined } | { readonly ended: true };

export interface StoreWatcher {
  /** Somebody else changed this drawer; without one: it is not known which. */
  changed(drawer: DrawerName | undefined): void;
  /** Somebody else ended this conversation. */
  ended(principal: string, conversation: string): void;
  /** Something happened that the user should know: a sentence. */
  problem(text: string): void;
}

const METHODS: readonly (keyof StateStore)[] = ['load', 'save', 'end', 'drawers', 'principals', 'watch', 'close'];

/** A path, or a function that was not called, would otherwise show when the first request is under way. */
export function checkStore(store: unknown, path: string): void {
  const given = typeof store === 'object' && store !== null ? (store as Partial<StateStore>) : undefined;
  if (given === undefined) throw new TypeError(`${path}: expected a store, such as sqliteStore(file)`);
  const missing = METHODS.find((method) => typeof given[method] !== 'function');
  if (missing !== undefined) throw new TypeError(`${path}: expected a store; this has no method ${missing}`);
  // Not by asking for it: that may start it.
  const starting = Object.getOwnPropertyDescriptor(given, 'starting')?.value as Partial<Promise<unknown>> | null | undefined;
  if (starting !== undefined && typeof starting?.then !== 'function')
    throw new TypeError(`${path}: expected a store; its member starting is not a promise`);
}

/** The same store; where it throws at once, it has failed like one that rejects. */
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
