/**
 * One request at a 2025 upstream, for a 2026 client. If the server asks back, the client's request ends with `input_required`, the call goes on
 * waiting, and the client's next request brings the answers and takes over.
 */
import { randomUUID } from 'node:crypto';
import { keys } from 'waybill';
import type { Event } from '../answer.js';
import { textAt } from '../json/spans.js';
import { at, isObject, own } from '../json/values.js';
import { idKey, isAnswer, makeMessage, readMessage, type Message } from '../message.js';
import type { Queue } from '../queue.js';
import { completeResult } from './introduction.js';
import { replyTo } from './sessionStream.js';

/** The client's request that waits at the moment. */
export interface Listener {
  readonly message: Message;
  readonly queue: Queue<Event>;
  readonly signal: AbortSignal;
}

export interface CallEvents {
  /** Sends a message to the upstream, in the session of the call. */
  send(message: Message): Promise<void>;
  /** True if the client of this call can be asked this. */
  canAsk(question: Message): boolean;
  /** The call waits for the next request of its client. Returns its `requestState`. */
  park(): string;
}

export class RelayedCall {
  readonly id = randomUUID();
  readonly #method: string;
  readonly #events: CallEvents;
  readonly #stop = new AbortController();
  readonly #questions = new Map<string, Message>();
  #listener: Listener | undefined;
  /** The end of the call, if it came while nobody listened. */
  #outcome: { readonly answer: Message } | { readonly error: unknown } | undefined;
  #cancel = (): void => undefined;

  constructor(method: string, events: CallEvents) {
    this.#method = method;
    this.#events = events;
  }

  /** Aborted when nobody wants the answer any more. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The request as the upstream gets it. */
  requestOf({ message }: Listener): Message {
    const request = message.copy();
    request.set(['id'], this.id);
    if (request.meta[keys.PROGRESS_TOKEN] !== undefined) request.setMeta(keys.PROGRESS_TOKEN, this.id);
    return request;
  }

  /** From now on this request waits for the answer. */
  attach(listener: Listener): void {
    this.#listener = listener;
    this.#cancel = () => this.giveUp();
    listener.signal.addEventListener('abort', this.#cancel, { once: true });
    if (listener.signal.aborted) this.giveUp();
  }

  /** A later request of the client, with answers to the questions. A question without one is asked again. */
  resume(listener: Listener): void {
    this.attach(listener);
    for (const [name, question] of this.#questions) {
      const response = textAt(listener.message.text, ['params', 'inputResponses', name]);
      if (response === undefined || !isObject(at(listener.message.params, 'inputResponses', name))) continue;
      this.#questions.delete(name);
      const reply = replyTo(question, { result: {} });
      reply.setText(['result'], response);
      void this.#events.send(reply);
    }
    if (this.#outcome !== undefined) this.#finish(this.#outcome);
    else if (this.#questions.size > 0) this.#askClient();
  }

  /** Takes one message of the upstream. Returns true for the one that ends the call. */
  take(text: string): boolean {
    const message = readMessage(text);
    if (message === undefined) return false;
    if (message.kind === 'request') this.ask(message);
    else if (isAnswer(message)) {
      this.#finish({ answer: message });
      return true;
    } else if (message.method === 'notifications/progress') this.#progress(message);
    else if (message.method === 'notifications/cancelled') this.#withdraw(idKey(own(message.params, 'requestId')));
    return false;
  }

  /** Undefined if the client has room for more; else resolves when it has. */
  room(): Promise<void> | undefined {
    return this.#listener?.queue.room();
  }

  /** A question of the server: to the client's request, or to its next one. */
  ask(question: Message): void {
    if (question.method === 'ping') void this.#events.send(replyTo(question, { result: {} }));
    else if (!this.#events.canAsk(question))
      void this.#events.send(replyTo(question, { error: { code: -32601, message: `Method not found: ${question.method}` } }));
    else {
      this.#questions.set(randomUUID(), question);
      if (this.#listener !== undefined) this.#askClient();
    }
  }

  /** The upstream has ended without an answer. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  giveUp(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#outcome !== undefined) {
      this.#stop.abort();
      return;
    }
    this.#detach()?.queue.end();
    const params = { requestId: this.id };
    const cancelled = makeMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    // The connection is closed after the message, which is the only cancellation that 2025 knows.
    void this.#events.send(cancelled).finally(() => this.#stop.abort());
  }

  #detach(): Listener | undefined {
    const listener = this.#listener;
    listener?.signal.removeEventListener('abort', this.#cancel);
    this.#listener = undefined;
    return listener;
  }

  #finish(outcome: { readonly answer: Message } | { readonly error: unknown }): void {
    this.#outcome = outcome;
    const listener = this.#detach();
    if (listener === undefined) return;
    if ('answer' in outcome) {
      const { answer } = outcome;
      answer.setText(['id'], textAt(listener.message.text, ['id']) as string);
      completeResult(answer, this.#method);
      listener.queue.push({ text: answer.text });
      listener.queue.end();
    } else listener.queue.end(outcome.error);
  }

  #progress(message: Message): void {
    const token = this.#listener && textAt(this.#listener.message.text, ['params', '_meta', keys.PROGRESS_TOKEN]);
    if (token === undefined) return;
    message.setText(['params', 'progressToken'], token);
    this.#listener?.queue.push({ text: message.text });
  }

  /** The server does not wait for this answer any more. */
  #withdraw(key: string): void {
    for (const [name, question] of this.#questions) if (idKey(question.id) === key) this.#questions.delete(name);
  }

  /** Ends the client's request with all open questions. */
  #askClient(): void {
    const listener = this.#detach();
    if (listener === undefined) return;
    const result = { resultType: 'input_required', inputRequests: {}, requestState: this.#events.park() };
    const answer = makeMessage({ jsonrpc: '2.0', id: 0, result });
    answer.setText(['id'], textAt(listener.message.text, ['id']) as string);
    for (const [name, question] of this.#questions) {
      const copy = question.copy();
      // Progress of an answer has no way back.
      if (copy.meta[keys.PROGRESS_TOKEN] !== undefined) copy.setMeta(keys.PROGRESS_TOKEN, undefined);
      const params = textAt(copy.text, ['params']);
      answer.setText(['result', 'inputRequests', name], JSON.stringify({ method: copy.method }));
      if (params !== undefined) answer.setText(['result', 'inputRequests', name, 'params'], params);
    }
    listener.queue.push({ text: answer.text });
    listener.queue.end();
  }
}
