import type { Observer } from '../transport/index.js';

/** The observers of a layer, which may come and go, with ours first. */
export class Watchers extends Set<Observer> {
  readonly #ours: Observer;
  readonly #alone: readonly Observer[];
  readonly #others: ReadonlySet<Observer> | undefined;

  constructor(ours: Observer, others: ReadonlySet<Observer> | undefined) {
    super();
    this.#ours = ours;
    this.#alone = [ours];
    this.#others = others;
  }

  override get size(): number {
    return 1 + (this.#others?.size ?? 0);
  }

  override [Symbol.iterator](): SetIterator<Observer> {
    const all = this.#others === undefined || this.#others.size === 0 ? this.#alone : [this.#ours, ...this.#others];
    return all[Symbol.iterator]();
  }
}
