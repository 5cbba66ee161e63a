/**
 * Writes a name as JSON text for the stores. Text of SQLite ends at NUL, and UTF-8 cannot hold half of a surrogate pair; JSON escapes both.
 */
export function writeName(name: string | null): string {
  return JSON.stringify(name);
}

/** Reads a text that `writeName` wrote. Returns `undefined` for any other text: it was damaged, or another program wrote it. */
export function readName(text: string | undefined): string | undefined {
  const name = parseExact(text);
  return typeof name === 'string' ? name : undefined;
}

/** Reads the place of a row: a conversation, or `null` for the scope of the server. */
export function readPlace(text: string | undefined): string | null | undefined {
  const place = parseExact(text);
  return typeof place === 'string' || place === null ? place : undefined;
}

/** Accepts one spelling only: a row under another one would be read, and never found again to be replaced. */
export function parseExact(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
