import { ignore, type Report } from '../../wire/issue.js';
import { andThen } from '../../wire/maybe.js';
import { label, type StateChanges, type StateScope, type StateValues } from '../../wire/state.js';
import { Conversations, type JarConversation } from './conversations.js';
import { NO_NAMES, type Drawer, type Place } from './drawer.js';
import { Jar, type SharedByJars } from './jar.js';
import type { JarOptions } from './open.js';
import { StoreSync, type SyncedJar } from './storeSync.js';
import { DEFAULT_JAR_LIMITS } from './limits.js';
import type { StoreRow } from './store.js';
import { within } from './timeouts.js';

type StorageOptions = Pick<JarOptions, 'store' | 'limits' | 'durability' | 'storeTimeout' | 'concurrent'>;

/** The request that an answer belongs to, and what that request carried. */
export interface StateTicket {
  readonly principal: string;
  readonly server: string;
  readonly conversation: JarConversation | undefined;
  /** The jar's clock when the request left: it carried everything that had arrived by then (D-08). */
  readonly issued: number;
}

export interface StateToSend {
  readonly values: StateValues;
  readonly ticket: StateTicket;
}

/** D-23: a request waits no longer than 50 ms for a drawer that is not in memory. The timer itself may be late, so this is less. */
const PATIENCE = 40;
const STORE_TIMEOUT = 5_000;
/** With a store, memory holds only the drawers in use. */
const MAX_DRAWERS = 10_000;
/** The number of names of one answer that are reported; the rest is counted, because a server chooses how many names it sets. */
const MAX_TOLD = 64;

/** The jars of all principals of a client (STATE-40). Memory decides at once; the store follows (D-23). */
export class Jars implements SyncedJar {
  readonly sync: StoreSync | undefined;
  readonly #jars = new Map<string, Jar>();
  readonly conversations: Conversations = new Conversations(this, () => this.#shared.tick());
  readonly #shared: SharedByJars;
  readonly #strict: boolean;
  readonly #report: Report;
  #clock = 0;
  #drawers = 0;
  /** The number of names reported for the current answer. */
  #told: number | undefined;

  constructor(options: StorageOptions = {}, report: Report = ignore) {
    const { storeTimeout = STORE_TIMEOUT, durability = 'relaxed', concurrent = 'last-arrival', store } = options;
    this.#strict = durability === 'strict';
    this.#report = report;
    const patience = this.#strict ? storeTimeout : PATIENCE;
    const sync = store && new StoreSync(store, this, { storeTimeout, patience, report });
    this.sync = sync;
    const origin = globalThis.crypto.randomUUID();
    this.#shared = {
      limits: { ...DEFAULT_JAR_LIMITS, ...options.limits },
      newest: concurrent === 'newest-request',
      tick: () => ++this.#clock,
      // Only other processes on the same store need the id.
      entryId: sync ? (revision) => `${origin}.${revision.toString(36)}` : () => '',
      report: (place, name, problem) => {
        if (this.#told !== undefined && ++this.#told > MAX_TOLD) return;
        report({ concern: 'state', key: `${place === null ? 'server' : 'session'}.${label(name)}`, problem });
      },
      touched: sync && ((drawer) => sync.touched(drawer)),
      load: (drawer) => void sync?.load(drawer).catch(() => undefined),
    };
  }

  /**
   * Returns what a request carries (STATE-08), and the ticket that its answer brings back. Waits only for a drawer that is not in memory.
   */
  carry(principal: string, server: string, conversation: JarConversation | undefined): StateToSend | Promise<StateToSend> {
    return andThen(this.sync?.ready(this.open(principal, server)), () => this.#carried(principal, server, conversation));
  }

  /** Returns what a request would carry now. Changes nothing, but may read the store. */
  async peek(principal: string, server: string, conversation: string | null): Promise<StateValues> {
    await this.sync?.ready(this.open(principal, server));
    return this.drawer(principal, server)?.values(conversation) ?? {};
  }

  #carried(principal: string, server: string, conversation: JarConversation | undefined): StateToSend {
    const place = conversation && !this.conversations.isEnded(conversation) ? conversation.id : null;
    const values = this.drawer(principal, server)?.values(place) ?? {};
    return { values, ticket: { principal, server, conversation, issued: ++this.#clock } };
  }

  /**
   * Keeps what an answer set. Under `strict` returns a promise that resolves when the store has it or its time is over; it never rejects.
   */
  apply(ticket: StateTicket, changes: StateChanges, merges: ReadonlySet<string> = NO_NAMES): Promise<void> | undefined {
    const { principal, server, conversation, issued } = ticket;
    const drawer = this.open(principal, server);
    drawer.merges = merges;
    this.#told = 0;
    for (const scope of ['session', 'server'] as const) {
      const names = changes[scope];
      if (names === undefined) continue;
      const refused = this.#refused(drawer, scope, ticket);
      if (refused !== undefined) {
        this.#report({ concern: 'state', key: scope, problem: refused });
        continue;
      }
      const place = scope === 'session' && conversation ? conversation.id : null;
      for (const [name, value] of names)
        this.jar(principal).arrive(drawer, place, name, value, issued, place !== null && conversation?.volatile === true);
    }
    if (this.#told > MAX_TOLD)
      this.#report({
        concern: 'state',
        key: 'state',
        problem: `${this.#told - MAX_TOLD} more values of one answer were dropped or changed`,
      });
    this.#told = undefined;
    const { sync } = this;
    if (sync === undefined || !this.#strict) return undefined;
    return within(sync.flush(), sync.options.storeTimeout).catch((error: unknown) => {
      sync.fault('did not save what an answer set in time; it stays in memory', error);
    });
  }

  #refused(drawer: Drawer, scope: StateScope, { conversation, issued }: StateTicket): string | undefined {
    if (scope === 'session') {
      if (conversation === undefined) return 'was set on a request without a conversation';
      if (this.conversations.isEnded(conversation)) return 'was set for a conversation that has ended';
    }
    const jar = this.jar(drawer.principal);
    if (issued < jar.leftAt) return 'was set for a principal that the client no longer acts for';
    const place = scope === 'session' && conversation ? conversation.id : null;
    const isCleared = jar.cleared.has(scope, place, issued) || drawer.cleared.has(scope, place, issued);
    return isCleared ? 'was set in answer to a request from before it was cleared' : undefined;
  }

  /** D-05: the client now acts for another principal. Answers that are still under way for this one are dropped. */
  leavePrincipal(principal: string): void {
    this.jar(principal).leftAt = ++this.#clock;
  }

  /** From now on answers to requests that have already left set nothing: for one drawer, or for a whole jar. */
  dropAnswersUnderWay({ cleared }: Drawer | Jar, scope: StateScope, place: Place): void {
    cleared.set(scope, place, ++this.#clock);
  }

  jar(principal: string): Jar {
    let jar = this.#jars.get(principal);
    if (jar === undefined) {
      this.#jars.set(principal, (jar = new Jar(principal, this.#shared)));
      if (this.sync) void this.#survey(jar);
    }
    return jar;
  }

  open(principal: string, server: string): Drawer {
    const jar = this.jar(principal);
    if (this.sync && !jar.drawers.has(server)) this.#makeRoom();
    return jar.open(server);
  }

  drawer(principal: string, server: string): Drawer | undefined {
    return this.#jars.get(principal)?.drawers.get(server);
  }

  *drawers(principal?: string): Iterable<Drawer> {
    for (const jar of principal === undefined ? this.#jars.values() : [this.#jars.get(principal)]) if (jar) yield* jar.drawers.values();
  }

  principals(): Iterable<string> {
    return this.#jars.keys();
  }

  /** Reads every drawer of a principal into memory; rejects if the store fails. */
  async openAll(principal: string): Promise<void> {
    const { sync } = this;
    if (sync === undefined) return;
    const kept = await sync.drawers(principal);
    await Promise.all(kept.map(({ server }) => sync.load(this.open(principal, server))));
  }

  /** Tells whether the store has anything of a server; rejects if the store fails. */
  async keeps(principal: string, server: string): Promise<boolean> {
    const kept = (await this.sync?.drawers(principal)) ?? [];
    return kept.some((one) => one.server === server && one.items > 0);
  }

  adopt(drawer: Drawer, place: Place, name: string, row: StoreRow | undefined): void {
    if (place !== null && this.conversations.isEnded({ principal: drawer.principal, id: place })) return;
    this.jar(drawer.principal).adopt(drawer, place, name, row);
  }

  loaded({ principal, server }: Drawer): void {
    const jar = this.jar(principal);
    jar.itemsInStore.delete(server);
    jar.fit();
  }

  endedElsewhere(principal: string, id: string): void {
    this.conversations.noteEnd(principal, id);
  }

  /** Asks the store how much it has of a principal: the limit is for all drawers together (D-09). */
  async #survey(jar: Jar): Promise<void> {
    try {
      const kept = (await this.sync?.drawers(jar.principal)) ?? [];
      for (const { server, items } of kept) if (jar.drawers.get(server)?.warm !== true) jar.itemsInStore.set(server, items);
    } catch {
      return; // A problem of the store shows when a drawer is read.
    }
    jar.fit();
  }

  #makeRoom(): void {
    if (++this.#drawers <= MAX_DRAWERS) return;
    for (const jar of this.#jars.values())
      for (const drawer of jar.drawers.values()) {
        if (!drawer.warm || drawer.busy) continue;
        jar.shut(drawer);
        this.#drawers--;
        return;
      }
  }
}
