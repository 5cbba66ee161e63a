/** The public keys of a token issuer. They are read again when they are old or when a token names a new one, and kept while the server is down. */
import type { JSONWebKeySet } from 'jose';
import { isLoopback } from '../config/address.js';
import { readJson } from './readJson.js';

export interface KeySetOptions {
  readonly issuer: string;
  /** The address of the keys. Without it, the issuer's metadata names it. */
  readonly jwks: string | undefined;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Ends one reading of the issuer's metadata and keys. */
  readonly until?: () => AbortSignal;
}

/** Milliseconds after which the keys are read again. */
const FRESH = 10 * 60_000;
/** Milliseconds that keys are used after their server went away. A key that was withdrawn meanwhile still counts. */
const STALE = 60 * 60_000;
/** Milliseconds between two readings. A client that invents key names cannot make the gateway ask more often. */
const PAUSE = 5_000;
/** Milliseconds for the issuer's metadata and keys together: requests wait for them. */
const TIME = 5_000;

/** The keys cannot be read, so nothing can be verified. */
export class NoKeys extends Error {
  override readonly name = 'NoKeys';
}

export class KeySet {
  readonly #options: KeySetOptions;
  #keys: JSONWebKeySet | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #reading: Promise<void> | undefined;
  #isDown = false;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** The keys as far as they are known. Throws if there are none, or none that may still be used. */
  async keys(): Promise<JSONWebKeySet> {
    const { now } = this.#options;
    if (now() - this.#readAt > FRESH) {
      const reading = this.refresh();
      // A key server that hangs must not hold up each request.
      if (!this.#isDown || now() - this.#readAt > FRESH + STALE) await reading;
    }
    if (this.#keys === undefined || now() - this.#readAt > FRESH + STALE) throw new NoKeys('the keys of the token issuer cannot be read');
    return this.#keys;
  }

  /** Reads the keys again, unless that was tried a moment ago. Returns whether it was done. */
  async refresh(): Promise<boolean> {
    const { now } = this.#options;
    if (this.#reading === undefined) {
      if (now() - this.#triedAt < PAUSE) return false;
      this.#triedAt = now();
      this.#reading = this.#read().finally(() => (this.#reading = undefined));
    }
    await this.#reading;
    return true;
  }

  async #read(): Promise<void> {
    const { issuer, log, now, until = () => AbortSignal.timeout(TIME) } = this.#options;
    const signal = until();
    try {
      const jwks = this.#options.jwks ?? (await addressOfKeys(issuer, signal));
      const found = (await readJson(jwks, signal)) as Partial<JSONWebKeySet> | null;
      if (!Array.isArray(found?.keys)) throw new Error(`${jwks} gives no keys`);
      this.#keys = { keys: found.keys };
      this.#readAt = now();
      if (this.#isDown) log(`identity: the keys of ${issuer} can be read again`);
      this.#isDown = false;
    } catch (error) {
      if (!this.#isDown) log(`identity: the keys of ${issuer} cannot be read: ${(error as Error).message}`);
      this.#isDown = true;
    }
  }
}

/** RFC 8414 and OpenID Connect Discovery put the issuer's metadata at different addresses. */
async function addressOfKeys(issuer: string, signal: AbortSignal): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  let problem = 'it has no metadata';
  for (const place of new Set(places)) {
    try {
      const { issuer: named, jwks_uri: jwks } = (await readJson(place, signal)) as { issuer?: unknown; jwks_uri?: unknown };
      if (named === issuer && typeof jwks === 'string' && isSafe(jwks, issuer)) return jwks;
      problem = `${place} names another issuer, or no address of keys that is safe`;
    } catch (error) {
      problem = (error as Error).message;
      if (signal.aborted) break;
    }
  }
  throw new Error(problem);
}

/** Keys that come in the clear can be replaced on the way. */
function isSafe(jwks: string, issuer: string): boolean {
  if (!URL.canParse(jwks)) return false;
  const { protocol, hostname } = new URL(jwks);
  return protocol === 'https:' || (protocol === 'http:' && hostname === new URL(issuer).hostname && isLoopback(hostname));
}
