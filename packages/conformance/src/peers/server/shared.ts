/** Faults of servers that keep values of a request in one place for all requests. */
import { isObject } from '../../wire/json.js';
import { CLIENT_CONTEXT } from '../../wire/keys.js';
import type { Faults } from '../reply.js';
import type { Request } from './request.js';

/** Milliseconds that a call takes in a server with such a fault, if no other call comes. */
const SLOW = 25;

export class SharedPlace {
  readonly #faults: Faults;
  #newest: Request | undefined;
  #context: unknown;
  #wake: () => void = () => undefined;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** The request as the server sees it when it answers. */
  async take(request: Request): Promise<Request> {
    if (request.message['method'] !== 'tools/call') return request;
    if (this.#faults.has('language-global')) return { ...request, language: (await this.#later(request)).language };
    if (this.#faults.has('environment-global')) return { ...request, meta: (await this.#later(request)).meta };
    if (!this.#faults.has('environment-sticky')) return request;
    const context = request.meta[CLIENT_CONTEXT];
    this.#context = { ...(isObject(this.#context) && this.#context), ...(isObject(context) && context) };
    return { ...request, meta: { ...request.meta, [CLIENT_CONTEXT]: this.#context } };
  }

  /** The request in the common place after the next one has come, or after a while. */
  async #later(request: Request): Promise<Request> {
    this.#newest = request;
    this.#wake();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, SLOW);
    });
    return this.#newest;
  }
}
