import { isObject, own, type Meta } from '../wire/json.js';
import type { Exchange, Message } from './types.js';

/** A server cannot make us remember more unfinished calls than this; the oldest is forgotten first. */
const MAX_WAITING = 256;
/** A state is an opaque text of any length; its two ends and its length identify it. */
const MAX_STATE = 1024;

/**
 * IX-14: each leg of a multi-round-trip call is a request of its own. The SDK builds the next one around the same arguments object. A leg
 * that a program makes by hand shares with the last one only what the server asked for. If two calls wait for the same input, they cannot
 * be told apart, and neither is tied to anything.
 */
export class Legs<T> {
  readonly #byArguments = new WeakMap<object, T>();
  readonly #waiting = new Map<string, { readonly value: T; count: number; alike: boolean }>();

  /** True if the answer asks for another leg. */
  static goesOn(answer: Message | undefined): boolean {
    const result = answer?.['result'];
    return isObject(result) && own(result, 'resultType') === 'input_required';
  }

  /** Called when an exchange of ours ended. If the server wants more, the next leg finds the value again. */
  remember({ request, answer }: Exchange, value: T): void {
    const result = answer?.['result'];
    if (!isObject(result) || !Legs.goesOn(answer)) return;
    const given = argumentsOf(request);
    if (given !== undefined) this.#byArguments.set(given, value);
    const key = keyOf(request, own(result, 'requestState'), own(result, 'inputRequests'));
    const known = this.#waiting.get(key);
    if (known === undefined) this.#waiting.set(key, { value, count: 1, alike: false });
    else [known.count, known.alike] = [known.count + 1, true];
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** Returns what the leg before this one left, if this is a further leg. */
  recall(request: Message): T | undefined {
    if (this.#waiting.size === 0) return undefined;
    const params = own(request, 'params');
    if (!isObject(params)) return undefined;
    const [state, responses] = [own(params, 'requestState'), own(params, 'inputResponses')];
    if (state === undefined && responses === undefined) return undefined;
    const key = keyOf(request, state, responses);
    const known = this.#waiting.get(key);
    if (known === undefined) return undefined;
    if (--known.count === 0) this.#waiting.delete(key);
    const given = argumentsOf(request);
    const same = given === undefined ? undefined : this.#byArguments.get(given);
    return same ?? (known.alike ? undefined : known.value);
  }
}

function argumentsOf({ params }: Message): object | undefined {
  const given = isObject(params) ? own(params, 'arguments') : undefined;
  return isObject(given) ? given : undefined;
}

function keyOf(request: Message, state: unknown, inputs: unknown): string {
  const params: Meta = isObject(request['params']) ? request['params'] : {};
  const input = typeof state === 'string' ? state : isObject(inputs) ? Object.keys(inputs).sort().join('\n') : '';
  const short = input.length > MAX_STATE ? `${input.length}:${input.slice(0, MAX_STATE / 2)}${input.slice(-MAX_STATE / 2)}` : input;
  return JSON.stringify([request['method'], own(params, 'name') ?? own(params, 'uri'), typeof state, short]);
}
