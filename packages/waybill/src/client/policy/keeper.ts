import { exchangeOf, type Exchange, type FetchPolicy, type Hooks, type Message, type SendOptions } from '../../transport/index.js';
import { joinRequirements } from '../../wire/capabilities.js';
import { own, type JsonObject } from '../../wire/json.js';
import { andThen, andThenAll } from '../../wire/maybe.js';
import {
  passes,
  policyFilter,
  PolicyTally,
  type FieldSet,
  type PolicyField,
  type PolicyFilter,
  type PolicyLevels,
} from '../../wire/policy.js';
import type { ClientCall, ClientConnection, ClientPart, MutableCall } from '../part.js';
import type { OpenPolicy, PolicySetup, Preview } from '../policy.js';
import { sendBodiless } from './bodiless.js';
import { fieldsCarried, fieldsOf, hasPlace, precisionOf } from './carries.js';
import type { LedgerBook } from './ledger.js';
import type { Place, Places } from './places.js';
import { previewOf } from './preview.js';
import type { Prompts, Subject } from './prompts.js';

/** Requests that never wait for the user: without them there is no connection. */
const NEVER_WAITS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Notes about one call. */
interface Note {
  /** The fields that the user granted for this call, by server. */
  readonly grants: Map<Place, readonly PolicyField[]>;
  /** The fields that were withheld before anybody gathered them. */
  kept: FieldSet;
  /** The fields whose withholding is in the ledger already. */
  counted: FieldSet;
}

/** Applies a policy to the messages of one client: asks before a request is made, limits it as it leaves, and notes what left. */
export class PolicyKeeper implements OpenPolicy {
  readonly ledger: LedgerBook;
  readonly places: Places;
  readonly prompts: Prompts;
  readonly setup: PolicySetup;
  readonly #notes = new WeakMap<ClientCall, Note>();
  /** The calls of messages that only pass our `fetch`. */
  readonly #injected = new WeakMap<Message, ClientCall>();
  #filter: PolicyFilter | undefined;

  constructor(setup: PolicySetup, places: Places, prompts: Prompts, ledger: LedgerBook) {
    this.setup = setup;
    this.places = places;
    this.prompts = prompts;
    this.ledger = ledger;
  }

  get baggage(): readonly string[] {
    return this.places.baggage;
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
    if (command !== undefined && this.places.namesCommands && this.places.home(connection).server === undefined)
      onIssue({
        ...issue,
        key: 'policy.stdio',
        problem:
          'gives no name for a command, so its server gets the default; write policy(rules, { stdio: stdioIdentity() }) or attach(transport, { server })',
      });
  }

  readonly gate: ClientPart = {
    name: 'policy',
    request: (call) => this.#admit(call),
  };

  readonly hop: ClientPart = {
    name: 'policy',
    redirect: (message, to, connection) => {
      const call = this.#callOf(connection, message);
      const place = this.places.at(connection, to);
      if (call === undefined) return message;
      const { asks } = place.decided();
      const there = asks.length === 0 ? [] : fieldsCarried(message, this.filter).filter((field) => asks.includes(field));
      return andThen(this.#grant(call, place, there), () => {
        this.setup.state?.allow(call.exchange, passes(this.levels(place, call).state));
        return message;
      });
    },
  };

  #admit(call: MutableCall): void | Promise<void> {
    const place = this.places.home(call.connection);
    const { levels, asks } = place.decided();
    call.levels = levels;
    if (asks.length === 0) return this.#withhold(call);
    const carried = NEVER_WAITS.has(call.method) ? [] : fieldsOf(call, this.setup, this.filter);
    const asked = asks.filter((field) => carried.includes(field));
    return andThen(this.#grant(call, place, asked), () => {
      call.levels = this.levels(place, call);
      this.#withhold(call);
    });
  }

  #grant(call: ClientCall, place: Place, asked: readonly PolicyField[]): void | Promise<void> {
    return andThenAll(
      asked.map((field) => this.prompts.ask(subjectOf(place, field, call))),
      (answers) =>
        void this.#note(call).grants.set(
          place,
          asked.filter((_, at) => answers[at] === true),
        ),
    );
  }

  /** Notes fields that the filter never sees when they are withheld: the function for the location is not called, and state is not loaded. */
  #withhold(call: ClientCall): void {
    const { levels, values, method, connection } = call;
    if (levels === undefined) return;
    const isPlace = typeof values.environment?.location === 'function' && (method === 'tools/call' || this.setup.everywhere);
    const tally = new PolicyTally();
    if (isPlace && hasPlace(values) && !passes(levels.location)) tally.withhold('location');
    if (!passes(levels.state) && this.setup.state?.nameOf(connection) !== undefined) tally.withhold('state');
    if (tally.withheldSet !== 0) this.#note(call).kept = tally.withheldSet;
  }

  /** Returns the levels for a message now. The user's answer, for this call or for always, replaces `ask`. */
  levels(place: Place, call: ClientCall | undefined): PolicyLevels {
    const { levels, asks } = place.decided();
    if (asks.length === 0) return levels;
    const once = call && this.#notes.get(call)?.grants.get(place);
    const granted: Partial<Record<PolicyField, string>> = {};
    for (const field of asks) {
      const subject = subjectOf(place, field, call ?? this.#nobody(place.connection));
      if (once?.includes(field) === true || this.prompts.known(subject) === true) granted[field] = subject.precision ?? 'always';
    }
    return { ...levels, ...(granted as Partial<PolicyLevels>) };
  }

  #nobody(connection: ClientConnection): Pick<ClientCall, 'values' | 'principal'> {
    const values = this.setup.values(connection);
    return { values, principal: values.principal ?? undefined };
  }

  leave(connection: ClientConnection): NonNullable<Hooks['leave']> {
    const home = this.places.home(connection);
    return (message, options, exchange) => {
      const call = exchange?.note as ClientCall | undefined;
      const levels = this.levels(home, call);
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
    tally.withheldSet |= (call && this.#notes.get(call)?.kept) ?? 0;
    if (call !== undefined && tally.withheldSet !== 0) this.#note(call).counted = tally.withheldSet;
    this.#record(this.places.home(connection), call, tally);
  }

  #record({ server, connection }: Place, call: ClientCall | undefined, tally: PolicyTally): void {
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
          limit: (headers, to) => this.#limitHeaders(this.places.at(connection, to), undefined, headers, new PolicyTally(), true),
        }),
      limit: (messages, headers, to) => {
        const place = this.places.at(connection, to);
        return messages.map((message, at) => {
          const call = this.#callOf(connection, message);
          const levels = this.levels(place, call);
          const tally = new PolicyTally();
          const left = this.filter.message(message, levels, tally, { needed: this.needed(levels, connection) });
          this.#limitHeaders(place, call, at === 0 ? headers : undefined, tally, connection.transport === undefined);
          return left;
        });
      },
    };
  }

  /** Removes from the headers what may not leave, and records the whole request. `isFirst`: no earlier hook has recorded anything of it. */
  #limitHeaders(place: Place, call: ClientCall | undefined, headers: Headers | undefined, tally: PolicyTally, isFirst: boolean): void {
    const lines = headers === undefined ? [] : [...headers];
    const kept = this.filter.headers(lines, this.levels(place, call), tally);
    if (kept !== lines) {
      for (const [name] of lines) headers?.delete(name);
      for (const [name, value] of kept) headers?.append(name, value);
    }
    const note = call && this.#notes.get(call);
    if (isFirst) tally.withheldSet |= note?.kept ?? 0;
    // For the server of the connection, the hook of the transport has already recorded what it removed from the message.
    else if (place.isHome) tally.withheldSet &= ~(note?.counted ?? tally.withheldSet);
    this.#record(place, call, tally);
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

  #note(call: ClientCall): Note {
    let note = this.#notes.get(call);
    if (note === undefined) this.#notes.set(call, (note = { grants: new Map(), kept: 0, counted: 0 }));
    return note;
  }

  preview(server: string | ClientConnection, message: Message): Promise<Preview> {
    return previewOf(this, server, message);
  }
}

function isCountedInFetch({ transport, url, followsRedirects }: ClientConnection): boolean {
  return transport !== undefined && url !== undefined && followsRedirects;
}

function subjectOf(place: Place, field: PolicyField, { values, principal }: Pick<ClientCall, 'values' | 'principal'>): Subject {
  return { place, field, principal, precision: field === 'location' ? precisionOf(values) : undefined };
}
