/**
 * M→L: a 2026 client in front of a 2025 upstream. Sessions with the upstream are pooled by principal and by the capabilities that this pair can
 * carry. A legacy server's own questions have no way back to a 2026 client, so none of the capabilities for them is declared.
 */
import { randomUUID } from 'node:crypto';
import { keys } from 'waybill';
import { canonicalCapabilities } from 'waybill/adapter';
import { ACCEPTED, Refusal, wholeAnswer, type Answer, type Event } from '../answer.js';
import type { Call, Caller, Face, Post } from '../face.js';
import { textAt } from '../json/spans.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { errorText, isAnswer, LEGACY, makeMessage, MODERN, readMessage, resultText, SPOKEN, type Message } from '../message.js';
import { Queue } from '../queue.js';
import { messagesOf } from '../sse.js';
import { dropEnvelope } from './envelope.js';
import { NEVER } from '../signals.js';

interface Session {
  readonly key: string;
  /** Undefined if the upstream has no sessions. */
  readonly id: string | undefined;
  readonly version: string;
  /** The upstream's answer to `initialize`. */
  readonly introduction: JsonRecord;
  /** How many listeners want each resource. */
  readonly subscribed: Map<string, number>;
}

export interface PoolOptions {
  readonly name: string;
  /** A session is used by one request at a time, unless its principal is known: it has a process of its own. */
  readonly isExclusive: boolean;
}

const ANSWER_LIMIT = 64 * 1024 * 1024;
/** Each of these is a promise to answer a question of the server. */
const QUESTIONS = new Set(['elicitation', 'sampling', 'roots']);
const CACHEABLE = /^(?:server\/discover|tools\/list|prompts\/list|resources\/list|resources\/templates\/list|resources\/read)$/;
const MOST_SESSIONS = 1_000;

export class ModernToLegacy implements Face {
  readonly #upstream: Face;
  readonly #options: PoolOptions;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #free: Session[] = [];

  constructor(upstream: Face, options: PoolOptions) {
    this.#upstream = upstream;
    this.#options = options;
  }

  async post(call: Post): Promise<Answer> {
    const { message } = call;
    if (message.kind !== 'request') return ACCEPTED;
    const version = message.meta[keys.PROTOCOL_VERSION];
    if (version !== MODERN)
      return wholeAnswer(
        errorText(message.id, -32022, 'Unsupported protocol version', { supported: [...SPOKEN], requested: version }),
        400,
      );
    if (message.method === 'initialize' || message.method === 'ping' || message.method === 'logging/setLevel')
      return wholeAnswer(errorText(message.id, -32601, `Method not found: ${message.method}`), 404);
    const session = await this.#lease(call);
    if (message.method === 'server/discover') {
      this.#release(session, call.caller);
      return wholeAnswer(resultText(message.id, introduce(session.introduction)));
    }
    const queue = new Queue<Event>();
    const work = message.method === 'subscriptions/listen' ? this.#listen(session, call, queue) : this.#relay(session, call, queue);
    void work
      .then(
        () => queue.end(),
        (error: unknown) => queue.end(call.signal.aborted ? undefined : error),
      )
      .finally(() => this.#release(session, call.caller));
    return { kind: 'messages', messages: queue };
  }

  get(_call: Call): Promise<Answer> {
    return Promise.resolve({ kind: 'whole', status: 405, headers: { allow: 'POST' } });
  }

  delete(call: Call): Promise<Answer> {
    return this.get(call);
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }

  async #relay(session: Session, call: Post, queue: Queue<Event>): Promise<void> {
    const id = textAt(call.message.text, ['id']) as string;
    const token = textAt(call.message.text, ['params', '_meta', keys.PROGRESS_TOKEN]);
    const request = call.message.copy();
    const ownId = randomUUID();
    dropEnvelope(request);
    if (Object.keys(request.meta).length === 0) request.remove(['params', '_meta']);
    request.set(['id'], ownId);
    if (token !== undefined) request.setMeta(keys.PROGRESS_TOKEN, ownId);
    const cancel = (): void => {
      const cancelled = makeMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: ownId } });
      void this.#upstream.post({ ...this.#callOf(session, call.caller), message: cancelled }).catch(() => undefined);
    };
    call.signal.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await this.#send(session, call, request);
      for await (const { text } of messagesOf(answer, this.#options.name, ANSWER_LIMIT)) {
        const message = readMessage(text);
        if (message === undefined) continue;
        if (message.kind === 'request') void this.#refuse(session, call.caller, message);
        else if (isAnswer(message)) {
          message.setText(['id'], id);
          complete(message, call.message.method);
          queue.push({ text: message.text });
          return;
        } else if (message.method === 'notifications/progress' && token !== undefined) {
          message.setText(['params', 'progressToken'], token);
          queue.push({ text: message.text });
        }
      }
    } finally {
      call.signal.removeEventListener('abort', cancel);
    }
    if (!call.signal.aborted) throw new Refusal(502, -32603, `The upstream ${this.#options.name} ended its answer too early`);
  }

  /** A session that the upstream has forgotten is opened again, and the request is sent once more. */
  async #send(session: Session, call: Post, request: Message): Promise<Answer> {
    const answer = await this.#upstream.post({ ...this.#callOf(session, call.caller, call), message: request }).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    });
    const isGone = answer === undefined || (answer.kind === 'http' && answer.status === 404 && session.id !== undefined);
    if (!isGone) return answer;
    if (answer?.kind === 'http') answer.body.resume();
    this.#sessions.delete(session.key);
    const again = await this.#session(session.key, call);
    return this.#upstream.post({ ...this.#callOf(again, call.caller, call), message: request });
  }

  async #refuse(session: Session, caller: Caller, question: Message): Promise<void> {
    const isPing = question.method === 'ping';
    const answer = makeMessage({
      jsonrpc: '2.0',
      id: 0,
      ...(isPing ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }),
    });
    answer.setText(['id'], textAt(question.text, ['id']) as string);
    await this.#upstream.post({ ...this.#callOf(session, caller), message: answer }).catch(() => undefined);
  }

  async #listen(session: Session, { message, caller, signal }: Post, queue: Queue<Event>): Promise<void> {
    const filter = own(message.params, 'notifications');
    if (!isObject(filter)) throw new Refusal(400, -32602, "Invalid params: 'notifications' is required");
    const id = textAt(message.text, ['id']) as string;
    const offered = own(session.introduction, 'capabilities');
    const wants = (member: string, name: string): boolean => own(filter, member) === true && at(offered, name, 'listChanged') === true;
    const asked = own(filter, 'resourceSubscriptions');
    const uris =
      Array.isArray(asked) && at(offered, 'resources', 'subscribe') === true ? asked.filter((uri) => typeof uri === 'string') : [];
    const honoured = {
      ...(wants('toolsListChanged', 'tools') && { toolsListChanged: true }),
      ...(wants('promptsListChanged', 'prompts') && { promptsListChanged: true }),
      ...(wants('resourcesListChanged', 'resources') && { resourcesListChanged: true }),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    };
    const stamp = (notification: Message): void => {
      notification.setText(['params', '_meta', keys.SUBSCRIPTION_ID], id);
      queue.push({ text: notification.text });
    };
    const stream = await this.#upstream.get({ ...this.#callOf(session, caller), signal });
    await Promise.all(uris.map((uri) => this.#subscribe(session, caller, uri, 1)));
    stamp(makeMessage({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: honoured } }));
    try {
      if (stream.kind !== 'http' || stream.status === 200)
        for await (const { text } of messagesOf(stream, this.#options.name, ANSWER_LIMIT)) {
          const notification = readMessage(text);
          if (notification?.kind === 'request') void this.#refuse(session, caller, notification);
          else if (notification !== undefined && isWanted(notification, honoured)) stamp(notification);
        }
      else stream.body.resume();
    } finally {
      await Promise.all(uris.map((uri) => this.#subscribe(session, caller, uri, -1)));
    }
    const end = makeMessage({ jsonrpc: '2.0', id: 0, result: { resultType: 'complete', _meta: {} } });
    end.setText(['id'], id);
    end.setText(['result', '_meta', keys.SUBSCRIPTION_ID], id);
    queue.push({ text: end.text });
  }

  /** The upstream is told of the first listener for a resource, and of the last one that goes. */
  async #subscribe(session: Session, caller: Caller, uri: string, step: 1 | -1): Promise<void> {
    const before = session.subscribed.get(uri) ?? 0;
    session.subscribed.set(uri, before + step);
    if (before + step !== (step === 1 ? 1 : 0)) return;
    const method = step === 1 ? 'resources/subscribe' : 'resources/unsubscribe';
    const message = makeMessage({ jsonrpc: '2.0', id: randomUUID(), method, params: { uri } });
    try {
      const answer = await this.#upstream.post({ ...this.#callOf(session, caller), message });
      for await (const _ of messagesOf(answer, this.#options.name, ANSWER_LIMIT));
    } catch {
      // Nothing is promised: the listener gets no updates of this resource.
    }
  }

  #callOf({ id, version }: Session, caller: Caller, call?: Post): Call {
    const { headers = {} } = call ?? {};
    return { caller, headers: withoutMirrors(headers), version, signal: NEVER, ...(id !== undefined && { session: id }) };
  }

  async #lease(call: Post): Promise<Session> {
    const key = keyOf(call);
    if (!this.#options.isExclusive || call.caller.principal !== undefined || call.caller.isPipe === true) return this.#session(key, call);
    const at = this.#free.findIndex((session) => session.key === key);
    return at < 0 ? this.#open(key, call) : (this.#free.splice(at, 1)[0] as Session);
  }

  #release(session: Session, { principal, isPipe }: Caller): void {
    if (this.#options.isExclusive && principal === undefined && isPipe !== true) this.#free.push(session);
  }

  #session(key: string, call: Post): Promise<Session> {
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = this.#open(key, call);
      if (this.#sessions.size >= MOST_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value as string);
      this.#sessions.set(key, session);
      session.catch(() => this.#sessions.delete(key));
    }
    return session;
  }

  async #open(key: string, { message, caller, headers }: Post): Promise<Session> {
    const clientInfo = message.meta[keys.CLIENT_INFO] ?? { name: 'waybill-gateway', version: '0' };
    const params = { protocolVersion: LEGACY, capabilities: relayed(message), clientInfo };
    const initialize = makeMessage({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const given = { caller, headers: withoutMirrors(headers), signal: NEVER };
    const answer = await this.#upstream.post({ ...given, message: initialize });
    if (answer.kind === 'http' && answer.status >= 400 && answer.status !== 404) {
      answer.body.resume();
      throw new Refusal(answer.status, -32603, `The upstream ${this.#options.name} answered with status ${answer.status}`);
    }
    const id = answer.headers?.['mcp-session-id'];
    for await (const { text } of messagesOf(answer, this.#options.name, ANSWER_LIMIT)) {
      const reply = readMessage(text);
      if (reply === undefined || !isAnswer(reply)) continue;
      const introduction = own(reply.value, 'result');
      if (!isObject(introduction)) break;
      const version = textOf(own(introduction, 'protocolVersion')) ?? LEGACY;
      const session: Session = { key, id, version, introduction, subscribed: new Map() };
      const initialized = makeMessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
      const told = await this.#upstream.post({ ...this.#callOf(session, caller), message: initialized });
      if (told.kind === 'http') told.body.resume();
      return session;
    }
    throw new Refusal(502, -32603, `The upstream ${this.#options.name} refused to begin a session`);
  }
}

/** CAP-25, D-38: what the client declared and this pair can carry. */
function relayed(message: Message): JsonRecord {
  const declared = message.meta[keys.CLIENT_CAPABILITIES];
  if (!isObject(declared)) return {};
  return Object.fromEntries(Object.entries(declared).filter(([name]) => !QUESTIONS.has(name)));
}

function keyOf({ message, caller }: Post): string {
  return JSON.stringify([caller.principal ?? null, canonicalCapabilities(relayed(message) as never)]);
}

function introduce(introduction: JsonRecord): JsonRecord {
  const { capabilities, serverInfo, instructions, _meta } = introduction;
  return {
    resultType: 'complete',
    supportedVersions: [...SPOKEN],
    capabilities: withoutLogging(capabilities),
    ...(instructions !== undefined && { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { ...(isObject(_meta) ? _meta : {}), [keys.SERVER_INFO]: serverInfo },
  };
}

/** Logging is not carried in this pair, so it is not offered. */
function withoutLogging(capabilities: unknown): JsonRecord {
  if (!isObject(capabilities)) return {};
  const { logging: _, ...rest } = capabilities;
  return rest;
}

/** BASE-10, BASE-15: members that every 2026 result has. */
function complete(answer: Message, method: string): void {
  if (answer.kind !== 'result') return;
  const result = own(answer.value, 'result') as JsonRecord;
  if (result['resultType'] === undefined) answer.set(['result', 'resultType'], 'complete');
  if (!CACHEABLE.test(method)) return;
  if (result['ttlMs'] === undefined) answer.set(['result', 'ttlMs'], 0);
  if (result['cacheScope'] === undefined) answer.set(['result', 'cacheScope'], 'private');
}

function isWanted({ method, params }: Message, filter: { resourceSubscriptions?: string[] } & JsonRecord): boolean {
  if (method === 'notifications/resources/updated')
    return filter.resourceSubscriptions?.includes(textOf(own(params, 'uri')) ?? '') === true;
  const name = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
  return name !== undefined && filter[`${name}ListChanged`] === true;
}

function withoutMirrors(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-(?:method|name|param-)/.test(name)));
}
