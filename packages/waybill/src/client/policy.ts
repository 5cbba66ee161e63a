import type { CopiedKeys, Exchange, FetchPolicy, Hooks, Message, Telemetry } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import type { JsonObject, Meta } from '../wire/json.js';
import type { PolicyField, PolicyRules } from '../wire/policy.js';
import type { ClientConnection, ClientPart, Parts } from './part.js';
import type { Ledger } from './policy/ledger.js';
import type { OpenState } from './state.js';
import type { CallValues } from './values.js';

/** Gives the rules for a server each time it is asked. `server` is the name that the ledger shows; `undefined`: it has none. */
export type PolicyFunction = (server: string | undefined) => PolicyRules | undefined;

/**
 * A policy for one client, made by `policy()` of `waybill/client/policy`. It is handed in, so that a program without one loads none of
 * that code.
 */
export interface ClientPolicy {
  /** Called once, by `clientContext`. */
  open(setup: PolicySetup): OpenPolicy;
}

/** The client that a policy is for. */
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
  readonly redirectGate: ClientPart;
  readonly ledger: Ledger;
  /** The baggage that some server may get. */
  readonly baggage: readonly string[];
  /** Called when a transport is attached: reports what the policy cannot see or name. */
  check(connection: ClientConnection): void;
  leave(connection: ClientConnection): NonNullable<Hooks['leave']>;
  fetch(connection: ClientConnection): FetchPolicy;
  /** Remembers the exchange of a message that passes our `fetch` and no transport of ours. */
  remember(message: Message, exchange: Exchange): void;
  preview(server: string | ClientConnection, message: Message): Promise<Preview>;
};

/** The context that one message would carry. */
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
  /** `ask`: the user would be asked first. `limited`: only a part of the field is withheld. */
  readonly level: 'never' | 'ask' | 'limited';
}
