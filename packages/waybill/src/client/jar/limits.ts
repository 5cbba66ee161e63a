import { checkNames } from '../../wire/check.js';
import { outOfBounds, type Json } from '../../wire/json.js';

/** The amount that a server may make a client keep. Bytes are those of JSON in UTF-8. */
export interface JarLimits {
  /** Bytes of one item, its name included. */
  readonly itemBytes: number;
  /** Items of one server, over both scopes and all conversations. */
  readonly drawerItems: number;
  readonly drawerBytes: number;
  /** Items of one principal, over all servers. */
  readonly jarItems: number;
}

export const DEFAULT_JAR_LIMITS: JarLimits = Object.freeze({ itemBytes: 16_384, drawerItems: 64, drawerBytes: 131_072, jarItems: 3_000 });

/** Deeper values are not kept: servers that limit the depth of what they parse would refuse the requests that carry them. */
const DEPTH = 96;

/** The least that RFC 2109 asks of a program that keeps cookies (STATE-57). */
const LEAST: JarLimits = { itemBytes: 4_096, drawerItems: 20, drawerBytes: 4_096, jarItems: 300 };

export function checkJarLimits(given: unknown, path: string): void {
  if (given === undefined) return;
  checkNames(given, Object.keys(DEFAULT_JAR_LIMITS), path);
  const limits: JarLimits = { ...DEFAULT_JAR_LIMITS, ...given };
  for (const name of Object.keys(DEFAULT_JAR_LIMITS) as (keyof JarLimits)[]) {
    const value: unknown = limits[name];
    if (!Number.isSafeInteger(value) || (value as number) < LEAST[name])
      throw new RangeError(`${path}.${name}: expected an integer of at least ${LEAST[name]}`);
  }
  if (limits.drawerBytes < limits.itemBytes) throw new RangeError(`${path}.drawerBytes: expected at least ${path}.itemBytes`);
}

/** Returns how many bytes an item takes, or `undefined` if it is more than `most` or too deep. Stops early on a huge value. */
export function itemBytes(name: string, value: Json, most: number): number | undefined {
  // Every character, member and bracket is at least one byte, so a value over these limits is over the byte limit too.
  if (typeof value === 'object' && outOfBounds(value, { depth: DEPTH, values: most, characters: most }) !== undefined) return undefined;
  if (name.length > most || (typeof value === 'string' && value.length > most)) return undefined;
  const bytes = jsonBytes(name) + jsonBytes(value);
  return bytes > most ? undefined : bytes;
}

function jsonBytes(value: Json): number {
  // Most names and many values are plain words: their JSON adds two quotes.
  if (typeof value === 'string' && value.length < 64 && PLAIN.test(value)) return value.length + 2;
  return utf8Bytes(JSON.stringify(value));
}

const PLAIN = /^[\w ./:@+-]*$/;

/** JSON.stringify escapes single halves of surrogate pairs, so each pair is four bytes. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
