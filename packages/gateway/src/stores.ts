/** The store of the configuration: `memory`, `sqlite:FILE`, or the URL of a Redis or Valkey. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Redis } from 'ioredis';
import type { StateStore } from 'waybill/client/jar';
import type { GatewayConfig } from './config/types.js';
import { optional } from './operations/optional.js';

export interface Store {
  /** Other processes write to it at any time. */
  readonly isShared: boolean;
  /** Opens the part that keeps state. A file is made when something is kept. */
  open(): Promise<StateStore>;
  /** A secret that all processes with this store share. Rejects if a shared store cannot be reached. */
  secret(): Promise<string>;
  /** Undefined if the store answers, or is not used; otherwise what is wrong with it. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

const CHECK_TIME = 2_000;
const SECRET = 'waybill:gateway:key';

export async function openStore(url: string, warn: (message: string) => void): Promise<Store> {
  return isOwn(url) ? ownStore(url) : sharedStore(url, warn);
}

/** Throws if a package for the store is missing. Opens nothing. */
export async function checkStore({ store, upstreams }: GatewayConfig): Promise<void> {
  if (!isOwn(store)) await loadRedis();
  else if (store !== 'memory' && upstreams.some(({ state }) => state.mode === 'keep')) await loadSqlite();
}

const isOwn = (url: string): boolean => url === 'memory' || url.startsWith('sqlite:');

function ownStore(url: string): Store {
  const secret = randomBytes(32).toString('base64url');
  let opened: StateStore | undefined;
  return {
    isShared: false,
    open: async () =>
      (opened ??= url === 'memory' ? (await import('waybill/client/jar')).memoryStore() : await openFile(url.slice('sqlite:'.length))),
    secret: () => Promise.resolve(secret),
    check: () => (opened === undefined ? Promise.resolve(undefined) : problemOf(opened.drawers('waybill-ready'))),
    close: async () => opened?.close(),
  };
}

async function openFile(file: string): Promise<StateStore> {
  const { sqliteStore } = await import('waybill/client/node');
  mkdirSync(dirname(file), { recursive: true });
  return sqliteStore(file);
}

/** Types of this Node may not know the module. */
const SQLITE: string = 'node:sqlite';

function loadSqlite(): Promise<unknown> {
  return optional(['libsql'], 'store (SQLite, before Node 22.13)', () => import(SQLITE).catch(() => import('libsql')));
}

function loadRedis(): Promise<typeof Redis> {
  return optional(['ioredis'], 'store', async () => {
    const loaded = await import('ioredis');
    // The first releases of ioredis 5 have no other export.
    return loaded.default as unknown as typeof loaded.Redis;
  });
}

async function sharedStore(url: string, warn: (message: string) => void): Promise<Store> {
  const Redis = await loadRedis();
  const redis = new Redis(url.replace(/^valkey/, 'redis'), {
    // A command fails at once while Redis is down, so that its caller gets an answer.
    maxRetriesPerRequest: 0,
    commandTimeout: 4_000,
    retryStrategy: (times: number) => Math.min(times * 50, 500),
  });
  let problem = '';
  redis.on('error', ({ message, code = 'the connection broke' }: NodeJS.ErrnoException) => {
    if (problem === '') warn(`store: cannot be reached: ${message || code}`);
    problem = message || code;
  });
  redis.on('ready', () => {
    if (problem !== '') warn('store: can be reached again');
    problem = '';
  });
  const { redisStore } = await import('waybill/client/node');
  const kept = readingTwice(redisStore(redis));
  let known: string | undefined;

  async function secret(): Promise<string> {
    // Written again if the store has lost it: replicas that start later must find the one in use.
    await redis.call('set', SECRET, known ?? randomBytes(32).toString('base64url'), 'NX');
    return (known ??= String(await redis.call('get', SECRET)));
  }

  return {
    isShared: true,
    open: () => Promise.resolve(kept),
    secret: async () => known ?? readTwice(secret),
    async check() {
      const failed = await problemOf(secret());
      return failed === undefined ? undefined : `cannot be reached: ${problem || failed}`;
    },
    async close() {
      await kept.close().catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** Reads a second time if the connection broke: it may have been made before the store came up again. */
function readTwice<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    if ((error as Error).name !== 'MaxRetriesPerRequestError') throw error;
    return read();
  });
}

function readingTwice(store: StateStore): StateStore {
  const load: StateStore['load'] = (drawer) => readTwice(() => store.load(drawer));
  return Object.assign(Object.create(store) as StateStore, { load });
}

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), CHECK_TIME);
  });
  try {
    return await Promise.race([work.then(() => undefined), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
