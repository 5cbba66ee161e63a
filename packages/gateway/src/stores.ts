/** The store of the configuration: `memory`, `sqlite:FILE`, or the URL of a Redis or Valkey. It is opened when something is kept in it. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { memoryStore, type StateStore } from 'waybill/client/jar';
import { redisStore, sqliteStore } from 'waybill/client/node';

const CHECK_TIME = 2_000;

export class Store {
  readonly #url: string;
  #opened: StateStore | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws if the package for it is not installed. */
  open(): StateStore {
    return (this.#opened ??= openStore(this.#url));
  }

  /** Undefined if the store answers, or is not used; otherwise what is wrong with it. */
  async check(): Promise<string | undefined> {
    if (this.#opened === undefined) return undefined;
    try {
      await within(this.#opened.drawers('waybill-ready'), CHECK_TIME);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }
}

function openStore(url: string): StateStore {
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  if (url === 'memory') return memoryStore();
  if (file === undefined) return redisStore(url.replace(/^valkey/, 'redis'));
  mkdirSync(dirname(file), { recursive: true });
  return sqliteStore(file);
}

async function within<T>(work: Promise<T>, time: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('does not answer')), time);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
