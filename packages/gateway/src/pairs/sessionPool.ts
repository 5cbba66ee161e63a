/**
 * The sessions of 2026 clients with a 2025 upstream. They are pooled by the user and by the capabilities that were declared, because a 2025
 * session knows one user and one set of capabilities.
 */
import { keys } from 'waybill';
import { canonicalCapabilities } from 'waybill/adapter';
import { discard } from '../answer.js';
import type { Caller, Face, FaceRequest, Post } from '../face.js';
import { isObject, type JsonRecord } from '../json/values.js';
import type { Message } from '../message.js';
import { openSession, requestIn, type Lease, type LegacySession } from './legacySession.js';

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

  async lease(post: Post): Promise<Lease> {
    const capabilities = this.#relayed(post);
    const isExclusive = this.#isExclusive(post, capabilities);
    // One process serves all clients of a user. Elsewhere a session is no more than an id, and the server is told who really asks.
    const client = this.#options.hasProcesses && !isExclusive ? undefined : post.message.meta[keys.CLIENT_INFO];
    const key = JSON.stringify([userOf(post), canonicalCapabilities(capabilities as never), client]);
    const session = isExclusive ? await this.#take(key, post) : await this.#join(key, post);
    session.users++;
    return { session, caller: post.caller };
  }

  /** `isBroken`: the server may still be at work for this user, so nobody else gets the session. */
  release({ session, caller }: Lease, isBroken = false): void {
    session.users--;
    if (!session.isExclusive) return;
    if (isBroken) this.#end(session, caller);
    else if (this.#free.push(session) > MAX_SESSIONS) this.#end(this.#free.shift() as LegacySession, {});
  }

  /** Joins the stream of an HTTP session with something that may be asked there. A process attributes its questions by itself. Returns how to leave. */
  async joinAsking({ session }: Lease, ask: (question: Message) => void): Promise<() => void> {
    if (this.#options.hasProcesses || !asksBack(session.capabilities)) return () => undefined;
    return session.stream.join({ ask });
  }

  /** Replaces a session that the upstream has forgotten. */
  async renew(lease: Lease, post: Post): Promise<void> {
    const { session } = lease;
    session.stream.close();
    if (session.isExclusive) lease.session = await this.#open(session.key, post, true);
    else {
      const known = this.#shared.get(session.key);
      const current = await known?.catch(() => undefined);
      // Another call may have replaced it meanwhile.
      if (current === session && this.#shared.get(session.key) === known) this.#shared.delete(session.key);
      lease.session = await this.#join(session.key, post);
    }
    lease.session.users++;
  }

  /** Unknown users share no session that may ask back: its questions would belong to none of them. */
  #isExclusive({ caller, headers }: FaceRequest, capabilities: JsonRecord): boolean {
    const isKnown = caller.principal !== undefined || caller.isPipe === true || headers['authorization'] !== undefined;
    return !isKnown && (this.#options.hasProcesses ? this.#options.carriesQuestions : asksBack(capabilities));
  }

  #relayed({ message }: Post): JsonRecord {
    const declared = message.meta[keys.CLIENT_CAPABILITIES];
    if (!isObject(declared)) return {};
    return Object.fromEntries(Object.entries(declared).filter(([name]) => this.#options.carriesQuestions || !asksBack({ [name]: {} })));
  }

  #take(key: string, post: Post): LegacySession | Promise<LegacySession> {
    const place = this.#free.findLastIndex((session) => session.key === key);
    return place < 0 ? this.#open(key, post, true) : (this.#free.splice(place, 1)[0] as LegacySession);
  }

  #open(key: string, post: Post, isExclusive: boolean): Promise<LegacySession> {
    return openSession(this.#upstream, this.#options.name, post, { key, isExclusive, capabilities: this.#relayed(post) });
  }

  #join(key: string, post: Post): Promise<LegacySession> {
    const known = this.#shared.get(key);
    const session = known ?? this.#open(key, post, false);
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
    void this.#upstream.delete(requestIn({ session, caller })).then(discard, () => undefined);
  }
}

/** True if one of these capabilities is a promise to answer a question. */
function asksBack(capabilities: JsonRecord): boolean {
  return Object.values(QUESTIONS).some((name) => Object.hasOwn(capabilities, name));
}

/** The user of a call. Under `credentials: pass` nobody is verified, but a token is never used for what another token began. */
export function userOf({ caller, headers }: FaceRequest): readonly [string | null, string | null] {
  return [caller.principal ?? null, headers['authorization'] ?? null];
}
