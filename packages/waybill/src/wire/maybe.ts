/**
 * Values that may be there at once or later. A function that a program hands in may return any thenable, not only a native promise: a query
 * builder, a promise of another realm. `instanceof Promise` takes such an object for the answer itself, so only this file tells the two apart.
 */
export type Maybe<T> = T | PromiseLike<T>;

/** True for a promise of any kind. Reading `then` runs a getter, which may throw. */
export function isThenable<T>(value: Maybe<T>): value is PromiseLike<T> {
  if (value instanceof Promise) return true;
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder && typeof (value as { then?: unknown }).then === 'function';
}

/** A native promise for any thenable; a native promise stays the same object. `undefined` for a value that is there already. */
export function promiseIn<T>(value: Maybe<T>): Promise<T> | undefined {
  return isThenable(value) ? Promise.resolve(value) : undefined;
}

/** Calls `next` with the value: at once if it is there, otherwise later. A rejection goes to `failed`, if there is one. */
export function andThen<T, R>(
  value: Maybe<T>,
  next: (value: T) => R | Promise<R>,
  failed?: (error: unknown) => R | Promise<R>,
): R | Promise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next, failed) : next(value);
}

/** Calls `next` with all values: at once if all of them are there, otherwise when the last one is. */
export function andThenAll<T, R>(values: readonly Maybe<T>[], next: (values: readonly T[]) => R | Promise<R>): R | Promise<R> {
  return values.some((value) => isThenable(value)) ? Promise.all(values).then(next) : next(values as readonly T[]);
}

/** Calls a function of the program and goes on with its value. A throw and a rejection both go to `failed`. */
export function andThenAsk<T, R>(
  ask: () => Maybe<T>,
  next: (value: T) => R | Promise<R>,
  failed: (error: unknown) => R | Promise<R>,
): R | Promise<R> {
  let value: T | Promise<T>;
  try {
    const given = ask();
    value = isThenable(given) ? Promise.resolve(given) : given;
  } catch (error) {
    return failed(error);
  }
  return andThen(value, next, failed);
}

/**
 * Callbacks that a program hands in: `onIssue`, `onFault`, observers. A callback may throw, and it may return a promise even where its type
 * says that it does not. Neither may break a call.
 */

type ReportFault = (error: unknown) => void;

const ignoreFault: ReportFault = () => undefined;

/** Returns `value` unchanged. If it is a promise, its rejection is reported: an unhandled one would end the process. */
export function reportRejection<T>(value: T, onFault: ReportFault = ignoreFault): T {
  promiseIn(value)?.catch(onFault);
  return value;
}

/**
 * Returns `value`. Throws for a promise, which would otherwise be taken for the answer. `part`: the name of the part whose function it is.
 */
export function atOnce<T>(value: T, path: string, part?: string): T {
  if (!isThenable(reportRejection(value))) return value;
  throw new TypeError(`${part === undefined ? '' : `part ${JSON.stringify(part)}: `}${path}: returned a promise; return the value itself`);
}

/** Wraps a callback so that nothing it throws, or rejects with, reaches its caller. */
export function safeCallback<T>(callback: ((value: T) => unknown) | undefined, onFault: ReportFault = ignoreFault): (value: T) => void {
  if (callback === undefined) return ignoreFault;
  return (value) => {
    try {
      reportRejection(callback(value), onFault);
    } catch (error) {
      onFault(error);
    }
  };
}

/** Returns the error as a rejected promise, for functions that return promises and so must not throw. */
export function rejectedWith(error: unknown): Promise<never> {
  return Promise.resolve().then(() => {
    throw error;
  });
}
