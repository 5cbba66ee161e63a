/**
 * M→L: a 2026 client in front of a 2025 upstream. Sessions with the upstream are pooled. A question of the server goes back to the client as
 * `input_required`, while the call waits for the client's next request.
 */
import { keys } from 'waybill';
import { ACCEPTED, broken, discard, POST_ONLY, Refusal, wholeAnswer, type Answer, type Event } from '../answer.js';
import type { Face, Post } from '../face.js';
import { errorText, resultText, type Message } from '../message.js';
import { MODERN, SPOKEN, UNSUPPORTED_VERSION } from '../revision.js';
import { Queue } from '../queue.js';
import { messagesOf } from '../sse.js';
import { dropEnvelope } from './envelope.js';
import { introduce } from './introduction.js';
import { listenAtLegacy } from './legacyListen.js';
import { requestIn, type Lease } from './legacySession.js';
import { ParkedCalls } from './parkedCalls.js';
import { RelayedCall, type ClientRequest } from './relayedCall.js';
import { QUESTIONS, SessionPool, type PoolOptions } from './sessionPool.js';

/** Methods whose answer may be `input_required`. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** Methods of 2025 that 2026 does not have. A subscription of a client is counted, so it comes by `subscriptions/listen` only. */
const WITHOUT_COUNTERPART = new Set(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

export class ModernToLegacy implements Face {
  readonly #upstream: Face;
  readonly #name: string;
  readonly #pool: SessionPool;
  readonly #parked = new ParkedCalls<RelayedCall>();

  constructor(upstream: Face, options: PoolOptions) {
    this.#upstream = upstream;
    this.#name = options.name;
    this.#pool = new SessionPool(upstream, options);
  }

  async post(post: Post): Promise<Answer> {
    const { message, signal } = post;
    if (message.kind !== 'request') return ACCEPTED;
    const requested = message.meta[keys.PROTOCOL_VERSION];
    if (requested !== MODERN) return unsupported(message, requested);
    if (WITHOUT_COUNTERPART.has(message.method))
      return wholeAnswer(errorText(message.idText, -32601, `Method not found: ${message.method}`), 404);
    const queue = new Queue<Event>();
    const waiting = this.#parked.take(post);
    if (waiting !== undefined) {
      waiting.resume({ message, signal, queue });
      return { kind: 'messages', messages: queue };
    }
    const lease = await this.#pool.lease(post);
    if (message.method === 'server/discover') {
      this.#pool.release(lease);
      return wholeAnswer(resultText(message.idText, introduce(lease.session.introduction)));
    }
    if (message.method === 'subscriptions/listen') void this.#listen(lease, post, queue);
    else void this.#relay(lease, post, queue);
    return { kind: 'messages', messages: queue };
  }

  get(): Promise<Answer> {
    return Promise.resolve(POST_ONLY);
  }

  delete(): Promise<Answer> {
    return this.get();
  }

  close(): void {
    this.#parked.close();
  }

  /** Lasts as long as the upstream works on the call, which may be longer than this request of the client. */
  async #relay(lease: Lease, post: Post, queue: Queue<Event>): Promise<void> {
    const { message, signal } = post;
    const client: ClientRequest = { message, signal, queue };
    const { capabilities, id } = lease.session;
    // D-29: without a session no answer finds its way back to the server.
    const mayAsk = MAY_ASK.has(message.method) && id !== undefined;
    const call: RelayedCall = new RelayedCall(message.method, {
      send: (sent) => this.#send(lease, post, sent),
      canAsk: ({ method }) => mayAsk && Object.hasOwn(capabilities, QUESTIONS[method] ?? '') && !this.#parked.isFull,
      park: () => this.#parked.park(call, post),
    });
    const request = call.requestOf(client);
    dropEnvelope(request);
    if (Object.keys(request.meta).length === 0) request.remove(['params', '_meta']);
    call.attach(client);
    let leave = (): void => undefined;
    const send = async (): Promise<Answer> => {
      leave();
      if (mayAsk) leave = await this.#pool.joinAsking(lease, (question) => call.ask(question));
      return this.#upstream.post({ ...requestIn(lease, post), message: request, signal: call.signal });
    };
    try {
      const answer = await this.#withSession(lease, post, send);
      for await (const { text } of messagesOf(answer, this.#name)) {
        if (call.take(text)) return;
        await call.room();
      }
      call.fail(broken(this.#name));
    } catch (error) {
      call.fail(error);
    } finally {
      leave();
      this.#pool.release(lease, call.signal.aborted);
    }
  }

  /** A session that the upstream has forgotten is opened again, and the request is sent once more. */
  async #withSession(lease: Lease, post: Post, send: () => Promise<Answer>): Promise<Answer> {
    const answer = await send().catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    });
    if (answer !== undefined && (answer.kind !== 'http' || answer.status !== 404 || lease.session.id === undefined)) return answer;
    if (answer !== undefined) discard(answer);
    await this.#pool.renew(lease, post);
    return send();
  }

  async #listen(lease: Lease, post: Post, queue: Queue<Event>): Promise<void> {
    try {
      await listenAtLegacy(lease.session, post, queue, (request) => this.#send(lease, post, request));
      queue.end();
    } catch (error) {
      queue.end(error);
    } finally {
      this.#pool.release(lease);
    }
  }

  /** Sends a message besides the call itself, and waits until the upstream has taken it. */
  async #send(lease: Lease, post: Post, message: Message): Promise<void> {
    try {
      const answer = await this.#upstream.post({ ...requestIn(lease, post), message });
      for await (const _ of messagesOf(answer, this.#name));
    } catch {
      // The upstream is gone or refuses; the call itself tells so.
    }
  }
}

function unsupported(message: Message, requested: unknown): Answer {
  const data = { supported: [...SPOKEN], requested };
  return wholeAnswer(errorText(message.idText, UNSUPPORTED_VERSION, 'Unsupported protocol version', data), 400);
}
