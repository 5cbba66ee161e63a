import { checkNames, expectFullText, expectPrincipal } from '../../wire/check.js';
import type { Report } from '../../wire/issue.js';
import type { JsonObject } from '../../wire/json.js';
import type { PolicyField, PolicyTally } from '../../wire/policy.js';
import type { StartTimer } from '../../transport/index.js';
import type { StateStore } from '../jar/store.js';
import { addCount, isOf, newest, trim, type Count, type Counts } from './counts.js';
import { LedgerStore } from './ledgerStore.js';
import { Tallies } from './tallies.js';

/** One line of the ledger: a field that was sent to a server or withheld from it. It holds the name of the field, never its value. */
export interface LedgerEntry {
  /** The identity given to `attach`, the origin of the address, or the name of the command; `null`: the server has none. */
  readonly server: string | null;
  readonly field: PolicyField;
  readonly outcome: 'sent' | 'withheld';
  /** The precision of a location that was sent; `minimal` if only the needed capabilities were declared. */
  readonly precision?: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

export interface LedgerFilter {
  /** The user whose ledger is meant; by default the ledger of a client without principals. */
  readonly principal?: string | null;
  /** A server as the ledger names it, its host, or any of its addresses. */
  readonly server?: string;
}

/** The record of what each server was told, for a settings page. Calls reject with the cause if the store of the jar fails. */
export interface Ledger {
  /** The principals that have entries. The empty text stands for no particular user. */
  principals(): Promise<readonly string[]>;
  /** The entries of one principal, the newest first. */
  list(filter?: LedgerFilter): Promise<readonly LedgerEntry[]>;
  /** Returns the entries as one JSON document. */
  export(filter?: LedgerFilter): Promise<JsonObject>;
  /** Forgets the entries, and what the user answered about these servers. Returns the number of entries. */
  clear(filter?: LedgerFilter): Promise<number>;
  /** Resolves when the store of the jar has everything. */
  flush(): Promise<void>;
}

interface LedgerOptions {
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  readonly onIssue: Report;
  /** Called when entries are cleared. */
  readonly forget: (matches: (principal: string, server: string) => boolean) => void;
}

const MAX_PRINCIPALS = 1000;
/** A change is written after this many milliseconds. A program that ends by itself waits for it. */
const WRITE_AFTER = 100;
/** Messages whose tallies differ in more ways than this are folded into counts, which are bounded. */
const MAX_TALLIES = 1024;
const NOBODY = '';

/** Counts in memory. With a store, memory holds only what is not written yet. */
export class LedgerBook implements Ledger {
  readonly #options: LedgerOptions;
  readonly #tallies = new Tallies();
  readonly #folded = new Map<string, Counts>();
  #store: LedgerStore | undefined;
  #isTimed = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  keepIn(store: StateStore | undefined): void {
    this.#store = store && new LedgerStore(store);
  }

  /** Counts the fields of one message. */
  record(principal: string | undefined, server: string | undefined, tally: PolicyTally): void {
    if (tally.sentSet === 0 && tally.withheldSet === 0) return;
    this.#tallies.add(principal ?? NOBODY, server, tally, this.#options.clock());
    if (this.#tallies.size > MAX_TALLIES) this.#fold();
    if (this.#store !== undefined && !this.#isTimed) this.#writeLater();
  }

  get #counts(): Map<string, Counts> {
    if (this.#tallies.size > 0) this.#fold();
    return this.#folded;
  }

  #fold(): void {
    this.#tallies.fold((principal, count) => {
      const counts = this.#of(principal);
      addCount(counts, count);
      trim(counts);
    });
  }

  async principals(): Promise<readonly string[]> {
    const kept = (await this.#store?.principals()) ?? [];
    return [...new Set([...[...this.#counts].filter(([, counts]) => counts.size > 0).map(([principal]) => principal), ...kept])];
  }

  async list(filter: LedgerFilter = {}): Promise<readonly LedgerEntry[]> {
    const { principal, server } = checked('list', filter);
    const counts = await this.#all(principal);
    return newest(counts)
      .filter((count) => server === undefined || isOf(count, server))
      .map(entryOf);
  }

  async export(filter: LedgerFilter = {}): Promise<JsonObject> {
    const { principal } = checked('export', filter);
    const entries = await this.list(filter);
    return { version: 1, principal, entries: entries.map((entry) => ({ ...entry })) };
  }

  async clear(filter: LedgerFilter = {}): Promise<number> {
    const { principal, server } = checked('clear', filter);
    this.#options.forget((whose, name) => whose === principal && (server === undefined || isOf({ server: name }, server)));
    await this.#writing;
    const removed = new Set<string>();
    const counts = this.#counts.get(principal);
    for (const [key, count] of counts ?? []) {
      if (server !== undefined && !isOf(count, server)) continue;
      counts?.delete(key);
      removed.add(key);
    }
    for (const key of (await this.#store?.clear(principal, server)) ?? []) removed.add(key);
    return removed.size;
  }

  /** Writes run one after the other: two at once would read the same row and lose a count. */
  flush(): Promise<void> {
    const writing = this.#writing.then(() => this.#flush());
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  async #flush(): Promise<void> {
    const store = this.#store;
    if (store === undefined) return;
    for (const [principal, counts] of [...this.#counts]) {
      if (counts.size === 0) continue;
      this.#folded.delete(principal);
      try {
        await store.add(principal, counts);
      } catch (error) {
        const since = this.#of(principal);
        for (const count of counts.values()) addCount(since, count);
        throw error;
      }
    }
  }

  #writeLater(): void {
    this.#isTimed = true;
    this.#options.startTimer(WRITE_AFTER, () => {
      this.#isTimed = false;
      this.flush().catch(() => {
        this.#options.onIssue({ concern: 'state', key: 'store', problem: 'has not taken what the ledger counted; it stays in memory' });
      });
    });
  }

  async #all(principal: string): Promise<Counts> {
    await this.#writing;
    const counts: Counts = (await this.#store?.load(principal)) ?? new Map<string, Count>();
    for (const count of this.#counts.get(principal)?.values() ?? []) addCount(counts, count);
    return counts;
  }

  #of(principal: string): Counts {
    let counts = this.#folded.get(principal);
    if (counts === undefined) {
      const [oldest] = this.#folded.keys();
      if (this.#folded.size >= MAX_PRINCIPALS && oldest !== undefined) this.#folded.delete(oldest);
      this.#folded.set(principal, (counts = new Map<string, Count>()));
    }
    return counts;
  }
}

function entryOf({ precision, ...count }: Count): LedgerEntry {
  return { ...count, ...(precision !== undefined && { precision }) };
}

function checked(call: string, filter: LedgerFilter): { principal: string; server: string | undefined } {
  checkNames(filter, ['principal', 'server'], `ledger.${call}`);
  if (filter.principal !== undefined && filter.principal !== '') expectPrincipal(filter.principal, `ledger.${call}.principal`);
  expectFullText(filter.server, `ledger.${call}.server`);
  return { principal: filter.principal ?? NOBODY, server: filter.server };
}
