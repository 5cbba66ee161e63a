import type { StateScope } from '../../wire/state.js';

// D-22
/**
 * Seals with AES-256-GCM under a key that is derived from a secret. The binding of a value (key, audience, principal, scope, name, times)
 * is authenticated as a JSON array, because two different lists of texts never have the same JSON. A token is `w1.key.issued.expires.data`;
 * times are seconds in base 36, `data` is nonce, ciphertext and tag in base64url. Nonces are random and have 96 bits: use a key for at most
 * 2^32 seals.
 */
export interface Seal {
  readonly audience: string;
  seal(text: string, about: SealAbout): string | Promise<string>;
  /** Never throws and never rejects for input of a client. */
  unseal(token: string, about: SealAbout): Unsealed | Promise<Unsealed>;
}

/** The binding of a value. */
export interface SealAbout {
  /** `null`: no particular user. */
  readonly principal: string | null;
  readonly scope: StateScope;
  readonly name: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** Seconds. */
  readonly maxAge: number | undefined;
}

// D-22
/** `sequence` identifies one sealing and is authenticated: it is the nonce. */
export type Unsealed = { readonly text: string; readonly sequence: string } | { readonly problem: string };

export interface SealOptions {
  /**
   * Secrets of at least 32 bytes: random bytes, or text with as much randomness. They are copied. The first seals, all unseal. To change
   * the key: add the new one at the end everywhere, move it to the front everywhere, and remove the old one when its values have expired.
   */
  readonly keys: readonly (string | Uint8Array)[];
  /** The service that the values are for. A value for another audience is refused, even under the same key. */
  readonly audience: string;
}

const VERSION = 'w1';
export const KEY_INFO = 'waybill state seal w1';
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

export const NOT_OURS =
  'was not sealed here for this use: it was changed, its key was removed, or it is for another principal, audience, scope or name';
const EXPIRED = 'has expired';

export function checkSeal(what: string, { keys, audience }: SealOptions): readonly Uint8Array[] {
  if (typeof audience !== 'string' || audience === '') throw new TypeError(`${what}.audience: expected a text that is not empty`);
  if (!Array.isArray(keys) || keys.length === 0) throw new TypeError(`${what}.keys: expected a list of at least one secret`);
  return keys.map((key: unknown, at) => {
    const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key;
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`${what}.keys[${at}]: expected text or bytes`);
    if (bytes.length < 32) throw new RangeError(`${what}.keys[${at}]: expected at least 32 bytes`);
    // Catches a buffer that was never filled, or was wiped too early.
    if (bytes.every((byte) => byte === bytes[0])) throw new RangeError(`${what}.keys[${at}]: expected a secret, got one byte repeated`);
    // A copy: webSeal derives its keys with the first value, and the caller may have wiped the buffer by then.
    return new Uint8Array(bytes);
  });
}

interface Times {
  readonly issued: number;
  readonly expires: number | undefined;
}

export function timesOf({ now, maxAge }: SealAbout): Times {
  return { issued: Math.floor(now), expires: maxAge === undefined ? undefined : Math.floor(now + maxAge) };
}

/** Returns the additional data. */
export function bindingOf(key: string, audience: string, { principal, scope, name }: SealAbout, { issued, expires }: Times): string {
  return JSON.stringify([VERSION, key, audience, principal, scope, name, issued, expires ?? null]);
}

export function writeHead(key: string, { issued, expires }: Times): string {
  return `${VERSION}.${key}.${issued.toString(36)}.${expires === undefined ? '' : expires.toString(36)}.`;
}

interface Token extends Times {
  readonly key: string;
  readonly data: string;
}

const HEAD = /^w1\.([\w-]{8})\.([\da-z]{1,11})\.([\da-z]{0,11})\.(?=[\w-]+$)/;

/** Checks cheap things before decryption: most wrong tokens fail here. */
export function readToken(token: string, { now, maxAge }: SealAbout): Token | { readonly problem: string } {
  const head = HEAD.exec(token);
  if (head === null) return { problem: NOT_OURS };
  const [all, key = '', from = '', until = ''] = head;
  const issued = parseInt(from, 36);
  const expires = until === '' ? undefined : parseInt(until, 36);
  // One spelling: leading zeros would make another token for the same value.
  if (writeHead(key, { issued, expires }) !== all) return { problem: NOT_OURS };
  // The definition may have become stricter since.
  const ends = Math.min(expires ?? Infinity, maxAge === undefined ? Infinity : issued + maxAge);
  // Written so that with a clock that returns NaN nothing opens that expires.
  if (ends !== Infinity && !(now < ends)) return { problem: EXPIRED };
  return { key, issued, expires, data: token.slice(all.length) };
}

/** Returns the nonce of a token, as it is written. */
export function sequenceOf(token: string): string {
  const data = token.lastIndexOf('.') + 1;
  return token.slice(data, data + (NONCE_BYTES * 4) / 3);
}
