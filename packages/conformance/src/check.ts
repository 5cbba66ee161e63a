/** A check: one small experiment with a subject, the rules it proves, and the faults that have to trip it. */
import type { Exchange } from './wire/exchange.js';
import type { Path } from './wire/json.js';
import type { Revision, Transport } from './wire/keys.js';

export const CONCERNS = ['protocol', 'language', 'environment', 'state', 'trace', 'capabilities'] as const;
export type Concern = (typeof CONCERNS)[number];
export type Role = 'server' | 'client' | 'gateway';

export interface Check<T> {
  /** `concern:name`, as baselines and reports call it. */
  readonly id: string;
  /** Requirement ids. */
  readonly proves: readonly string[];
  /** The expected behaviour in one sentence. */
  readonly title: string;
  /** Switches of the reference peer; each makes this check fail. */
  readonly faults: readonly string[];
  /** The revisions that the rule applies to; all if absent. */
  readonly revisions?: readonly Revision[];
  readonly transports?: readonly Transport[];
  /** Only with `--wire seed`, or only without it. */
  readonly wire?: 'seed' | 'current';
  readonly run: (trial: T) => Promise<void> | void;
}

export const concernOf = (id: string): Concern => id.slice(0, id.indexOf(':')) as Concern;

/** The subject broke the rule. */
export class Failure extends Error {
  readonly exchange: Exchange | undefined;
  /** The place of the offending part, in the answer (`answer`, `headers`, `status`) or in the request (`sent`). */
  readonly mark: Path;

  constructor(observed: string, exchange?: Exchange, mark: Path = []) {
    super(observed);
    this.exchange = exchange;
    this.mark = mark;
  }
}

/** The rule does not apply, because of what was observed. */
export class NotApplicable extends Error {}

export function expect(ok: boolean, observed: string, exchange?: Exchange, mark: Path = []): asserts ok {
  if (!ok) throw new Failure(observed, exchange, mark);
}

export type Status = 'pass' | 'fail' | 'warn' | 'notApplicable';

/** A revision over a transport: every check runs at each place where it applies. */
export interface Place {
  readonly revision: Revision;
  readonly transport: Transport;
}

/** The outcome of one check at one place. */
export interface CheckOutcome extends Place {
  readonly check: string;
  readonly proves: readonly string[];
  readonly verdict: Exclude<Status, 'warn'>;
  readonly observed: string;
  readonly exchange?: Exchange;
  readonly mark?: Path;
  /** The user asks for it with --expect: then it is a failure, not a warning, whatever the level of its rule. */
  readonly demanded?: true;
}
