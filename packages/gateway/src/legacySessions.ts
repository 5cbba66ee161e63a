/** The 2025 sessions that were begun here: who began each, and what that client declared. */
import type { JsonObject } from 'waybill';
import { noSession } from './answer.js';
import type { Caller } from './face.js';

interface Remembered {
  readonly capabilities: JsonObject | undefined;
  readonly principal: string | undefined;
}

const MAX_SESSIONS = 10_000;

export class LegacySessions {
  readonly #sessions = new Map<string, Remembered>();

  /** Returns the session that was forgotten for it, if there is no more room. */
  remember(id: string, { principal }: Caller, capabilities: JsonObject | undefined): string | undefined {
    const oldest = this.#sessions.size >= MAX_SESSIONS ? this.#sessions.keys().next().value : undefined;
    if (oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(id, { capabilities, principal });
    return oldest;
  }

  /** Undefined if the session began elsewhere. For a user who did not begin it, it does not exist: its id is no proof of who asks. */
  find(id: string | undefined, { principal }: Caller): Remembered | undefined {
    const found = id === undefined ? undefined : this.#sessions.get(id);
    if (id === undefined || found === undefined) return undefined;
    if (found.principal !== principal) throw noSession();
    // The map stays in the order of use.
    this.#sessions.delete(id);
    this.#sessions.set(id, found);
    return found;
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }
}
