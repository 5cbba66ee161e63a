import { exchangeOf, type Exchange, type Message, type TransportLike } from '../../transport/index.js';
import { ignore, type Issue, type Report } from '../../wire/issue.js';
import { isObject, own, type Json, type JsonObject, type Meta } from '../../wire/json.js';
import { andThen } from '../../wire/maybe.js';
import { kindOf, metaOf, withMeta } from '../../wire/message.js';
import { state, type StateChanges, type StateValues } from '../../wire/state.js';
import { strip } from '../../wire/write.js';
import { passes } from '../../wire/policy/fields.js';
import { hasState, StateRefusals, type KeptLedger, type OpenState } from '../state.js';
import { isConversationOf, type JarConversation } from './conversations.js';
import { NO_NAMES } from './drawer.js';
import { nameConnection, sameEndpoint, setupProblem } from './connectionName.js';
import { nameHttpServer, type IdentityOptions, type Named } from './identity.js';
import { Jars, type StateToSend, type StateTicket } from './jars.js';
import type { JarOptions } from './open.js';
import { LegacySessions, type ConnectionUse } from './legacySessions.js';
import type { StateJar } from './stateJar.js';
import { userJar } from './userJar.js';
import type { AnswerContext, ClientCall, ClientConnection, Draft, ClientPart } from '../part.js';
import { withState } from './redeclare.js';
import type { StateStore } from './store.js';
import type { StdioNames } from '../stdioNames.js';
import { NOBODY, perObject } from '../values.js';

/** State of one open connection. */
interface ConnectionState {
  /** The name of the drawer, or why there is none. */
  readonly named: Named;
  /** D-05: the conversations for calls without one, by principal. They last as long as the connection. */
  readonly volatile: Map<string, JarConversation>;
  /** Conversations that used this connection on 2025-11-25: at this server they end with it. */
  readonly use: ConnectionUse;
}

const DECLARED: JsonObject = Object.freeze({ state: Object.freeze({}) });
/** D-05, D-33: on 2025-11-25 the session scope ends with the connection, so a later connection cannot continue it. */
const NOTHING_TO_RESUME: Issue = {
  side: 'setup',
  concern: 'state',
  key: 'jar.resume',
  problem:
    'has no session state on a 2025-11-25 connection, because it ends with each connection; use jar.begin(), or connect on 2026-07-28',
};

/**
 * STATE-01…42: sends state back to the server that set it, on every request, and to no other. Neither the application nor a model sees it.
 */
export class StatePart implements OpenState {
  readonly name = 'state';
  readonly jar: StateJar;
  /** Only set if an HTTP server can keep state: following redirects costs every request. */
  readonly redirect?: NonNullable<ClientPart['redirect']>;
  readonly #jars: Jars;
  #ledger: KeptLedger | undefined;
  readonly #sessions = new LegacySessions();
  readonly #refusals = new StateRefusals();
  readonly #identity: IdentityOptions;
  readonly #at = perObject((connection: ClientConnection): ConnectionState => {
    const named = nameConnection(connection, this.#identity);
    const problem = setupProblem(connection, named);
    if (problem !== undefined) connection.onIssue(problem);
    return { named, volatile: new Map(), use: new Map() };
  });
  readonly #tickets = new WeakMap<Exchange, StateTicket>();
  /** Exchanges that a redirect led to a server that may not keep state. */
  readonly #mayNotKeep = new WeakSet<Exchange>();
  readonly #spelled = new WeakMap<StateValues, Meta>();
  readonly #merges = new WeakMap<JsonObject, ReadonlySet<string>>();

  constructor(options: JarOptions = {}, report: Report = ignore) {
    this.#identity = options;
    this.#jars = new Jars(options, report);
    this.#jars.conversations.onEnd = (key) => {
      this.#sessions.endConversation(key);
    };
    if (options.hosts || options.allowHosts?.length) this.redirect = (message, to, connection) => this.#redirect(message, to, connection);
    this.jar = userJar(this.#jars, options, () => this.#ledger);
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    const { named } = this.#at(call.connection);
    if (!('name' in named) || (call.levels && !passes(call.levels.state))) return;
    declareState(draft);
    return andThen(this.#carry(call, named.name), ({ values, ticket }) => {
      this.#tickets.set(call.exchange, ticket);
      Object.assign(draft.added, this.#spell(values, call.connection));
    });
  }

  get stdio(): StdioNames | undefined {
    return this.#identity.stdio;
  }

  nameOf(connection: ClientConnection): string | undefined {
    const { named } = this.#at(connection);
    return 'name' in named ? named.name : undefined;
  }

  allow(exchange: Exchange, mayKeep: boolean): void {
    if (mayKeep) this.#mayNotKeep.delete(exchange);
    else this.#mayNotKeep.add(exchange);
  }

  keepLedger(ledger: KeptLedger): StateStore | undefined {
    this.#ledger = ledger;
    return this.#jars.sync?.store;
  }

  /** Returns what a request would carry, without a ticket and without a conversation that only this would begin. */
  async preview({ connection, principal = NOBODY, conversation }: ClientCall, draft: Draft): Promise<void> {
    const server = this.nameOf(connection);
    if (server === undefined) return;
    declareState(draft);
    const held = conversation ?? this.#at(connection).volatile.get(principal);
    Object.assign(draft.added, this.#spell(await this.#jars.peek(principal, server, held?.id ?? null), connection));
  }

  answer(message: Message, call: ClientCall, read: AnswerContext): Message | Promise<Message> {
    if (!hasState(read.meta) || Object.hasOwn(message, 'error')) return message;
    const stripped = strip(message, ['state']);
    const changes: StateChanges | undefined = (read as { state?: StateChanges }).state;
    if (changes === undefined) return stripped;
    const ticket = this.#tickets.get(call.exchange);
    if (ticket === undefined || this.#mayNotKeep.has(call.exchange)) {
      this.#refuse(call.connection);
      return stripped;
    }
    const kept = this.#jars.apply(ticket, byReference(call.connection) ? copied(changes) : changes, this.#merging(call.connection));
    return kept === undefined ? stripped : kept.then(() => stripped);
  }

  /**
   * STATE-41, D-07: after a redirect the request goes to another server. It carries that server's own drawer, and the answer changes that
   * drawer.
   */
  #redirect(message: Message, to: URL, connection: ClientConnection): Message | Promise<Message> {
    if (kindOf(message) !== 'request' || connection.transport === undefined) return message;
    const exchange = exchangeOf(connection.transport, message['id']);
    const ticket = exchange && this.#tickets.get(exchange);
    const { named } = this.#at(connection);
    const there = sameEndpoint(connection, to, this.#identity) ? named : nameHttpServer(to, this.#identity);
    const before = ticket?.server ?? ('name' in named ? named.name : undefined);
    if ('name' in there && there.name === before) return message;
    const bare = withState(strip(message, ['state']), 'name' in there && exchange !== undefined);
    if (exchange === undefined) return bare;
    this.#tickets.delete(exchange);
    if (!('name' in there)) return bare;
    return andThen(this.#carryOn(exchange, ticket, there.name), ({ values, ticket: moved }) => {
      this.#tickets.set(exchange, moved);
      const found = metaOf(bare, 'request');
      const added = this.#spell(values, connection);
      return withMeta(bare, 'request', { ...(isObject(found) ? found : {}), ...added }) ?? bare;
    });
  }

  closed(connection: ClientConnection, transport: TransportLike): void {
    // The process that only answered a probe belongs to no conversation.
    if (transport !== connection.transport) return;
    const { volatile, use } = this.#at(connection);
    for (const conversation of volatile.values()) void this.#jars.conversations.end(conversation);
    for (const { conversation, servers } of use.values())
      for (const server of servers) this.#jars.conversations.leave(conversation, server);
    volatile.clear();
    this.#sessions.closeConnection(use);
    this.#refusals.forget(connection);
  }

  /** D-05, STATE-40: the client now acts for another principal. */
  leavePrincipal(principal: string | null): void {
    this.#jars.leavePrincipal(principal ?? NOBODY);
  }

  #carry(call: ClientCall, server: string): StateToSend | Promise<StateToSend> {
    const principal = call.principal ?? NOBODY;
    const conversation = this.#conversation(call, principal);
    this.#bind(call, conversation, server);
    return this.#jars.carry(principal, server, conversation);
  }

  #bind({ connection, era }: ClientCall, conversation: JarConversation | undefined, server: string): void {
    if (era !== 'legacy' || !conversation || conversation.volatile) return;
    if (conversation.resumed && !this.#sessions.knows(conversation)) connection.onIssue(NOTHING_TO_RESUME);
    this.#sessions.recordUse(this.#at(connection).use, conversation, server);
  }

  /** If the request came from a host that keeps no state, only the call shows whose it is. */
  #carryOn({ note }: Exchange, ticket: StateTicket | undefined, server: string): StateToSend | Promise<StateToSend> {
    if (ticket !== undefined) {
      if (note !== undefined) this.#bind(note as ClientCall, ticket.conversation, server);
      return this.#jars.carry(ticket.principal, server, ticket.conversation);
    }
    return note === undefined ? this.#jars.carry(NOBODY, server, undefined) : this.#carry(note as ClientCall, server);
  }

  #conversation({ conversation, connection }: ClientCall, principal: string): JarConversation | undefined {
    if (conversation !== undefined) {
      if (isConversationOf(this.#jars, conversation) && conversation.principal === principal) return conversation;
      connection.onIssue({
        concern: 'state',
        key: 'conversation',
        problem: 'belongs to another principal or jar, so the request carries no session state',
      });
      return undefined;
    }
    const { volatile } = this.#at(connection);
    let own = volatile.get(principal);
    if (own === undefined) volatile.set(principal, (own = this.#jars.conversations.beginVolatile(principal)));
    return own;
  }

  #refuse(connection: ClientConnection): void {
    const { named } = this.#at(connection);
    this.#refusals.report(connection, 'refused' in named ? named.refused : 'did not get the state capability on this connection');
  }

  #spell(values: StateValues, connection: ClientConnection): Meta {
    const spell = (): Meta => state.request.write(values, connection.onIssue, connection.wire);
    if (byReference(connection)) return JSON.parse(JSON.stringify(spell())) as Meta;
    let spelled = this.#spelled.get(values);
    if (spelled === undefined) this.#spelled.set(values, (spelled = spell()));
    return spelled;
  }

  /** D-08: returns the names that the server said it merges. */
  #merging({ extension }: ClientConnection): ReadonlySet<string> {
    if (extension === undefined) return NO_NAMES;
    let names = this.#merges.get(extension);
    if (names === undefined) {
      const listed = own(extension, 'merge');
      const texts = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : [];
      this.#merges.set(extension, (names = new Set(texts)));
    }
    return names;
  }
}

function declareState(draft: Draft): void {
  draft.declare = draft.declare === undefined ? DECLARED : { ...draft.declare, ...DECLARED };
}

/** In memory the peer gets the same objects: its changes to them must not reach the jar. */
function byReference({ url, command }: ClientConnection): boolean {
  return url === undefined && command === undefined;
}

function copied({ session, server }: StateChanges): StateChanges {
  const copy = (names: ReadonlyMap<string, Json>): ReadonlyMap<string, Json> =>
    new Map(JSON.parse(JSON.stringify([...names])) as [string, Json][]);
  return { ...(session && { session: copy(session) }), ...(server && { server: copy(server) }) };
}
