/**
 * One child process and all its callers. Answers, progress and subscriptions go to the request that they name. Questions and notifications that
 * name no request go to the caller that they can belong to.
 */
import { keys } from 'waybill';
import { broken, tooSlow, type Event } from '../answer.js';
import { own } from '../json/values.js';
import { errorText, idKey, isAnswer, makeMessage, NO_SINGLE_CALL, readMessage, replyTo, type Id, type Message } from '../message.js';
import { Queue } from '../queue.js';
import { OpenRequests, type OpenRequest } from './openRequests.js';
import { ChildProcess, type Command } from './process.js';

/**
 * Says who answers the questions of a child (elicitation, sampling, roots). `refused`: nobody declared that they can be answered. `of one call`: a
 * question names no caller, so it counts only if a single call is under way. `of the session`: the one session that owns the process.
 */
export type Questions = 'refused' | 'of one call' | 'of the session';

export interface ChannelOptions {
  readonly name: string;
  /** Several callers share this process. */
  readonly isShared: boolean;
  readonly questions: Questions;
  /** Milliseconds of silence after which a request has failed. */
  readonly time: number;
  readonly log: (line: string) => void;
  readonly onOver: (channel: Channel, why: string) => void;
}

/** The number of messages that wait for a reader: then an own process is paused, and a caller of a shared one is dropped. */
const MAX_WAITING = 1024;
const MAX_BACKLOG = 256;
/** Milliseconds that a call may be silent because its question waits for a person. */
const QUESTION_LIFE = 5 * 60_000;

export class Channel {
  readonly #options: ChannelOptions;
  readonly #process: ChildProcess;
  readonly #requests: OpenRequests;
  readonly #streams = new Set<Queue<Event>>();
  readonly #backlog: Event[] = [];
  /** Questions that wait for an answer, and since when. */
  readonly #asked = new Map<string, number>();
  /** True once the child has sent a message: it works. */
  hasSpoken = false;
  lastUsed = Date.now();
  #isEnding = false;

  constructor(command: Command, options: ChannelOptions) {
    this.#options = options;
    const { isShared, time } = options;
    this.#requests = new OpenRequests({ isShared, time, onSilent: (request) => this.#silent(request) });
    this.#process = new ChildProcess(command, {
      onLine: (line) => this.#take(line),
      onLog: options.log,
      onExit: (why) => this.#over(why),
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** True if the process cannot be used any more: it has ended, or is about to. */
  get isGone(): boolean {
    return this.#isEnding || this.#process.isOver;
  }

  get isIdle(): boolean {
    return this.#requests.size === 0 && this.#streams.size === 0;
  }

  /** Sends a request. `cancels`: an abort tells the child so; otherwise its answer is dropped when it comes. */
  request(message: Message, signal: AbortSignal, { cancels, owner }: { cancels: boolean; owner?: object }): AsyncIterable<Event> {
    const { name } = this.#options;
    this.lastUsed = Date.now();
    const queue = new Queue<Event>(MAX_WAITING);
    if (this.isGone) {
      queue.end(broken(name));
      return queue;
    }
    const opened = this.#requests.open(message, queue, owner);
    if (opened === undefined) {
      queue.push({ text: errorText(message.idText, -32600, 'Invalid Request: a request with this id is still being answered') });
      queue.end();
      return queue;
    }
    const { request, text } = opened;
    const stop = (): void => {
      if (cancels) this.#cancel(request);
      else queue.end();
    };
    queue.onDone = () => {
      signal.removeEventListener('abort', stop);
      if (cancels) stop();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void this.#process.write(text);
    return queue;
  }

  /** Passes on a caller's own cancellation. Its request gets no answer any more. */
  passCancellation(message: Message, owner: object): void {
    const request = this.#requests.findOwn(owner, own(message.params, 'requestId'));
    if (request === undefined) return;
    const sent = message.copy();
    sent.setText(['params', 'requestId'], request.key);
    this.#requests.close(request);
    request.queue.end();
    this.send(sent);
  }

  /** Sends a notification, or a caller's answer to a question of the child. */
  send(message: Message): void {
    this.lastUsed = Date.now();
    // The child has its answer, so its own time begins again.
    if (isAnswer(message) && this.#asked.delete(idKey(message.id))) this.#requests.extendAll();
    void this.#process.write(message.text);
  }

  /** The messages that belong to no request, until the reader stops. */
  stream(signal: AbortSignal): AsyncIterable<Event> {
    const queue = new Queue<Event>(MAX_WAITING);
    for (const event of this.#backlog.splice(0)) queue.push(event);
    this.#streams.add(queue);
    const stop = (): void => queue.end();
    queue.onDone = () => {
      this.#streams.delete(queue);
      signal.removeEventListener('abort', stop);
      this.lastUsed = Date.now();
    };
    if (this.isGone || signal.aborted) queue.end();
    else signal.addEventListener('abort', stop, { once: true });
    return queue;
  }

  /** Resolves when the process has ended. */
  end(): Promise<void> {
    this.#isEnding = true;
    return this.#process.end();
  }

  /** Has no effect on a request that is over. */
  #cancel(request: OpenRequest): void {
    if (!this.#requests.close(request)) return;
    request.queue.end();
    const requestId = JSON.parse(request.key) as Id;
    this.send(makeMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
  }

  #silent(request: OpenRequest): void {
    if (this.#isAsking()) {
      this.#requests.extend(request);
      return;
    }
    request.queue.end(tooSlow(this.#options.name));
    this.#cancel(request);
  }

  /** While a person thinks about a question, the child is not the one that is silent. */
  #isAsking(): boolean {
    const limit = Date.now() - QUESTION_LIFE;
    for (const [id, since] of this.#asked) if (since < limit) this.#asked.delete(id);
    return this.#asked.size > 0;
  }

  #take(line: string): void {
    const message = readMessage(line);
    if (message === undefined) {
      this.#options.log(`not a message: ${line.slice(0, 200)}`);
      return;
    }
    this.hasSpoken = true;
    this.lastUsed = Date.now();
    if (isAnswer(message)) this.#answer(message);
    else if (message.kind === 'request') this.#question(message);
    else this.#notification(message);
  }

  #answer(message: Message): void {
    const request = this.#requests.find(message.id);
    // A second answer to the same request, or one to a request that was cancelled.
    if (request === undefined || !this.#requests.close(request)) return;
    this.#requests.restore(message, ['id'], request.id);
    if (request.isListen && message.kind === 'result' && message.meta[keys.SUBSCRIPTION_ID] !== undefined)
      this.#requests.restore(message, ['result', '_meta', keys.SUBSCRIPTION_ID], request.id);
    this.#deliver(request.queue, message);
    request.queue.end();
  }

  #notification(message: Message): void {
    if (message.method === 'notifications/progress') {
      const request = this.#requests.findByToken(own(message.params, 'progressToken'));
      if (request !== undefined) {
        this.#requests.restore(message, ['params', 'progressToken'], request.token as string);
        this.#requests.extend(request);
        this.#deliver(request.queue, message);
        return;
      }
      if (this.#options.isShared) return;
    }
    const subscription = message.meta[keys.SUBSCRIPTION_ID];
    const listener = subscription === undefined ? undefined : this.#requests.find(subscription);
    if (listener === undefined) {
      this.#unattributed(message);
      return;
    }
    this.#requests.restore(message, ['params', '_meta', keys.SUBSCRIPTION_ID], listener.id);
    this.#deliver(listener.queue, message);
  }

  #question(message: Message): void {
    if (message.method === 'ping') {
      this.send(replyTo(message, { result: {} }));
      return;
    }
    const { questions } = this.#options;
    const streams = [...this.#streams];
    const { calls } = this.#requests;
    const only = calls.length === 1 ? calls[0] : undefined;
    const target = only ?? (questions === 'of the session' || streams.length === 1 ? streams[0] : undefined);
    if (questions === 'refused') this.send(replyTo(message, { error: { code: -32601, message: `Method not found: ${message.method}` } }));
    else if (questions === 'of one call' && target === undefined) this.send(replyTo(message, { error: NO_SINGLE_CALL }));
    else {
      this.#asked.set(idKey(message.id), Date.now());
      this.#deliverOrKeep(target ?? calls.at(-1), message);
    }
  }

  /** A notification that names no request: to the open stream, or to the only call there is. */
  #unattributed(message: Message): void {
    const { calls } = this.#requests;
    const only = calls.length === 1 ? calls[0] : undefined;
    if (this.#options.isShared) {
      // Unless there is only one caller, nobody knows which of them caused it.
      const targets = message.method !== 'notifications/message' ? this.#streams : only === undefined ? [] : [only];
      for (const target of targets) this.#deliver(target, message);
      return;
    }
    const [stream] = this.#streams;
    this.#deliverOrKeep(stream ?? only ?? calls.at(-1), message);
  }

  #deliverOrKeep(target: Queue<Event> | undefined, message: Message): void {
    if (target !== undefined) this.#deliver(target, message);
    else if (this.#backlog.length < MAX_BACKLOG) this.#backlog.push({ text: message.text });
  }

  #deliver(queue: Queue<Event>, message: Message): void {
    queue.push({ text: message.text, message });
    if (!queue.isFull) return;
    if (this.#options.isShared) queue.end(broken(this.#options.name));
    else {
      this.#process.pause();
      queue.whenRoom(() => this.#process.resume());
    }
  }

  #over(why: string): void {
    for (const { queue } of this.#requests.closeAll()) queue.end(broken(this.#options.name));
    for (const stream of this.#streams) stream.end();
    this.#options.onOver(this, why);
  }
}
