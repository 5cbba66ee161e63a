/** Starts the processes of one upstream: never more than the cap, not faster than the backoff allows, and ends those that nobody uses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tooMany, unreachable } from '../answer.js';
import { Channel, type ChannelOptions } from './channel.js';
import type { Command } from './process.js';

export interface SupervisorOptions {
  readonly name: string;
  readonly command: Command;
  readonly max: number;
  /** Milliseconds without use after which a process is ended. */
  readonly idle: number;
  readonly time: number;
  readonly log: (line: string) => void;
}

/** The number of processes that run, and of those started in all. */
export interface Children {
  readonly running: number;
  readonly starts: number;
}

const FIRST_DELAY = 100;
const LONGEST_DELAY = 30_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #channels = new Set<Channel>();
  readonly #retiring = new Set<Promise<void>>();
  readonly #sweeper: NodeJS.Timeout;
  #failures = 0;
  #notBefore = 0;
  #starts = 0;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(10, Math.min(options.idle / 2, 30_000))).unref();
  }

  get children(): Children {
    return { running: this.#channels.size, starts: this.#starts };
  }

  /** Undefined unless the last processes ended before they said anything. */
  get problem(): string | undefined {
    return this.#failures === 0 ? undefined : `its process ended before it spoke, ${this.#failures} times in a row`;
  }

  async start(options: Pick<ChannelOptions, 'isShared' | 'questions'>, signal: AbortSignal): Promise<Channel> {
    const { name, command, max, time, log } = this.#options;
    const wait = this.#notBefore - Date.now();
    if (wait > time) throw unreachable(name);
    if (wait > 0) await sleep(wait, undefined, { signal });
    if (this.#channels.size >= max && !this.#evict()) throw tooMany(name);
    if (this.#isClosed) throw unreachable(name);
    this.#starts++;
    const channel = new Channel(command, { name, time, log, ...options, onOver: (over, why) => this.#over(over, why) });
    this.#channels.add(channel);
    return channel;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.all([...[...this.#channels].map((channel) => channel.end()), ...this.#retiring]);
  }

  #over(channel: Channel, why: string): void {
    this.#channels.delete(channel);
    if (channel.hasSpoken) this.#failures = 0;
    else {
      this.#failures++;
      const delay = Math.min(FIRST_DELAY * 2 ** (this.#failures - 1), LONGEST_DELAY);
      this.#notBefore = Date.now() + delay;
    }
    if (!this.#isClosed) this.#options.log(`process ${channel.pid ?? ''} ended: ${why}`);
  }

  #sweep(): void {
    const limit = Date.now() - this.#options.idle;
    for (const channel of this.#channels) if (channel.isIdle && channel.lastUsed < limit) this.#retire(channel);
  }

  /** Ends the process that nobody has used for the longest time. */
  #evict(): boolean {
    const [oldest] = [...this.#channels].filter(({ isIdle }) => isIdle).sort((a, b) => a.lastUsed - b.lastUsed);
    if (oldest === undefined) return false;
    this.#retire(oldest);
    return true;
  }

  /** From now on the process does not count. */
  #retire(channel: Channel): void {
    this.#channels.delete(channel);
    const ending = channel.end().finally(() => this.#retiring.delete(ending));
    this.#retiring.add(ending);
  }
}
