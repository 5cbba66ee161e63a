/** The SDKs buffer at most this many bytes of a stdio line that has not ended. */
const MAX_LINE = 10 * 1024 * 1024;

export function checkMaxLine(given: number | undefined, path: string): number {
  const most = given ?? MAX_LINE;
  if (!Number.isSafeInteger(most) || most <= 0) throw new RangeError(`${path}: expected a positive integer`);
  return most;
}
