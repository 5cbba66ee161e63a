/**
 * The requests that a child process has not answered yet, found by id or by progress token. Ids and tokens are renamed only if several callers
 * share the process: each of them may use the same ones.
 */
import { keys } from 'waybill';
import type { Event } from '../answer.js';
import { applyEdits, textAt, type Edit } from '../json/spans.js';
import { idKey, type Message } from '../message.js';
import type { Queue } from '../queue.js';

export interface OpenRequest {
  /** Its id in the process, as JSON text. */
  readonly key: string;
  /** Its id and its progress token, as its caller wrote them. */
  readonly id: string;
  readonly token: string | undefined;
  /** The session that asked, if there is one, and the key of the id there. */
  readonly owner: object | undefined;
  readonly ownKey: string;
  readonly queue: Queue<Event>;
  readonly isListen: boolean;
  /** The key of its progress token in the process. */
  readonly tokenKey: string | undefined;
  /** Runs out if the process is silent. */
  timer: NodeJS.Timeout | undefined;
}

export interface OpenRequestsOptions {
  readonly isShared: boolean;
  /** Milliseconds that a request may be silent. */
  readonly time: number;
  readonly onSilent: (request: OpenRequest) => void;
}

export class OpenRequests {
  readonly #options: OpenRequestsOptions;
  readonly #byKey = new Map<string, OpenRequest>();
  readonly #byToken = new Map<string, OpenRequest>();
  #count = 0;

  constructor(options: OpenRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The queues of calls that still want their answer; subscriptions are none. */
  get calls(): Queue<Event>[] {
    return [...this.#byKey.values()].flatMap(({ isListen, queue }) => (isListen || queue.isEnded ? [] : [queue]));
  }

  /** Returns the request, and its text for the process; undefined if its id is still in use. */
  open(message: Message, queue: Queue<Event>, owner: object | undefined): { request: OpenRequest; text: string } | undefined {
    const { isShared } = this.#options;
    const given = message.meta[keys.PROGRESS_TOKEN];
    const ownKey = idKey(message.id);
    const edits: Edit[] = [];
    let key = ownKey;
    let tokenKey = given === undefined ? undefined : idKey(given);
    if (isShared) {
      key = String(++this.#count);
      edits.push({ path: ['id'], json: key });
      if (tokenKey !== undefined) edits.push({ path: TOKEN, json: (tokenKey = `"t${key}"`) });
    }
    if (this.#byKey.has(key)) return undefined;
    const request: OpenRequest = {
      ...{ key, tokenKey, owner, ownKey, queue, timer: undefined },
      id: message.idText,
      token: given === undefined ? undefined : textAt(message.text, TOKEN),
      isListen: message.method === 'subscriptions/listen',
    };
    this.#byKey.set(key, request);
    if (tokenKey !== undefined) this.#byToken.set(tokenKey, request);
    this.extend(request);
    return { request, text: applyEdits(message.text, edits) };
  }

  /** The request with this id in the process. */
  find(id: unknown): OpenRequest | undefined {
    return this.#byKey.get(idKey(id));
  }

  findByToken(token: unknown): OpenRequest | undefined {
    return this.#byToken.get(idKey(token));
  }

  /** The request that a session knows by this id. */
  findOwn(owner: object, id: unknown): OpenRequest | undefined {
    const ownKey = idKey(id);
    return [...this.#byKey.values()].find((request) => request.owner === owner && request.ownKey === ownKey);
  }

  /** The process has shown that it is at work on the request. */
  extend(request: OpenRequest): void {
    if (request.isListen || this.#byKey.get(request.key) !== request) return;
    clearTimeout(request.timer);
    request.timer = setTimeout(() => this.#options.onSilent(request), this.#options.time).unref();
  }

  extendAll(): void {
    for (const request of this.#byKey.values()) this.extend(request);
  }

  /** False if it was closed before. */
  close(request: OpenRequest): boolean {
    const { key, tokenKey, timer } = request;
    if (this.#byKey.get(key) !== request) return false;
    this.#byKey.delete(key);
    if (tokenKey !== undefined && this.#byToken.get(tokenKey) === request) this.#byToken.delete(tokenKey);
    clearTimeout(timer);
    return true;
  }

  /** Closes all, and returns them. */
  closeAll(): readonly OpenRequest[] {
    const all = [...this.#byKey.values()];
    for (const request of all) this.close(request);
    return all;
  }

  /** Puts back what the caller wrote: an id, or a token, that was renamed. */
  restore(message: Message, path: readonly string[], written: string): void {
    if (this.#options.isShared) message.setText(path, written);
  }
}

const TOKEN = ['params', '_meta', keys.PROGRESS_TOKEN];
