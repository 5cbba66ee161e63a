import { serverName } from '../transport/private.js';

/** Of the process: one list cache may serve several contexts. */
const factories = new WeakMap<object, string>();
let count = 0;

/**
 * Which servers one context was given to. What one of them answered is not another's to give, so where it matters, and there is more than
 * one, nothing is answered before it is known which of them is asked.
 */
export class Targets {
  readonly #known = new Set<string>();

  /** The servers of one factory are all alike. */
  ofFactory(factory: object): string {
    const id = factories.get(factory) ?? `factory ${++count}`;
    factories.set(factory, id);
    return this.#noted(id);
  }

  /** By the name it goes by: many programs make a server for each request. */
  ofServer(server: object): string {
    return this.#noted(serverName(server) ?? `server ${++count}`);
  }

  /** Where there is but one. */
  get only(): string | undefined {
    const [id] = this.#known;
    return this.#known.size === 1 ? id : undefined;
  }

  #noted(id: string): string {
    if (this.#known.size < 2) this.#known.add(id);
    return id;
  }
}
