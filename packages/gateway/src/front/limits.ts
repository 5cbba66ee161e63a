/**
 * Limits what one principal may ask of one upstream: requests in a time, and requests at one time. The counts are those of this process: with three
 * replicas, three times as much passes.
 */
import { Refusal } from '../answer.js';
import type { LimitsConfig } from '../config/types.js';

export interface LimitsOptions extends Pick<LimitsConfig, 'rate' | 'concurrent'> {
  readonly now: () => number;
}

interface Use {
  /** Requests that may be made at once, at the time `at`. */
  tokens: number;
  at: number;
  bodies: number;
  calls: number;
  streams: number;
}

/** Three things are counted, each for itself: requests whose body is not read yet, calls, and open streams. Only calls count for the rate. */
export type Counted = 'bodies' | 'calls' | 'streams';

/** Beyond this many, those who have used nothing for a while are forgotten. */
const MANY = 10_000;

export class Limits {
  readonly #options: LimitsOptions;
  readonly #uses = new Map<string, Use>();

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /** Counts one request. Throws a refusal with the time to wait. Returns what to call when it has ended. */
  enter(principal: string | undefined, upstream: string, kind: Counted): () => void {
    const { rate, concurrent } = this.#options;
    if (rate === undefined && concurrent === undefined) return () => undefined;
    const use = this.#useOf(JSON.stringify([principal ?? null, upstream]));
    if (concurrent !== undefined && use[kind] >= concurrent)
      throw overLimit(`${concurrent} ${kind === 'streams' ? 'streams' : 'requests'} to ${upstream} are under way`, 1);
    if (rate !== undefined && kind === 'calls') {
      if (use.tokens < 1)
        throw overLimit(`more than ${rate.text} to ${upstream}`, Math.ceil(((1 - use.tokens) * rate.milliseconds) / rate.amount / 1000));
      use.tokens--;
    }
    use[kind]++;
    let isOver = false;
    return () => {
      if (!isOver) use[kind]--;
      isOver = true;
    };
  }

  #useOf(key: string): Use {
    const { rate, now } = this.#options;
    let use = this.#uses.get(key);
    if (use === undefined) {
      if (this.#uses.size >= MANY) this.#forget();
      this.#uses.set(key, (use = { tokens: rate?.amount ?? 0, at: now(), bodies: 0, calls: 0, streams: 0 }));
    } else this.#refill(use);
    return use;
  }

  /** A bucket that fills evenly and holds at most the amount of one period. */
  #refill(use: Use): void {
    const { rate, now } = this.#options;
    const time = now();
    if (rate !== undefined) use.tokens = Math.min(rate.amount, use.tokens + ((time - use.at) * rate.amount) / rate.milliseconds);
    use.at = time;
  }

  #forget(): void {
    for (const [key, use] of this.#uses) {
      this.#refill(use);
      if (use.bodies + use.calls + use.streams === 0 && use.tokens >= (this.#options.rate?.amount ?? 0)) this.#uses.delete(key);
    }
  }
}

function overLimit(what: string, seconds: number): Refusal {
  return new Refusal(429, -32000, `Too Many Requests: ${what}`, undefined, { 'retry-after': String(Math.max(1, seconds)) });
}
