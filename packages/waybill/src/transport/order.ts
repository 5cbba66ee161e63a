import { isThenable } from '../wire/maybe.js';

/** Keeps messages that belong together in the order they came while a hook takes its time with one of them. */
export class Order {
  /** Made when something has to wait for the first time, which for most connections is never. */
  #turns: WeakMap<object, Promise<void>> | undefined;

  /** Whether it has to wait, for a hook or for what was passed with the same key before. */
  waits(key: object | undefined, passing: unknown): boolean {
    return isThenable(passing) || (key !== undefined && this.#turns?.has(key) === true);
  }

  /** Goes on with `passing` after everything that was passed with the same key before. */
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
