import { keyOf, type Held } from './jar/conversation.js';

/** A conversation, and at which servers it spoke: a redirect leads to others than the connection's own. */
interface Bond {
  readonly conversation: Held;
  readonly servers: Set<string>;
}

/** Where redirects have led one conversation on one connection; who follows more of them is led astray. */
const MOST_SERVERS = 256;

/** What is bound to one connection, by the conversation's name: however often it is resumed, it is one. */
export type Bonds = Map<string, Bond>;

/** D-05: which conversations spoke on which 2025 connection: with its server they end with it. Of one that is over, nothing is remembered. */
export class Bound {
  readonly #places = new Map<string, Set<Bonds>>();

  add(bonds: Bonds, conversation: Held, server: string): void {
    const key = keyOf(conversation);
    if (conversation.ended) return;
    const known = bonds.get(key);
    if (known !== undefined) {
      if (known.servers.size < MOST_SERVERS) known.servers.add(server);
      return;
    }
    bonds.set(key, { conversation, servers: new Set([server]) });
    const places = this.#places.get(key);
    if (places === undefined) this.#places.set(key, new Set([bonds]));
    else places.add(bonds);
  }

  /** The conversation is over. */
  over(key: string): void {
    for (const bonds of this.#places.get(key) ?? []) bonds.delete(key);
    this.#places.delete(key);
  }

  /** The connection is over. */
  clear(bonds: Bonds): void {
    for (const key of bonds.keys()) {
      const places = this.#places.get(key);
      places?.delete(bonds);
      if (places?.size === 0) this.#places.delete(key);
    }
    bonds.clear();
  }

  /** How many conversations are bound to anything. */
  get size(): number {
    return this.#places.size;
  }
}
