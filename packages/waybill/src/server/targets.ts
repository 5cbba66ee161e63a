import { serverName } from '../transport/private.js';

/** Shared in the process, because one list cache may serve several contexts. */
const factories = new WeakMap<object, string>();
let count = 0;

/**
 * The servers of one context. An answer of one must not be given for another, so with more than one, nothing is answered before it is known
 * which one is asked.
 */
export class Targets {
  readonly #known = new Set<string>();

  /** The servers of one factory are all alike. */
  ofFactory(factory: object): string {
    const id = factories.get(factory) ?? `factory ${++count}`;
    factories.set(factory, id);
    return this.#noted(id);
  }

  /** Identified by its name: many programs make a server for each request. */
  ofServer(server: object): string {
    return this.#noted(serverName(server) ?? `server ${++count}`);
  }

  /** The only server, if there is just one. */
  get only(): string | undefined {
    const [id] = this.#known;
    return this.#known.size === 1 ? id : undefined;
  }

  #noted(id: string): string {
    if (this.#known.size < 2) this.#known.add(id);
    return id;
  }
}
