/** Finds out who asks. Exactly one way is configured, and only facts that were verified count: a client can never choose its principal. */
import type { Caller } from '../face.js';
import type { HttpRequest } from '../front/request.js';
import type { Log } from '../operations/log.js';

export interface Identity {
  /** Throws a refusal if the caller is not known. */
  identify(request: HttpRequest): Promise<Caller>;
  /** The document that tells clients where to get a token, for the path of a request; undefined if it is not there. */
  metadata?(path: string): object | undefined;
}

export interface IdentityParts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** One user of one issuer. The two parts cannot run into each other: `a`, `b/c` and `a/b`, `c` are different users. */
export function principalOf(issuer: string, subject: string): string {
  return JSON.stringify([issuer, subject]);
}
