/**
 * Calls of a 2025 server that wait for the answer of a person. The 2026 client got `input_required` and comes back with another request, so
 * the call waits here, in the memory of this process. `requestState` names it, sealed for the user and the request: it is of no use to others.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { nodeSeal } from 'waybill/server/node';
import { Refusal } from '../answer.js';
import type { Post } from '../face.js';
import { own, textOf } from '../json/values.js';
import { userOf } from './sessionPool.js';

export interface Waiting {
  /** Called when the client does not come back in time. */
  giveUp(): void;
}

/** Runs `then` after some milliseconds; returns how to stop that. */
export type StartTimer = (milliseconds: number, then: () => void) => () => void;

const startTimer: StartTimer = (milliseconds, then) => {
  const timer = setTimeout(then, milliseconds).unref();
  return () => clearTimeout(timer);
};

export const PARKED_LIFE = 5 * 60_000;
const MAX_PARKED = 1_000;

export class ParkedCalls<T extends Waiting> {
  readonly #seal = nodeSeal({ keys: [randomBytes(32)], audience: 'waybill-gateway' });
  readonly #calls = new Map<string, { readonly call: T; readonly stopTimer: () => void }>();
  readonly #start: StartTimer;

  constructor(start: StartTimer = startTimer) {
    this.#start = start;
  }

  get size(): number {
    return this.#calls.size;
  }

  get isFull(): boolean {
    return this.#calls.size >= MAX_PARKED;
  }

  /** Returns the `requestState` under which the client finds its call again. */
  park(call: T, post: Post): string {
    const id = randomUUID();
    const stopTimer = this.#start(PARKED_LIFE, () => {
      this.#calls.delete(id);
      call.giveUp();
    });
    this.#calls.set(id, { call, stopTimer });
    return this.#seal.seal(id, aboutOf(post));
  }

  /** Takes the call out: a `requestState` is good for one answer. Undefined if the request carries none. */
  take(post: Post): T | undefined {
    const state = own(post.message.params, 'requestState');
    if (state === undefined) return undefined;
    const opened = this.#seal.unseal(textOf(state) ?? '', aboutOf(post));
    const found = 'text' in opened ? this.#calls.get(opened.text) : undefined;
    if (found === undefined || !('text' in opened)) throw new Refusal(400, -32602, 'Invalid params: no call waits under this requestState');
    this.#calls.delete(opened.text);
    found.stopTimer();
    return found.call;
  }

  close(): void {
    for (const { call, stopTimer } of this.#calls.values()) {
      stopTimer();
      call.giveUp();
    }
    this.#calls.clear();
  }
}

function aboutOf(post: Post) {
  const { message, caller } = post;
  const asked = [message.method, message.name, own(message.params, 'arguments'), userOf(post)];
  const name = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
  return { principal: caller.principal ?? null, scope: 'session', name, now: Date.now() / 1000, maxAge: undefined } as const;
}
