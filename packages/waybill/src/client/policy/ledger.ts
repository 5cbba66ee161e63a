import type { JsonObject } from '../../wire/json.js';
import type { PolicyField } from '../../wire/policy.js';

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
