import { CANCELLED } from '../../transport/channel/run.js';
import { isObject, type Meta } from '../../wire/json.js';
import { kindOf } from '../../wire/message.js';

/** The number of remembered requests in each direction. The end does not wait for further ones, and does not fail further ones of ours. */
const MAX_REMEMBERED = 65_536;

/** Requests without an answer yet: the end of a connection waits for those of the peer, and fails our own. */
export class OpenRequests {
  readonly #theirs = new Set<unknown>();
  readonly #ours = new Set<unknown>();

  /** True if every request that was read is answered. */
  get areAnswered(): boolean {
    return this.#theirs.size === 0;
  }

  /** The ids of our own requests. */
  get ours(): Iterable<unknown> {
    return this.#ours;
  }

  /** A subscription is answered when the connection ends, and a cancelled request never is: the end waits for neither. */
  noteIncoming(message: Meta): void {
    const { id, method, params } = message;
    const kind = kindOf(message);
    if (kind === 'result' || kind === 'error') this.#heard(id);
    else if (method === CANCELLED && isObject(params)) this.#theirs.delete(params['requestId']);
    else if (isAnswerable(message) && method !== 'subscriptions/listen' && this.#theirs.size < MAX_REMEMBERED) this.#theirs.add(id);
  }

  noteOutgoing(message: Meta): void {
    const { id, method, params } = message;
    if (method === CANCELLED && isObject(params)) this.#ours.delete(params['requestId']);
    else if (kindOf(message) === 'request' && this.#ours.size < MAX_REMEMBERED) this.#ours.add(id);
  }

  /** Called when an answer has left, or never will. */
  noteSent({ id, method }: Meta, isOut: boolean): void {
    if (method === undefined) this.#theirs.delete(id);
    else if (!isOut) this.#ours.delete(id);
  }

  /** Both SDKs number their requests, and accept an answer whose id is the number as text. */
  #heard(id: unknown): void {
    this.#ours.delete(id);
    if (typeof id === 'string') this.#ours.delete(Number(id));
  }
}

/** True for a request that an SDK accepts; the others never get an answer. */
function isAnswerable(message: Meta): boolean {
  const { id, params } = message;
  if (kindOf(message) !== 'request' || !(typeof id === 'string' || Number.isSafeInteger(id))) return false;
  return params === undefined || (isObject(params) && (params['_meta'] === undefined || isObject(params['_meta'])));
}
