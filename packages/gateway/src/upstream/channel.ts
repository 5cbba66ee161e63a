/**
 * One child process and everybody who speaks to it. Answers, progress and subscriptions find their request by id. Ids and tokens are renamed only
 * if several callers share the process; then they are restored in the text that goes back.
 */
import { keys } from 'waybill';
import { broken, tooSlow, type Event } from '../answer.js';
import { applyEdits, textAt, type Edit } from '../json/spans.js';
import { errorText, isAnswer, makeMessage, readMessage, type Id, type Message } from '../message.js';
import { Queue } from '../queue.js';
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

interface Pending {
  /** The session that asked, if there is one: ids are its own. */
  readonly owner: object | undefined;
  readonly queue: Queue<Event>;
  readonly id: string;
  readonly token: string | undefined;
  readonly isListen: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** How many messages wait for a reader: then an own process is paused, and a caller of a shared one is dropped. */
const MOST_WAITING = 1024;
const MOST_BACKLOG = 256;
/** Milliseconds that a call may be silent because its question waits for a person. */
const QUESTION_LIFE = 5 * 60_000;

export class Channel {
  readonly #options: ChannelOptions;
  readonly #process: ChildProcess;
  readonly #pending = new Map<string, Pending>();
  readonly #byToken = new Map<string, Pending>();
  readonly #streams = new Set<Queue<Event>>();
  readonly #backlog: Event[] = [];
  /** Questions that wait for an answer, and since when. */
  readonly #asked = new Map<string, number>();
  #count = 0;
  /** True once the child has sent a message: it works. */
  hasSpoken = false;
  lastUsed = Date.now();

  constructor(command: Command, options: ChannelOptions) {
    this.#options = options;
    this.#process = new ChildProcess(command, {
      onLine: (line) => this.#take(line),
      onLog: options.log,
      onExit: (why) => this.#over(why),
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isOver(): boolean {
    return this.#process.isOver;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#streams.size === 0;
  }

  /** Sends a request. `cancels`: an abort tells the child so; otherwise its answer is dropped when it comes. */
  request(message: Message, signal: AbortSignal, { cancels, owner }: { cancels: boolean; owner?: object }): AsyncIterable<Event> {
    const { isShared, name } = this.#options;
    this.lastUsed = Date.now();
    const id = textAt(message.text, ['id']) as string;
    const hasToken = message.meta[keys.PROGRESS_TOKEN] !== undefined;
    const token = hasToken ? textAt(message.text, ['params', '_meta', keys.PROGRESS_TOKEN]) : undefined;
    const edits: Edit[] = [];
    const queue = new Queue<Event>(MOST_WAITING);
    let key = sameId(id);
    let tokenKey = token === undefined ? undefined : sameId(token);
    if (isShared) {
      key = String(++this.#count);
      edits.push({ path: ['id'], json: key });
      if (token !== undefined) edits.push({ path: ['params', '_meta', keys.PROGRESS_TOKEN], json: (tokenKey = `"t${key}"`) });
    }
    if (this.isOver) {
      queue.end(broken(name));
      return queue;
    }
    if (this.#pending.has(key)) {
      queue.push({ text: errorText(message.id, -32600, 'Invalid Request: a request with this id is still being answered') });
      queue.end();
      return queue;
    }
    const pending: Pending = { owner, queue, id, token, isListen: message.method === 'subscriptions/listen', timer: undefined };
    this.#pending.set(key, pending);
    if (tokenKey !== undefined) this.#byToken.set(tokenKey, pending);
    this.#watch(key, pending);
    const stop = (): void => {
      if (this.#pending.get(key) !== pending) return;
      if (cancels) this.#cancel(key);
      else queue.end();
    };
    queue.onDone = () => {
      signal.removeEventListener('abort', stop);
      if (cancels) stop();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void this.#process.write(applyEdits(message.text, edits));
    return queue;
  }

  /** Passes on a caller's own cancellation. Its request gets no answer any more. */
  passCancellation(message: Message, owner: object): void {
    const id = textAt(message.text, ['params', 'requestId']);
    for (const [key, pending] of this.#pending) {
      if (pending.owner !== owner || pending.id !== id) continue;
      const sent = message.copy();
      sent.setText(['params', 'requestId'], key);
      this.#forget(key)?.queue.end();
      this.send(sent);
    }
  }

  /** Sends a notification, or a caller's answer to a question of the child. */
  send(message: Message): void {
    this.lastUsed = Date.now();
    if (isAnswer(message)) this.#asked.delete(sameId(textAt(message.text, ['id']) ?? 'null'));
    void this.#process.write(message.text);
  }

  /** The messages that belong to no request, until the reader stops. */
  stream(signal: AbortSignal): AsyncIterable<Event> {
    const queue = new Queue<Event>(MOST_WAITING);
    for (const event of this.#backlog.splice(0)) queue.push(event);
    this.#streams.add(queue);
    const stop = (): void => queue.end();
    queue.onDone = () => {
      this.#streams.delete(queue);
      signal.removeEventListener('abort', stop);
      this.lastUsed = Date.now();
    };
    if (this.isOver || signal.aborted) queue.end();
    else signal.addEventListener('abort', stop, { once: true });
    return queue;
  }

  end(): Promise<void> {
    return this.#process.end();
  }

  #cancel(key: string): void {
    const pending = this.#forget(key);
    if (pending === undefined) return;
    pending.queue.end();
    const requestId = JSON.parse(key) as Id;
    this.send(makeMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
  }

  #forget(key: string): Pending | undefined {
    const pending = this.#pending.get(key);
    if (pending === undefined) return undefined;
    this.#pending.delete(key);
    for (const [token, other] of this.#byToken) if (other === pending) this.#byToken.delete(token);
    clearTimeout(pending.timer);
    return pending;
  }

  #watch(key: string, pending: Pending): void {
    clearTimeout(pending.timer);
    if (pending.isListen) return;
    pending.timer = setTimeout(() => {
      if (this.#isAsking()) {
        this.#watch(key, pending);
        return;
      }
      pending.queue.end(tooSlow(this.#options.name));
      this.#cancel(key);
    }, this.#options.time).unref();
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
    const key = sameId(textAt(message.text, ['id']) ?? 'null');
    const pending = this.#forget(key);
    // A second answer to the same request, or one to a request that was cancelled.
    if (pending === undefined) return;
    if (this.#options.isShared) {
      message.setText(['id'], pending.id);
      if (pending.isListen && message.kind === 'result' && message.meta[keys.SUBSCRIPTION_ID] !== undefined)
        message.setText(['result', '_meta', keys.SUBSCRIPTION_ID], pending.id);
    }
    this.#deliver(pending.queue, message);
    pending.queue.end();
  }

  #notification(message: Message): void {
    const token = textAt(message.text, ['params', 'progressToken']);
    const byToken = message.method === 'notifications/progress' && token !== undefined ? this.#byToken.get(sameId(token)) : undefined;
    if (byToken !== undefined) {
      if (this.#options.isShared) message.setText(['params', 'progressToken'], byToken.token as string);
      for (const [key, pending] of this.#pending) if (pending === byToken) this.#watch(key, pending);
      this.#deliver(byToken.queue, message);
      return;
    }
    if (message.method === 'notifications/progress' && this.#options.isShared) return;
    const subscription = textAt(message.text, ['params', '_meta', keys.SUBSCRIPTION_ID]);
    const listener = subscription === undefined ? undefined : this.#pending.get(sameId(subscription));
    if (listener !== undefined) {
      if (this.#options.isShared) message.setText(['params', '_meta', keys.SUBSCRIPTION_ID], listener.id);
      this.#deliver(listener.queue, message);
      return;
    }
    this.#unattributed(message);
  }

  #question(message: Message): void {
    const id = textAt(message.text, ['id']) as string;
    if (message.method === 'ping') {
      this.#reply(id, { result: {} });
      return;
    }
    const { questions } = this.#options;
    const streams = [...this.#streams];
    const calls = this.#calls();
    const only = calls.length === 1 ? calls[0] : undefined;
    const target = only ?? (questions === 'of the session' || streams.length === 1 ? streams[0] : undefined);
    if (questions === 'refused') this.#reply(id, { error: { code: -32601, message: `Method not found: ${message.method}` } });
    else if (questions === 'of one call' && target === undefined)
      this.#reply(id, { error: { code: -32603, message: 'This question cannot be put to anyone: it belongs to no single call' } });
    else {
      this.#asked.set(sameId(id), Date.now());
      this.#deliverOrKeep(target ?? calls.at(-1), message);
    }
  }

  #reply(id: string, body: { result: object } | { error: object }): void {
    const reply = makeMessage({ jsonrpc: '2.0', id: 0, ...body });
    reply.setText(['id'], id);
    this.send(reply);
  }

  /** A notification that names no request: to the open stream, or to the only call there is. */
  #unattributed(message: Message): void {
    const calls = this.#calls();
    const only = calls.length === 1 ? calls[0] : undefined;
    if (this.#options.isShared) {
      // Which of the callers caused it cannot be known, unless there is only one.
      const targets = message.method !== 'notifications/message' ? this.#streams : only === undefined ? [] : [only];
      for (const target of targets) this.#deliver(target, message);
      return;
    }
    const [stream] = this.#streams;
    this.#deliverOrKeep(stream ?? only ?? calls.at(-1), message);
  }

  #calls(): Queue<Event>[] {
    return [...this.#pending.values()].flatMap(({ isListen, queue }) => (isListen || queue.isEnded ? [] : [queue]));
  }

  #deliverOrKeep(target: Queue<Event> | undefined, message: Message): void {
    if (target !== undefined) this.#deliver(target, message);
    else if (this.#backlog.length < MOST_BACKLOG) this.#backlog.push({ text: message.text });
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
    for (const { queue, timer } of this.#pending.values()) {
      clearTimeout(timer);
      queue.end(broken(this.#options.name));
    }
    this.#pending.clear();
    this.#byToken.clear();
    for (const stream of this.#streams) stream.end();
    this.#options.onOver(this, why);
  }
}

/** A server may write the same number in another way: `1.0` as `1`, and one beyond 2^53 rounded. */
function sameId(json: string): string {
  return JSON.stringify(JSON.parse(json));
}
