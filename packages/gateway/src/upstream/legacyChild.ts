/**
 * The face of a 2025 stdio server: sessions over child processes. A session has a process of its own, or shares one (`share`). A process that
 * ended is started again with the session's `initialize`, when the session is next used.
 */
import { randomUUID } from 'node:crypto';
import { canonicalCapabilities } from 'waybill/adapter';
import { ACCEPTED, broken, wholeAnswer, type Answer } from '../answer.js';
import type { Share } from '../config/types.js';
import type { Caller, Face, FaceRequest, Post } from '../face.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { makeMessage, resultText, type Message } from '../message.js';
import type { Channel, Questions } from './channel.js';
import { SharedProcesses } from './sharedProcesses.js';
import type { Supervisor } from './supervisor.js';
import { SessionTable } from '../sessionTable.js';
import { NEVER } from '../signals.js';
import { finalMessage } from '../sse.js';

export interface LegacyChildOptions {
  readonly share: Share;
  /** D-38: the gateway keeps the state of its clients, so it declares `state` also to a process that serves them all. */
  readonly keepsState: boolean;
}

/** A process with its `initialize` done. */
interface Opened {
  readonly channel: Channel;
  /** The answer to `initialize` as it came. */
  readonly answer: Message;
}

/** Starts the process of a session, also after it has ended. */
interface Start {
  /** Sessions with the same key share a process; undefined if this one has its own. */
  readonly key: string | undefined;
  readonly initialize: Message;
  readonly questions: Questions;
}

interface Session extends Start {
  readonly id: string;
  /** The resources that its client has subscribed to. */
  readonly subscribed: Set<string>;
  opened: Promise<Opened>;
}

const MAX_SUBSCRIBED = 1_000;
const INITIALIZED = makeMessage({ jsonrpc: '2.0', method: 'notifications/initialized' });

export class LegacyChild implements Face {
  readonly #supervisor: Supervisor;
  readonly #name: string;
  readonly #share: Share;
  readonly #declaredForAll: JsonRecord;
  readonly #sessions = new SessionTable<Session>(({ key, opened }) => {
    if (key === undefined) void opened.then(({ channel }) => channel.end()).catch(() => undefined);
  });
  readonly #shared = new SharedProcesses<Opened>();

  constructor(name: string, supervisor: Supervisor, { share, keepsState }: LegacyChildOptions) {
    this.#name = name;
    this.#supervisor = supervisor;
    this.#share = share;
    this.#declaredForAll = keepsState ? { state: {} } : {};
  }

  async post(call: Post): Promise<Answer> {
    const { message, signal } = call;
    if (message.method === 'initialize' && message.kind === 'request') return this.#open(call);
    const session = this.#sessions.of(call);
    if (message.method === 'notifications/initialized') {
      // The process of this session got it when it was opened.
      return ACCEPTED;
    }
    if (this.#isStillWanted(session, message)) return wholeAnswer(resultText(message.idText, {}));
    const { channel } = await this.#process(session, signal);
    if (message.kind === 'request')
      return { kind: 'messages', messages: channel.request(message, signal, { cancels: false, owner: session }) };
    if (message.method === 'notifications/cancelled') channel.passCancellation(message, session);
    else channel.send(message);
    return ACCEPTED;
  }

  async get(call: FaceRequest): Promise<Answer> {
    const { channel } = await this.#process(this.#sessions.of(call), call.signal);
    return { kind: 'messages', messages: channel.stream(call.signal) };
  }

  delete(call: FaceRequest): Promise<Answer> {
    this.#sessions.end(this.#sessions.of(call));
    return Promise.resolve({ kind: 'whole', status: 200 });
  }

  /**
   * Notes what a session subscribes to. True if another session of the same process still wants what this one gives up: the server knows of one
   * subscriber, and would end the updates for both.
   */
  #isStillWanted(session: Session, { method, params }: Message): boolean {
    const uri = textOf(own(params, 'uri'));
    if (session.key === undefined || uri === undefined) return false;
    if (method === 'resources/subscribe' && session.subscribed.size < MAX_SUBSCRIBED) session.subscribed.add(uri);
    if (method !== 'resources/unsubscribe') return false;
    session.subscribed.delete(uri);
    return this.#sessions.some(({ key, subscribed }) => key === session.key && subscribed.has(uri));
  }

  async #open({ message, caller, signal, hasOwnStream = true }: Post): Promise<Answer> {
    const key = this.#keyOf(message, caller);
    const initialize = message.copy();
    // The gateway could not tell whose question it is, so it declares nothing of the client.
    if (this.#share === 'one') initialize.set(['params', 'capabilities'], this.#declaredForAll);
    const start: Start = { key, initialize, questions: this.#questions(key, hasOwnStream) };
    const opened = this.#opened(start, signal);
    const answer = (await opened).answer.copy();
    answer.setText(['id'], message.idText);
    if (answer.kind === 'error') return wholeAnswer(answer.text);
    const session: Session = { ...start, id: randomUUID(), subscribed: new Set(), opened };
    this.#sessions.add(session);
    return wholeAnswer(answer.text, 200, { 'mcp-session-id': session.id });
  }

  /** A legacy process knows one set of client capabilities, so callers share it only if theirs are equal. */
  #keyOf(message: Message, { principal }: Caller): string | undefined {
    if (this.#share === 'one') return 'one';
    if (this.#share === 'connection' || principal === undefined) return undefined;
    const capabilities = at(message.value, 'params', 'capabilities');
    return JSON.stringify([principal, canonicalCapabilities(isObject(capabilities) ? (capabilities as never) : undefined)]);
  }

  async #process(session: Session, signal: AbortSignal): Promise<Opened> {
    const opened = await session.opened.catch(() => undefined);
    if (opened !== undefined && !opened.channel.isGone) return opened;
    session.opened = this.#opened(session, signal);
    const again = await session.opened;
    if (again.answer.kind === 'error') throw broken(this.#name);
    return again;
  }

  #opened(start: Start, signal: AbortSignal): Promise<Opened> {
    const { key } = start;
    return key === undefined ? this.#start(start, signal) : this.#shared.of(key, () => this.#start(start, signal));
  }

  #questions(key: string | undefined, hasOwnStream: boolean): Questions {
    if (this.#share === 'one') return 'refused';
    return key === undefined && hasOwnStream ? 'of the session' : 'of one call';
  }

  async #start({ key, initialize, questions }: Start, signal: AbortSignal): Promise<Opened> {
    const channel = await this.#supervisor.start({ isShared: key !== undefined, questions }, signal);
    let isOpen = false;
    try {
      const messages = channel.request(initialize, NEVER, { cancels: false });
      const answer = await finalMessage({ kind: 'messages', messages }, this.#name);
      if (answer === undefined) throw broken(this.#name);
      isOpen = answer.kind === 'result';
      if (isOpen) channel.send(INITIALIZED);
      return { channel, answer };
    } finally {
      // A process that does not begin a session is of no use to anybody.
      if (!isOpen) void channel.end();
    }
  }
}
