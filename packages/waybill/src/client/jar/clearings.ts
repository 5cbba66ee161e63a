import type { StateScope } from '../../wire/state.js';
import type { Place } from './drawer.js';

const MAX_PLACES = 1_000;

/** Remembers what the user cleared, and when. An answer to an earlier request does not bring it back. */
export class Clearings {
  readonly #scopes: Record<StateScope, number> = { session: 0, server: 0 };
  readonly #places = new Map<string, number>();

  /** Clears a whole scope; with a place, one conversation's part of it. */
  set(scope: StateScope, place: Place, now: number): void {
    if (place === null) {
      this.#scopes[scope] = now;
      return;
    }
    this.#places.delete(place);
    this.#places.set(place, now);
    const [oldest] = this.#places;
    if (this.#places.size <= MAX_PLACES || oldest === undefined) return;
    // The oldest clearing now counts for every place: a request from before it has been under way for a thousand clearings.
    this.#places.delete(oldest[0]);
    this.#scopes.session = Math.max(this.#scopes.session, oldest[1]);
  }

  has(scope: StateScope, place: Place, issued: number): boolean {
    return issued < this.#scopes[scope] || (place !== null && issued < (this.#places.get(place) ?? 0));
  }
}
