import { vi } from 'vitest';

/** Waits until `check` does not throw. A second, as in Vitest, is too short for a busy machine. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 15_000 });
