import type { Channel } from './channel.js';

const MAX_KEYS = 1_000;

/**
 * The processes that several callers share, by key. Clients have a say in the keys, so the one that was used least recently is forgotten when
 * there are too many: its process serves those who have it, and ends when they stop.
 */
export class SharedProcesses<T extends { readonly channel: Channel }> {
  /** In the order of use, the latest last. */
  readonly #processes = new Map<string, Promise<T>>();

  get size(): number {
    return this.#processes.size;
  }

  /** Returns the process of this key. Calls `start` if there is none that can be used. */
  async of(key: string, start: () => Promise<T>): Promise<T> {
    const known = this.#processes.get(key);
    const process = await known?.catch(() => undefined);
    // Another caller may have started one meanwhile.
    if (this.#processes.get(key) !== known) return this.of(key, start);
    const isUsable = process !== undefined && !process.channel.isGone;
    const used = isUsable && known !== undefined ? known : start();
    this.#processes.delete(key);
    this.#processes.set(key, used);
    if (this.#processes.size > MAX_KEYS) this.#processes.delete(this.#processes.keys().next().value as string);
    return used;
  }
}
