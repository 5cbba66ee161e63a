/** What the SDKs hold of a line on stdio that has not ended yet. */
const MAX_LINE = 10 * 1024 * 1024;

export function checkMaxLine(given: number | undefined, path: string): number {
  const most = given ?? MAX_LINE;
  if (!Number.isSafeInteger(most) || most <= 0) throw new RangeError(`${path}: is not a positive integer`);
  return most;
}
