/** Every leaf of a JSON value by its path: `structuredContent.items[0]`. */
export function leavesOf(value: unknown, path = '', found: Map<string, string> = new Map()): Map<string, string> {
  if (Array.isArray(value) && value.length > 0) value.forEach((one, at) => leavesOf(one, `${path}[${at}]`, found));
  else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    for (const [name, one] of Object.entries(value)) leavesOf(one, path === '' ? name : `${path}.${name}`, found);
  else found.set(path, typeof value === 'string' ? value : JSON.stringify(value));
  return found;
}

/** `{ elicitation: { form: {} } }` as `elicitation.form`. */
export const pathsOf = (value: object): string[] => [...leavesOf(value).keys()].filter((path) => path !== '');

/** The paths at which not all of the values say the same. */
export function differingPaths(values: readonly unknown[]): string[] {
  const all = values.map((value) => leavesOf(value));
  const paths = new Set(all.flatMap((leaves) => [...leaves.keys()]));
  return [...paths].filter((path) => new Set(all.map((leaves) => leaves.get(path))).size > 1);
}
