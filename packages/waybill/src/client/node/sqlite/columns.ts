import type { StoreRow } from '../../jar/store.js';
import { readName, readPlace } from '../names.js';

/** A column as the drivers give a blob: `libsql` an `ArrayBuffer` or a `Buffer`, `node:sqlite` a `Uint8Array`. */
type Bytes = ArrayBuffer | Uint8Array | null;

export type Columns = Record<string, unknown>;

/**
 * Selects columns as bytes. In a damaged file any column may hold a text that is not UTF-8, even one declared as a number. `libsql` aborts
 * the process if it reads such a text.
 */
export function asBytes(...columns: readonly string[]): string {
  return columns.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(', ');
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a column that `asBytes` selected; returns `undefined` if it is empty or not UTF-8. */
export function textOf(column: unknown): string | undefined {
  if (column === null || column === undefined) return undefined;
  try {
    return strict.decode(column as Exclude<Bytes, null>);
  } catch {
    return undefined;
  }
}

/** Writes the bytes like SQLite's `hex()`, to name a damaged row in a DELETE. */
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

/** Reads a row of `items`; returns `undefined` if one of its columns is damaged. */
export function rowOf(columns: Columns): StoreRow | undefined {
  const place = readPlace(textOf(columns['place']));
  const name = readName(textOf(columns['name']));
  const revision = revisionOf(columns['revision']);
  const body = textOf(columns['body']);
  if (place === undefined || name === undefined || revision === undefined || body === undefined) return undefined;
  return { place, name, revision, body };
}
