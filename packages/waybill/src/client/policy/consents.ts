import type { Message } from '../../transport/index.js';
import { andThen, andThenAll } from '../../wire/maybe.js';
import { passes, PolicyTally, type FieldSet, type PolicyField, type PolicyFilter, type PolicyLevels } from '../../wire/policy.js';
import type { ClientCall, ClientConnection, MutableCall } from '../part.js';
import type { PolicySetup } from '../policy.js';
import { fieldsCarried, fieldsOf, precisionOf } from './carries.js';
import type { Destination, Destinations } from './destinations.js';
import type { Prompts, Subject } from './prompts.js';

/** Requests that never wait for the user: without them there is no connection. */
const NEVER_WAITS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Notes about one call. */
interface Note {
  /** The fields that the user granted for this call, by server. */
  readonly grants: Map<Destination, readonly PolicyField[]>;
  /** The fields that were withheld before any part gathered them, so that no filter sees them. */
  ungathered: FieldSet;
  /** The withheld fields that are in the ledger already. */
  counted: FieldSet;
}

/** Decides what a call may carry: by the rules, and where they say `ask` by what the user answered for this call or before. */
export class Consents {
  readonly #setup: PolicySetup;
  readonly #destinations: Destinations;
  readonly #prompts: Prompts;
  readonly #filter: () => PolicyFilter;
  readonly #notes = new WeakMap<ClientCall, Note>();

  constructor(setup: PolicySetup, destinations: Destinations, prompts: Prompts, filter: () => PolicyFilter) {
    this.#setup = setup;
    this.#destinations = destinations;
    this.#prompts = prompts;
    this.#filter = filter;
  }

  /** Decides for the server of the connection, before any part adds its values. */
  admit(call: MutableCall): void | Promise<void> {
    const destination = this.#destinations.home(call.connection);
    const { levels, asks } = destination.decided();
    call.levels = levels;
    if (asks.length === 0) return this.#withhold(call);
    const carried = NEVER_WAITS.has(call.method) ? [] : fieldsOf(call, this.#setup, this.#filter());
    const asked = asks.filter((field) => carried.includes(field));
    return andThen(this.#grant(call, destination, asked), () => {
      call.levels = this.levels(destination, call);
      this.#withhold(call);
    });
  }

  /** Decides for the server that a redirect leads to, by the message that would go there. */
  admitRedirect(call: ClientCall, destination: Destination, message: Message): Message | Promise<Message> {
    const { asks } = destination.decided();
    const asked = asks.length === 0 ? [] : fieldsCarried(message, this.#filter()).filter((field) => asks.includes(field));
    return andThen(this.#grant(call, destination, asked), () => {
      this.#setup.state?.allow(call.exchange, passes(this.levels(destination, call).state));
      return message;
    });
  }

  #grant(call: ClientCall, destination: Destination, asked: readonly PolicyField[]): void | Promise<void> {
    return andThenAll(
      asked.map((field) => this.#prompts.ask(subjectOf(destination, field, call))),
      (answers) =>
        void this.openNote(call).grants.set(
          destination,
          asked.filter((_, at) => answers[at] === true),
        ),
    );
  }

  /** Notes fields that the filter never sees when they are withheld: the function for the location is not called, and state is not loaded. */
  #withhold(call: ClientCall): void {
    const { levels, values, method, connection } = call;
    if (levels === undefined) return;
    const asksForPlace = typeof values.environment?.location === 'function' && (method === 'tools/call' || this.#setup.everywhere);
    const tally = new PolicyTally();
    if (asksForPlace && !passes(levels.location)) tally.withhold('location');
    if (!passes(levels.state) && this.#setup.state?.nameOf(connection) !== undefined) tally.withhold('state');
    if (tally.withheldSet !== 0) this.openNote(call).ungathered = tally.withheldSet;
  }

  /** Returns the levels for a message now. The user's answer, for this call or for always, replaces `ask`. */
  levels(destination: Destination, call: ClientCall | undefined): PolicyLevels {
    const { levels, asks } = destination.decided();
    if (asks.length === 0) return levels;
    const once = this.noteOf(call)?.grants.get(destination);
    const granted: Partial<Record<PolicyField, string>> = {};
    for (const field of asks) {
      const subject = subjectOf(destination, field, call ?? this.#nobody(destination.connection));
      if (once?.includes(field) === true || this.#prompts.known(subject) === true) granted[field] = subject.precision ?? 'always';
    }
    return { ...levels, ...(granted as Partial<PolicyLevels>) };
  }

  #nobody(connection: ClientConnection): Pick<ClientCall, 'values' | 'principal'> {
    const values = this.#setup.values(connection);
    return { values, principal: values.principal ?? undefined };
  }

  noteOf(call: ClientCall | undefined): Note | undefined {
    return call && this.#notes.get(call);
  }

  /** Returns the notes of a call, and makes them if it has none. */
  openNote(call: ClientCall): Note {
    let note = this.#notes.get(call);
    if (note === undefined) this.#notes.set(call, (note = { grants: new Map(), ungathered: 0, counted: 0 }));
    return note;
  }
}

function subjectOf(destination: Destination, field: PolicyField, { values, principal }: Pick<ClientCall, 'values' | 'principal'>): Subject {
  return { destination, field, principal, precision: field === 'location' ? precisionOf(values) : undefined };
}
