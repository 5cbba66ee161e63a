import type { CopiedKeys, Exchange, FetchPolicy, Hooks, Message, Telemetry } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import type { JsonObject, Meta } from '../wire/json.js';
import type { PolicyField } from '../wire/policy.js';
import type { Parts } from './exchange.js';
import type { ClientConnection, ClientPart } from './part.js';
import type { Ledger } from './policy/ledger.js';
import type { OpenState } from './state.js';
import type { CallValues } from './values.js';

/**
 * A policy for one client, as `policy()` of `waybill/client/policy` makes it. It is handed in, so that a program without one loads none of
 * that code.
 */
export interface ClientPolicy {
  /** Called once, by `clientContext`. */
  open(setup: PolicySetup): OpenPolicy;
}

/** The facts about its client that a policy gets. */
export type PolicySetup = {
  readonly onIssue: Report;
  readonly onFault: (error: unknown) => void;
  readonly wire: WireOptions;
  readonly clock: () => number;
  /** True if every request carries the environment, not only tool calls. */
  readonly everywhere: boolean;
  readonly telemetry: Telemetry | undefined;
  readonly mirror: CopiedKeys | undefined;
  readonly state: OpenState | undefined;
  /** The capabilities that the listed tools of a server need. */
  needs(connection: ClientConnection): Iterable<JsonObject>;
  parts(): Parts;
  /** The values that apply now. */
  values(connection: ClientConnection): CallValues;
};

export type OpenPolicy = {
  /** Decides what a request may carry, and asks the user. It runs before every other part. */
  readonly gate: ClientPart;
  /** Asks the user about the server that a redirect leads to. It runs after every other part. */
  readonly hop: ClientPart;
  readonly ledger: Ledger;
  /** The baggage that some server may get. */
  readonly baggage: readonly string[];
  /** Called when a transport is attached: reports what the policy cannot see or name. */
  check(connection: ClientConnection): void;
  leave(connection: ClientConnection): NonNullable<Hooks['leave']>;
  fetch(connection: ClientConnection): FetchPolicy;
  governs(header: string): boolean;
  /** A message that only passes our `fetch` belongs to this exchange. */
  remember(message: Message, exchange: Exchange): void;
  preview(server: string | ClientConnection, message: Message): Promise<Preview>;
};

/** The fields that one message would carry. */
export interface Preview {
  readonly meta: Meta;
  /** The headers that this layer would add. */
  readonly headers: Readonly<Record<string, string>>;
  readonly withheld: readonly Withheld[];
}

export interface Withheld {
  readonly field: PolicyField;
  /** The rule that withholds it: `servers["*.corp.example"].location`. */
  readonly rule: string;
  /** `ask`: the user would be asked first. */
  readonly level: 'never' | 'ask' | 'limited';
}
