import { isThenable } from '../wire/maybe.js';

/** Keeps messages that belong together in their order while a hook works on one of them. */
export class Order {
  /** Made when something has to wait for the first time; on most connections nothing ever does. */
  #turns: WeakMap<object, Promise<void>> | undefined;

  /** True if it has to wait, for a hook or for an earlier message with the same key. */
  waits(key: object | undefined, passing: unknown): boolean {
    return isThenable(passing) || (key !== undefined && this.#turns?.has(key) === true);
  }

  /** Continues with `passing` after all earlier messages with the same key. */
  pass<T, R>(key: object | undefined, passing: T | Promise<T>, goOn: (message: T) => R): Promise<Awaited<R>> {
    const before = key && this.#turns?.get(key);
    const turn = Promise.all([passing, before]).then(([message]) => goOn(message as T)) as Promise<Awaited<R>>;
    if (key !== undefined) this.#remember(key, turn);
    return turn;
  }

  #remember(key: object, turn: Promise<unknown>): void {
    const turns = (this.#turns ??= new WeakMap());
    const done = (): void => {
      if (turns.get(key) === settled) turns.delete(key);
    };
    const settled: Promise<void> = turn.then(done, done);
    turns.set(key, settled);
  }
}
