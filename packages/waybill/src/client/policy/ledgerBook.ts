import { checkNames, expectFullText, expectPrincipal } from '../../wire/check.js';
import type { Report } from '../../wire/issue.js';
import type { JsonObject } from '../../wire/json.js';
import type { PolicyTally } from '../../wire/policy.js';
import type { StartTimer } from '../../transport/index.js';
import type { StateStore } from '../jar/store.js';
import { addCount, isAbout, newest, trim, type Count, type Counts } from './counts.js';
import type { Ledger, LedgerEntry, LedgerFilter } from './ledger.js';
import { dropOldest } from '../oldest.js';
import { NOBODY } from '../values.js';
import { LedgerStore } from './ledgerStore.js';
import { Tallies } from './tallies.js';

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
      const counts = this.#countsOf(principal);
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
      .filter((count) => server === undefined || isAbout(count, server))
      .map(entryOf);
  }

  async export(filter: LedgerFilter = {}): Promise<JsonObject> {
    const { principal } = checked('export', filter);
    const entries = await this.list(filter);
    return { version: 1, principal, entries: entries.map((entry) => ({ ...entry })) };
  }

  async clear(filter: LedgerFilter = {}): Promise<number> {
    const { principal, server } = checked('clear', filter);
    this.#options.forget((whose, name) => whose === principal && (server === undefined || isAbout({ server: name }, server)));
    await this.#writing;
    const removed = new Set<string>();
    const counts = this.#counts.get(principal);
    for (const [key, count] of counts ?? []) {
      if (server !== undefined && !isAbout(count, server)) continue;
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
        const since = this.#countsOf(principal);
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

  #countsOf(principal: string): Counts {
    let counts = this.#folded.get(principal);
    if (counts === undefined) {
      this.#folded.set(principal, (counts = new Map<string, Count>()));
      dropOldest(this.#folded, MAX_PRINCIPALS);
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
