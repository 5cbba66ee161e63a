/** Functions that a program hands in. Each may throw, or, whatever its type says, be asynchronous and reject when nobody waits for it any more. */
type Fault = (error: unknown) => void;

const nobody: Fault = () => undefined;

/** What such a function gave. A promise that is rejected is told to `onFault`; unheard, it would end the process. */
export function heeded<T>(given: T, onFault: Fault = nobody): T {
  if (given instanceof Promise) given.catch(onFault);
  return given;
}

/** A listener whose faults reach `onFault` and no call. */
export function quietly<T>(listener: ((value: T) => unknown) | undefined, onFault: Fault = nobody): (value: T) => void {
  if (listener === undefined) return nobody;
  return (value) => {
    try {
      heeded(listener(value), onFault);
    } catch (error) {
      onFault(error);
    }
  };
}

/** A failure as the promise of one: whoever gives promises throws nothing. */
export function failing(error: unknown): Promise<never> {
  return Promise.resolve().then(() => {
    throw error;
  });
}
