/**
 * Callbacks that a program hands in: `onIssue`, `onFault`, observers. A callback may throw, and it may return a promise even where its type
 * says that it does not. Neither may break a call.
 */
import { isThenable, promiseIn } from './maybe.js';

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
