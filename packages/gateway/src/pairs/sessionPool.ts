/**
 * The sessions of 2026 clients with a 2025 upstream. They are pooled by the user and by the capabilities that were declared, because a 2025
 * session knows one user and one set of capabilities.
 */
import { keys } from 'waybill';
import { canonicalCapabilities } from 'waybill/adapter';
import { Refusal, refusedBy } from '../answer.js';
import type { Call, Caller, Face, Post } from '../face.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { isAnswer, LEGACY, makeMessage, readMessage, type Message } from '../message.js';
import { messagesOf } from '../sse.js';
import { NEVER } from '../signals.js';
import { SessionStream } from './sessionStream.js';

export interface LegacySession {
  readonly key: string;
  /** Undefined if the upstream has no sessions. */
  readonly id: string | undefined;
  readonly version: string;
  /** One request at a time uses it. */
  readonly isExclusive: boolean;
  /** The capabilities that the upstream was told of. */
  readonly capabilities: JsonRecord;
  /** The upstream's answer to `initialize`. */
  readonly introduction: JsonRecord;
  readonly stream: SessionStream;
  /** The number of listeners that want each resource. */
  readonly subscribed: Map<string, number>;
  /** The number of requests that use it. */
  users: number;
}

/** One request's use of a session. */
export interface Lease {
  session: LegacySession;
  readonly caller: Caller;
}

export interface PoolOptions {
  readonly name: string;
  /** A session is a process of its own, used by one request at a time unless its user is known. */
  readonly hasProcesses: boolean;
  /** The upstream may ask back, so it is told of the capabilities for that (CAP-25, D-38). */
  readonly carriesQuestions: boolean;
}

/** Each of these capabilities is a promise to answer a question of the server, which comes by this method. */
export const QUESTIONS: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

export const ANSWER_LIMIT = 64 * 1024 * 1024;
const MAX_SESSIONS = 1_000;

export class SessionPool {
  readonly #upstream: Face;
  readonly #options: PoolOptions;
  readonly #shared = new Map<string, Promise<LegacySession>>();
  /** Sessions that nobody is using, of callers of whom nothing is known. The longest unused comes first. */
  readonly #free: LegacySession[] = [];

  constructor(upstream: Face, options: PoolOptions) {
    this.#upstream = upstream;
    this.#options = options;
  }

  async lease(call: Post): Promise<Lease> {
    const capabilities = this.#relayed(call);
    const isExclusive = this.#isExclusive(call, capabilities);
    // One process serves all clients of a user. Elsewhere a session is no more than an id, and the server is told who really asks.
    const client = this.#options.hasProcesses && !isExclusive ? undefined : call.message.meta[keys.CLIENT_INFO];
    const key = JSON.stringify([identityOf(call), canonicalCapabilities(capabilities as never), client]);
    const session = isExclusive ? await this.#take(key, call) : await this.#join(key, call);
    session.users++;
    return { session, caller: call.caller };
  }

  /** `isBroken`: the server may still be at work for this user, so nobody else gets the session. */
  release({ session, caller }: Lease, isBroken = false): void {
    session.users--;
    if (!session.isExclusive) return;
    if (!isBroken) this.#free.push(session);
    if (isBroken) this.#end(session, caller);
    else if (this.#free.length > MAX_SESSIONS) this.#end(this.#free.shift() as LegacySession, {});
  }

  /** Joins the stream of an HTTP session with something that may be asked there. A process attributes its questions by itself. Returns how to leave. */
  async joinAsking({ session }: Lease, ask: (question: Message) => void): Promise<() => void> {
    if (this.#options.hasProcesses || !asksBack(session.capabilities)) return () => undefined;
    return session.stream.join({ ask });
  }

  /** Replaces a session that the upstream has forgotten. */
  async renew(lease: Lease, call: Post): Promise<void> {
    const { session } = lease;
    session.stream.close();
    if (session.isExclusive) lease.session = await this.#open(session.key, call, true);
    else {
      const known = this.#shared.get(session.key);
      const current = await known?.catch(() => undefined);
      // Another call may have replaced it meanwhile.
      if (current === session && this.#shared.get(session.key) === known) this.#shared.delete(session.key);
      lease.session = await this.#join(session.key, call);
    }
    lease.session.users++;
  }

  /** A call in this session: with the headers of `call`, if it is a client's, and without those that only 2026 has. */
  callOf({ session, caller }: Lease, { headers = {} }: Partial<Call> = {}): Call {
    const { id, version } = session;
    return { caller, headers: withoutMirrors(headers), version, signal: NEVER, ...(id !== undefined && { session: id }) };
  }

  /** Nobody can say whose question it is if unknown users share a session. */
  #isExclusive({ caller, headers }: Call, capabilities: JsonRecord): boolean {
    const isKnown = caller.principal !== undefined || caller.isPipe === true || headers['authorization'] !== undefined;
    return !isKnown && (this.#options.hasProcesses ? this.#options.carriesQuestions : asksBack(capabilities));
  }

  #relayed({ message }: Post): JsonRecord {
    const declared = message.meta[keys.CLIENT_CAPABILITIES];
    if (!isObject(declared)) return {};
    return Object.fromEntries(Object.entries(declared).filter(([name]) => this.#options.carriesQuestions || !asksBack({ [name]: {} })));
  }

  #take(key: string, call: Post): LegacySession | Promise<LegacySession> {
    const place = this.#free.findLastIndex((session) => session.key === key);
    return place < 0 ? this.#open(key, call, true) : (this.#free.splice(place, 1)[0] as LegacySession);
  }

  #join(key: string, call: Post): Promise<LegacySession> {
    const known = this.#shared.get(key);
    const session = known ?? this.#open(key, call, false);
    // The map stays in the order of use.
    this.#shared.delete(key);
    this.#shared.set(key, session);
    if (known === undefined) {
      session.catch(() => {
        if (this.#shared.get(key) === session) this.#shared.delete(key);
      });
      if (this.#shared.size > MAX_SESSIONS) void this.#dropOldest();
    }
    return session;
  }

  async #dropOldest(): Promise<void> {
    for (const [key, opened] of this.#shared) {
      const session = await opened.catch(() => undefined);
      if (session !== undefined && session.users > 0) continue;
      if (this.#shared.get(key) === opened) this.#shared.delete(key);
      if (session !== undefined) this.#end(session, {});
      return;
    }
  }

  #end(session: LegacySession, caller: Caller): void {
    session.stream.close();
    if (session.id === undefined) return;
    void this.#upstream.delete(this.callOf({ session, caller })).then(
      (answer) => answer.kind === 'http' && answer.body.resume(),
      () => undefined,
    );
  }

  async #open(key: string, post: Post, isExclusive: boolean): Promise<LegacySession> {
    const { name } = this.#options;
    const { message, caller, headers } = post;
    const capabilities = this.#relayed(post);
    const clientInfo = message.meta[keys.CLIENT_INFO] ?? { name: 'waybill-gateway', version: '0' };
    const params = { protocolVersion: LEGACY, capabilities, clientInfo };
    const initialize = makeMessage({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const given = { caller, headers: withoutMirrors(headers), signal: NEVER, hasOwnStream: false };
    const answer = await this.#upstream.post({ ...given, message: initialize });
    if (answer.kind === 'http' && answer.status >= 400 && answer.status !== 404) {
      answer.body.resume();
      throw refusedBy(name, answer);
    }
    const id = answer.headers?.['mcp-session-id'];
    for await (const { text } of messagesOf(answer, name, ANSWER_LIMIT)) {
      const reply = readMessage(text);
      if (reply === undefined || !isAnswer(reply)) continue;
      if (at(reply.value, 'error', 'code') === -32022) throw new Refusal(400, -32022, 'Unsupported protocol version');
      const introduction = own(reply.value, 'result');
      if (!isObject(introduction)) break;
      const version = textOf(own(introduction, 'protocolVersion')) ?? LEGACY;
      const stream: SessionStream = new SessionStream({
        name,
        open: (signal) => this.#upstream.get({ ...this.callOf({ session, caller }, post), signal }),
        send: (sent) => void this.#tell({ session, caller }, post, sent),
      });
      const session: LegacySession = {
        ...{ key, id, version, capabilities, introduction, stream, isExclusive },
        subscribed: new Map(),
        users: 0,
      };
      const initialized = makeMessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await this.#tell({ session, caller }, post, initialized);
      return session;
    }
    throw new Refusal(502, -32603, `The upstream ${name} refused to begin a session`);
  }

  async #tell(lease: Lease, post: Post, message: Message): Promise<void> {
    const answer = await this.#upstream.post({ ...this.callOf(lease, post), message });
    if (answer.kind === 'http') answer.body.resume();
  }
}

/** True if one of these capabilities is a promise to answer a question. */
function asksBack(capabilities: JsonRecord): boolean {
  return Object.values(QUESTIONS).some((name) => Object.hasOwn(capabilities, name));
}

/** The user of a call. Under `credentials: pass` nobody is verified, but a token is never used for what another token began. */
export function identityOf({ caller, headers }: Call): readonly [string | null, string | null] {
  return [caller.principal ?? null, headers['authorization'] ?? null];
}

function withoutMirrors(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-(?:method|name|param-)/.test(name)));
}
