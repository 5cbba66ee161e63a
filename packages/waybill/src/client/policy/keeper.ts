import { exchangeOf, type Exchange, type FetchPolicy, type Hooks, type Message, type SendOptions } from '../../transport/index.js';
import { joinRequirements } from '../../wire/capabilities.js';
import { own, type JsonObject } from '../../wire/json.js';
import { policyFilter, PolicyTally, type PolicyFilter, type PolicyLevels } from '../../wire/policy.js';
import type { ClientCall, ClientConnection, ClientPart } from '../part.js';
import type { OpenPolicy, PolicySetup, Preview } from '../policy.js';
import { sendBodiless } from './bodiless.js';
import { Consents } from './consents.js';
import type { LedgerBook } from './ledgerBook.js';
import type { Destination, Destinations } from './destinations.js';
import { previewOf } from './preview.js';
import type { Prompts } from './prompts.js';

/** Applies a policy to the messages of one client: asks before a request is made, limits it as it leaves, and notes what left. */
export class PolicyKeeper implements OpenPolicy {
  readonly ledger: LedgerBook;
  readonly destinations: Destinations;
  readonly setup: PolicySetup;
  readonly consents: Consents;
  /** The calls of messages that only pass our `fetch`. */
  readonly #injected = new WeakMap<Message, ClientCall>();
  #filter: PolicyFilter | undefined;

  constructor(setup: PolicySetup, destinations: Destinations, prompts: Prompts, ledger: LedgerBook) {
    this.setup = setup;
    this.destinations = destinations;
    this.consents = new Consents(setup, destinations, prompts, () => this.filter);
    this.ledger = ledger;
  }

  get baggage(): readonly string[] {
    return this.destinations.baggage;
  }

  /** The filter is made with the first message, because a propagator may be configured after the client. */
  get filter(): PolicyFilter {
    return (this.#filter ??= policyFilter({ ...this.setup.wire, traceKeys: this.setup.telemetry?.fields?.() ?? [] }));
  }

  check(connection: ClientConnection): void {
    const { url, command, transport, followsRedirects, onIssue } = connection;
    const issue = { side: 'setup', concern: 'meta' } as const;
    if (url !== undefined && transport !== undefined && !followsRedirects)
      onIssue({
        ...issue,
        key: 'policy',
        problem: 'does not see the headers that this transport adds itself; build the transport with fetch: waybill.fetch()',
      });
    if (command !== undefined && this.destinations.namesCommands && this.destinations.home(connection).server === undefined)
      onIssue({
        ...issue,
        key: 'policy.stdio',
        problem:
          'gives no name for a command, so its server gets the default; write policy(rules, { stdio: stdioIdentity() }) or attach(transport, { server })',
      });
  }

  readonly gate: ClientPart = {
    name: 'policy',
    request: (call) => this.consents.admit(call),
  };

  readonly redirectGate: ClientPart = {
    name: 'policy',
    redirect: (message, to, connection) => {
      const call = this.#callOf(connection, message);
      return call === undefined ? message : this.consents.admitRedirect(call, this.destinations.at(connection, to), message);
    },
  };

  leave(connection: ClientConnection): NonNullable<Hooks['leave']> {
    const home = this.destinations.home(connection);
    return (message, options, exchange) => {
      const call = exchange?.note as ClientCall | undefined;
      const levels = this.consents.levels(home, call);
      const tally = new PolicyTally();
      const left = this.filter.message(message, levels, tally, { needed: this.needed(levels, connection) });
      const given = this.#limitOptions(options, levels, tally);
      this.#count(connection, call, tally);
      return [left, given];
    };
  }

  /** Over HTTP `fetch` counts what is sent, since it alone sees every attempt and every header. */
  #count(connection: ClientConnection, call: ClientCall | undefined, tally: PolicyTally): void {
    if (isCountedInFetch(connection)) tally.sentSet = 0;
    tally.withheldSet |= this.consents.noteOf(call)?.ungathered ?? 0;
    if (call !== undefined && tally.withheldSet !== 0) this.consents.openNote(call).counted = tally.withheldSet;
    this.#record(this.destinations.home(connection), call, tally);
  }

  #record({ server, connection }: Destination, call: ClientCall | undefined, tally: PolicyTally): void {
    if (tally.sentSet === 0 && tally.withheldSet === 0) return;
    const principal = call === undefined ? (this.setup.values(connection).principal ?? undefined) : call.principal;
    this.ledger.record(principal, server, tally);
  }

  #limitOptions(options: SendOptions | undefined, levels: PolicyLevels, tally: PolicyTally): SendOptions | undefined {
    if (options?.headers === undefined) return options;
    const lines = Object.entries(options.headers);
    const kept = this.filter.headers(lines, levels, tally);
    return kept === lines ? options : { ...options, headers: Object.fromEntries(kept) };
  }

  fetch(connection: ClientConnection): FetchPolicy {
    return {
      pass: (send, url, init) =>
        sendBodiless(send, url, init, {
          governs: (header) => this.filter.governs(header),
          limit: (headers, to) => this.#limitHeaders(this.destinations.at(connection, to), undefined, headers, new PolicyTally(), true),
        }),
      limit: (messages, headers, to) => {
        const destination = this.destinations.at(connection, to);
        return messages.map((message, at) => {
          const call = this.#callOf(connection, message);
          const levels = this.consents.levels(destination, call);
          const tally = new PolicyTally();
          const left = this.filter.message(message, levels, tally, { needed: this.needed(levels, connection) });
          this.#limitHeaders(destination, call, at === 0 ? headers : undefined, tally, connection.transport === undefined);
          return left;
        });
      },
    };
  }

  /** Removes from the headers what may not leave, and records the whole request. `isFirst`: no earlier hook has recorded anything of it. */
  #limitHeaders(
    destination: Destination,
    call: ClientCall | undefined,
    headers: Headers | undefined,
    tally: PolicyTally,
    isFirst: boolean,
  ): void {
    const lines = headers === undefined ? [] : [...headers];
    const kept = this.filter.headers(lines, this.consents.levels(destination, call), tally);
    if (kept !== lines) {
      for (const [name] of lines) headers?.delete(name);
      for (const [name, value] of kept) headers?.append(name, value);
    }
    const note = this.consents.noteOf(call);
    if (isFirst) tally.withheldSet |= note?.ungathered ?? 0;
    // For the server of the connection, the hook of the transport has already recorded what it removed from the message. It leaves no note
    // about a notification, so that one could be recorded twice.
    else if (destination.isHome) tally.withheldSet &= ~(call === undefined ? tally.withheldSet : (note?.counted ?? 0));
    this.#record(destination, call, tally);
  }

  /** Returns the capabilities that `minimal` keeps; `undefined` at any other level. */
  needed(levels: PolicyLevels, connection: ClientConnection): JsonObject | undefined {
    return levels.capabilities === 'minimal' ? joinRequirements(this.setup.needs(connection)) : undefined;
  }

  remember(message: Message, { note }: Exchange): void {
    if (note !== undefined) this.#injected.set(message, note as ClientCall);
  }

  #callOf({ transport }: ClientConnection, message: Message): ClientCall | undefined {
    if (transport === undefined || own(message, 'method') === undefined) return this.#injected.get(message);
    return exchangeOf(transport, own(message, 'id'))?.note as ClientCall | undefined;
  }

  preview(server: string | ClientConnection, message: Message): Promise<Preview> {
    return previewOf(this, server, message);
  }
}

function isCountedInFetch({ transport, url, followsRedirects }: ClientConnection): boolean {
  return transport !== undefined && url !== undefined && followsRedirects;
}
