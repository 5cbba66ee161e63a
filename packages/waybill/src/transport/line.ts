import { expectPositive } from '../wire/check.js';

/** The SDKs buffer at most this many bytes of a stdio line that has not ended. */
const MAX_LINE = 10 * 1024 * 1024;

export function checkMaxLine(given: number | undefined, path: string): number {
  expectPositive(given, path);
  return given ?? MAX_LINE;
}
