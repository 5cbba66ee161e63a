import { noSession, Refusal } from './answer.js';
import type { FaceRequest } from './face.js';

const MAX_SESSIONS = 10_000;

/** The sessions of a face by their ids. If there are too many, the one that was used least recently is ended. */
export class SessionTable<S extends { readonly id: string }> {
  /** In the order of use, the latest last. */
  readonly #sessions = new Map<string, S>();
  readonly #onEnd: (session: S) => void;

  constructor(onEnd: (session: S) => void) {
    this.#onEnd = onEnd;
  }

  /** Returns the session of a call. Throws a refusal if the call names none, or one that has ended. */
  of({ session: id }: FaceRequest): S {
    if (id === undefined) throw new Refusal(400, -32000, 'Bad Request: Mcp-Session-Id is missing');
    const session = this.#sessions.get(id);
    if (session === undefined) throw noSession();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  add(session: S): void {
    const [oldest] = this.#sessions.values();
    if (this.#sessions.size >= MAX_SESSIONS && oldest !== undefined) this.end(oldest);
    this.#sessions.set(session.id, session);
  }

  some(test: (session: S) => boolean): boolean {
    for (const session of this.#sessions.values()) if (test(session)) return true;
    return false;
  }

  end(session: S): void {
    this.#sessions.delete(session.id);
    this.#onEnd(session);
  }

  endAll(): void {
    for (const session of [...this.#sessions.values()]) this.end(session);
  }
}
