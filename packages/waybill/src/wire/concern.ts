import type { Report } from './issue.js';
import type { Meta } from './json.js';

export type ConcernName = 'language' | 'environment' | 'state' | 'trace' | 'capabilities';

// D-01, D-02, D-03
/** Options that change the spelling of keys. Both sides of a connection need the same ones. */
export interface WireOptions {
  /** `seed` writes the literal form of the proposals where it differs from today's protocol. Readers accept both. */
  readonly wire?: 'current' | 'seed';
  /** The `_meta` key that carries the environment. */
  readonly environmentKey?: string;
  /** Vendor spellings that are read as hints of lower precedence. */
  readonly dialects?: readonly 'openai'[];
  /** The seed's own spelling of the state keys, or the one that fits today's key grammar. */
  readonly stateKeys?: 'seed' | 'alias';
}

/** One concern in one kind of message. Reading never throws and reports each value it drops; writing returns the keys to add. */
export interface Facet<T> {
  read(meta: Meta, report: Report, options: WireOptions): T | undefined;
  write(value: T, report: Report, options: WireOptions): Meta;
}

/** One concern in every kind of message. A missing facet means that such messages do not carry it. */
export interface Concern<Request, Result, ErrorData, Notification> {
  readonly name: ConcernName;
  /** Every `_meta` key of the concern, in every accepted spelling. `strip` removes these. */
  readonly keys: (options: WireOptions) => readonly string[];
  /** Keys that only make sense together: if a caller wrote one of them, the layer adds none. */
  readonly together?: readonly string[];
  readonly request: Facet<Request>;
  readonly result?: Facet<Result>;
  readonly error?: Facet<ErrorData>;
  readonly notification?: Facet<Notification>;
}
