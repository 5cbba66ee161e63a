import type { Report } from './issue.js';
import type { Meta } from './json.js';

export type ConcernName = 'language' | 'environment' | 'state' | 'trace' | 'capabilities';

/** Options that change which spellings are read and written. */
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

/** One concern in one kind of message. Reading never throws and reports each value it drops; writing gives the keys to add. */
export interface Facet<T> {
  read(meta: Meta, report: Report, options: WireOptions): T | undefined;
  write(value: T, report: Report, options: WireOptions): Meta;
}

/** What a message of each kind says about one concern. A facet that is absent means: nothing of it travels there. */
export interface Concern<Request, Result, ErrorData, Notification> {
  readonly name: ConcernName;
  /** Every `_meta` key that belongs to the concern, in every accepted spelling: what `strip` removes. */
  readonly keys: (options: WireOptions) => readonly string[];
  /** Keys that only make sense as a set from one hand: where a caller wrote one, none of ours is added. */
  readonly together?: readonly string[];
  /** Keys that a caller may not write: only the layer knows what belongs there. */
  readonly guarded?: boolean;
  readonly request: Facet<Request>;
  readonly result?: Facet<Result>;
  readonly error?: Facet<ErrorData>;
  readonly notification?: Facet<Notification>;
}
