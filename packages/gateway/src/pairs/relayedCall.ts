/**
 * One request at a 2025 upstream, for a 2026 client. If the server asks back, the client's request ends with `input_required`, the call goes on
 * waiting, and the client's next request brings the answers and takes over.
 */
import { randomUUID } from 'node:crypto';
import { keys } from 'waybill';
import type { Event } from '../answer.js';
import { textAt } from '../json/spans.js';
import { at, isObject, own } from '../json/values.js';
import { idKey, isAnswer, makeMessage, readMessage, replyTo, type Message } from '../message.js';
import type { Queue } from '../queue.js';
import { completeResult } from './introduction.js';

/** The client's request that waits for the answer at the moment. */
export interface ClientRequest {
  readonly message: Message;
  readonly queue: Queue<Event>;
  readonly signal: AbortSignal;
}

type End = { readonly answer: Message } | { readonly error: unknown };

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
  #client: ClientRequest | undefined;
  /** The end of the call, if it came while no request of the client waited. */
  #end: End | undefined;
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
  requestOf({ message }: ClientRequest): Message {
    const request = message.copy();
    request.set(['id'], this.id);
    if (request.meta[keys.PROGRESS_TOKEN] !== undefined) request.setMeta(keys.PROGRESS_TOKEN, this.id);
    return request;
  }

  /** From now on this request waits for the answer. */
  attach(client: ClientRequest): void {
    this.#client = client;
    this.#cancel = () => this.giveUp();
    client.signal.addEventListener('abort', this.#cancel, { once: true });
    if (client.signal.aborted) this.giveUp();
  }

  /** A later request of the client, with answers to the questions. A question without one is asked again. */
  resume(client: ClientRequest): void {
    this.attach(client);
    for (const [name, question] of this.#questions) {
      const response = textAt(client.message.text, ['params', 'inputResponses', name]);
      if (response === undefined || !isObject(at(client.message.params, 'inputResponses', name))) continue;
      this.#questions.delete(name);
      const reply = replyTo(question, { result: {} });
      reply.setText(['result'], response);
      void this.#events.send(reply);
    }
    if (this.#end !== undefined) this.#finish(this.#end);
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
    return this.#client?.queue.room();
  }

  /** A question of the server: to the client's request, or to its next one. */
  ask(question: Message): void {
    if (question.method === 'ping') void this.#events.send(replyTo(question, { result: {} }));
    else if (!this.#events.canAsk(question))
      void this.#events.send(replyTo(question, { error: { code: -32601, message: `Method not found: ${question.method}` } }));
    else {
      this.#questions.set(randomUUID(), question);
      if (this.#client !== undefined) this.#askClient();
    }
  }

  /** The upstream has ended without an answer. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  giveUp(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#end !== undefined) {
      this.#stop.abort();
      return;
    }
    this.#detach()?.queue.end();
    const params = { requestId: this.id };
    const cancelled = makeMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    // The connection is closed after the message, which is the only cancellation that 2025 knows.
    void this.#events.send(cancelled).finally(() => this.#stop.abort());
  }

  #detach(): ClientRequest | undefined {
    const client = this.#client;
    client?.signal.removeEventListener('abort', this.#cancel);
    this.#client = undefined;
    return client;
  }

  #finish(end: End): void {
    this.#end = end;
    const client = this.#detach();
    if (client === undefined) return;
    if ('answer' in end) {
      const { answer } = end;
      answer.setText(['id'], client.message.idText);
      completeResult(answer, this.#method);
      client.queue.push({ text: answer.text });
      client.queue.end();
    } else client.queue.end(end.error);
  }

  #progress(message: Message): void {
    const token = this.#client && textAt(this.#client.message.text, ['params', '_meta', keys.PROGRESS_TOKEN]);
    if (token === undefined) return;
    message.setText(['params', 'progressToken'], token);
    this.#client?.queue.push({ text: message.text });
  }

  /** The server does not wait for this answer any more. */
  #withdraw(key: string): void {
    for (const [name, question] of this.#questions) if (idKey(question.id) === key) this.#questions.delete(name);
  }

  /** Ends the client's request with all open questions. */
  #askClient(): void {
    const client = this.#detach();
    if (client === undefined) return;
    const result = { resultType: 'input_required', inputRequests: {}, requestState: this.#events.park() };
    const answer = replyTo(client.message, { result });
    for (const [name, question] of this.#questions) {
      const copy = question.copy();
      // Progress of an answer has no way back.
      if (copy.meta[keys.PROGRESS_TOKEN] !== undefined) copy.setMeta(keys.PROGRESS_TOKEN, undefined);
      const params = textAt(copy.text, ['params']);
      answer.setText(['result', 'inputRequests', name], JSON.stringify({ method: copy.method }));
      if (params !== undefined) answer.setText(['result', 'inputRequests', name, 'params'], params);
    }
    client.queue.push({ text: answer.text });
    client.queue.end();
  }
}
