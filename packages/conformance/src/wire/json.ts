/** Small helpers for JSON that nobody has checked. They look at own members only, so `__proto__` is a name like any other. */
export type Message = Record<string, unknown>;

export const isObject = (value: unknown): value is Message => typeof value === 'object' && value !== null && !Array.isArray(value);

export type Path = readonly (string | number)[];

/** The value at a path, or undefined. */
export function at(value: unknown, ...path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

/** JSON with sorted members, so that two values can be compared as text. */
export function canonical(value: unknown): string {
  const sorted = (_key: string, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member;
  return value === undefined ? 'undefined' : JSON.stringify(value, sorted);
}

export const equal = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** A value as short text for a sentence. */
export function short(value: unknown, most = 120): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : canonical(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
