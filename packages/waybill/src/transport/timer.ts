/** Calls `elapsed` once after that many milliseconds. Returns a function that prevents it. */
export type StartTimer = (milliseconds: number, elapsed: () => void) => () => void;

export const startTimer: StartTimer = (milliseconds, elapsed) => {
  const handle = setTimeout(elapsed, milliseconds);
  return () => {
    clearTimeout(handle);
  };
};

/** The same, without keeping the process alive. */
export const startIdleTimer: StartTimer = (milliseconds, elapsed) => {
  const handle: unknown = setTimeout(elapsed, milliseconds);
  (handle as { unref?: () => void }).unref?.();
  return () => {
    clearTimeout(handle as Parameters<typeof clearTimeout>[0]);
  };
};
