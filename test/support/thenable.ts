/** Thenables that are not native promises and have no `catch`, like a query builder or a promise of another realm. */
export function thenable<T>(value: T): PromiseLike<T> {
  return { then: (done, failed) => Promise.resolve(value).then(done, failed) };
}

export function failingThenable(error: unknown): PromiseLike<never> {
  return { then: (done, failed) => Promise.reject(error as Error).then(done, failed) };
}

/** A thenable that does its work when somebody awaits it. */
export function lazy(work: () => void): PromiseLike<void> {
  return { then: (done, failed) => Promise.resolve().then(work).then(done, failed) };
}
