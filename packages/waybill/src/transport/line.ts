import { expectPositive } from '../wire/check.js';

/** What the SDKs hold of a line on stdio that has not ended yet. */
const MAX_LINE = 10 * 1024 * 1024;

export function checkMaxLine(given: number | undefined, path: string): number {
  expectPositive(given, path);
  return given ?? MAX_LINE;
}
