/** The store of the configuration: `memory`, `sqlite:FILE`, or the URL of a Redis or Valkey. */
import { memoryStore, type StateStore } from 'waybill/client/jar';
import { redisStore, sqliteStore } from 'waybill/client/node';

export function openStore(url: string): StateStore {
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  if (file !== undefined) return sqliteStore(file);
  if (url === 'memory') return memoryStore();
  return redisStore(url.replace(/^valkey/, 'redis'));
}

/** Undefined if the store answers, or what is wrong with it. */
export async function checkStore(store: StateStore): Promise<string | undefined> {
  try {
    await within(store.drawers('waybill-ready'), CHECK_TIME);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const CHECK_TIME = 2_000;

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
