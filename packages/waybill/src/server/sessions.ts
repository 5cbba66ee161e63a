import type { JsonObject } from '../wire/json.js';

/** More sessions than this are not remembered at once; the one that was used least recently goes first. */
const MAX_SESSIONS = 4096;
/** A client that declares more, in characters of JSON, declares nothing. */
const MAX_DECLARED = 4096;

/**
 * The capabilities that `initialize` declared on 2025-11-25, by the session id that the server gave out, for servers whose transport the
 * layer does not see. An unknown session declared nothing.
 */
export class Sessions {
  readonly #declared = new Map<string, JsonObject>();

  note(id: string, declared: JsonObject | undefined): void {
    this.#declared.delete(id);
    if (declared === undefined || JSON.stringify(declared).length > MAX_DECLARED) return;
    const [oldest] = this.#declared.keys();
    if (this.#declared.size >= MAX_SESSIONS && oldest !== undefined) this.#declared.delete(oldest);
    this.#declared.set(id, declared);
  }

  declaredIn(id: string | undefined): JsonObject | undefined {
    const declared = id === undefined ? undefined : this.#declared.get(id);
    if (id === undefined || declared === undefined) return undefined;
    this.#declared.delete(id);
    this.#declared.set(id, declared);
    return declared;
  }

  forget(id: string): void {
    this.#declared.delete(id);
  }
}
