import { CANCELLED } from '../../transport/channel/run.js';
import { isObject, type Meta } from '../../wire/json.js';
import { kindOf } from '../../wire/message.js';

/** What is remembered in either direction; for requests beyond these the end does not wait, and those of ours are not told of it. */
const MAX_REMEMBERED = 65_536;

/** What was asked and not answered yet: what the end of a connection waits for, and whom it tells that nothing will come. */
export class OpenRequests {
  readonly #theirs = new Set<unknown>();
  readonly #ours = new Set<unknown>();

  /** Everything that was read is answered. */
  get areServed(): boolean {
    return this.#theirs.size === 0;
  }

  /** The ids of our own requests. */
  get ours(): Iterable<unknown> {
    return this.#ours;
  }

  /** A subscription is answered when the connection ends, and what was cancelled never is: the end waits for neither. */
  came(message: Meta): void {
    const { id, method, params } = message;
    const kind = kindOf(message);
    if (kind === 'result' || kind === 'error') this.#heard(id);
    else if (method === CANCELLED && isObject(params)) this.#theirs.delete(params['requestId']);
    else if (isAnswerable(message) && method !== 'subscriptions/listen' && this.#theirs.size < MAX_REMEMBERED) this.#theirs.add(id);
  }

  goes(message: Meta): void {
    const { id, method, params } = message;
    if (method === CANCELLED && isObject(params)) this.#ours.delete(params['requestId']);
    else if (kindOf(message) === 'request' && this.#ours.size < MAX_REMEMBERED) this.#ours.add(id);
  }

  /** It is out, or will never be. */
  gone({ id, method }: Meta, isOut: boolean): void {
    if (method === undefined) this.#theirs.delete(id);
    else if (!isOut) this.#ours.delete(id);
  }

  /** Both SDKs number what they ask, and take an answer whose id is the text of the number. */
  #heard(id: unknown): void {
    this.#ours.delete(id);
    if (typeof id === 'string') this.#ours.delete(Number(id));
  }
}

/** A request that an SDK takes; to what it drops nobody will ever answer. */
function isAnswerable(message: Meta): boolean {
  const { id, params } = message;
  if (kindOf(message) !== 'request' || !(typeof id === 'string' || Number.isSafeInteger(id))) return false;
  return params === undefined || (isObject(params) && (params['_meta'] === undefined || isObject(params['_meta'])));
}
