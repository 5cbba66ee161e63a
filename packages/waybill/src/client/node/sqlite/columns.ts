import type { Row } from '../../jar/store.js';
import { readName, readPlace } from '../names.js';

/** A column as the drivers give a blob: `libsql` an `ArrayBuffer` or a `Buffer`, `node:sqlite` a `Uint8Array`. */
type Bytes = ArrayBuffer | Uint8Array | null;

export type Columns = Record<string, unknown>;

/**
 * Selects columns as bytes. In a damaged file any column may hold a text that is no UTF-8, also one declared as a number. `libsql` aborts
 * the process when it is asked for such a text.
 */
export function asBytes(...columns: readonly string[]): string {
  return columns.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(', ');
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a column that `asBytes` selected; `undefined` where it is empty, or no UTF-8. */
export function textOf(column: unknown): string | undefined {
  if (column === null || column === undefined) return undefined;
  try {
    return strict.decode(column as Exclude<Bytes, null>);
  } catch {
    return undefined;
  }
}

/** The same bytes as SQLite's own `hex()` writes them: how a damaged row is named when it is deleted. */
export function hexOf(column: unknown): string {
  if (column === null || column === undefined) return '';
  return Buffer.from(new Uint8Array(column as Exclude<Bytes, null>))
    .toString('hex')
    .toUpperCase();
}

function revisionOf(column: unknown): number | undefined {
  const number = Number(textOf(column));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** A row of `items`, or `undefined` where one of its columns is damaged. */
export function rowOf(columns: Columns): Row | undefined {
  const place = readPlace(textOf(columns['place']));
  const name = readName(textOf(columns['name']));
  const revision = revisionOf(columns['revision']);
  const body = textOf(columns['body']);
  if (place === undefined || name === undefined || revision === undefined || body === undefined) return undefined;
  return { place, name, revision, body };
}
