/** Keeps messages that belong together in the order they came while a hook takes its time with one of them. */
export class Order {
  /** Made when something has to wait for the first time, which for most connections is never. */
  #turns: WeakMap<object, Promise<void>> | undefined;

  /** Goes on with `passing` after everything that was passed with the same key before; at once where nothing is waited for. */
  pass<T, R>(key: object | undefined, passing: T | Promise<T>, goOn: (message: T) => R): R | Promise<Awaited<R>> {
    const before = key && this.#turns?.get(key);
    if (before === undefined && !(passing instanceof Promise)) return goOn(passing);
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
