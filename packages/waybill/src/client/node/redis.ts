import { checkMembers, expectText } from '../../wire/check.js';
import { isObject, own } from '../../wire/json.js';
import type { StoreChange, DrawerName, StoreOutcome, StoreRow, StoreSaved, StateStore, StoreWatcher } from '../jar/store.js';
import { parseExact, readName, writeName } from './names.js';
import { connect, type RedisClient } from './redis/client.js';
import { listen } from './redis/listener.js';
import { DRAWERS, END, LOAD, SAVE, type Script } from './redis/scripts.js';

export interface RedisOptions {
  /** Stands before every key and the name of the channel. */
  readonly prefix?: string;
}

/** Milliseconds that the end of a conversation is remembered, so that a late answer sets nothing for it. */
const ENDED_FOR = 30 * 86_400_000;

// D-23
/**
 * Keeps a jar in Redis or Valkey, for hosts with many replicas. Takes a URL (which needs the package `ioredis`) or your own client. Every
 * change names the revision it is based on; other replicas learn of it through a channel.
 */
export function redisStore(target: string | RedisClient, options: RedisOptions = {}): StateStore {
  if (typeof target !== 'string' && typeof (target as Partial<RedisClient> | undefined)?.call !== 'function')
    throw new TypeError('redisStore: expected a URL or an ioredis client');
  // ioredis would take any other scheme for the name of a host.
  if (typeof target === 'string' && !/^\/[^/]/.test(target) && !(/^rediss?:\/\//i.test(target) && URL.canParse(target)))
    throw new TypeError('redisStore: expected a URL that begins with redis:// or rediss://, or the path of a socket');
  checkMembers(options, { prefix: expectText }, 'redisStore');
  const { prefix = 'waybill' } = options;
  const origin = globalThis.crypto.randomUUID();
  const channel = `${prefix}:changes`;
  const watchers = new Set<StoreWatcher>();
  let client: Promise<RedisClient> | undefined;
  let line: Promise<RedisClient> | undefined;
  /** Problems that were reported. A foreign program that writes here is reported once, not with every message. */
  const reported = new Set<string>();
  let started: Promise<unknown> | undefined;

  const connected = (): Promise<RedisClient> => (client ??= typeof target === 'string' ? connect(target) : Promise.resolve(target));

  // The braces put all keys of one principal into one slot of a cluster. Braces inside its name would end the tag early.
  const owner = (principal: string): string => `${prefix}:{${encodeURIComponent(writeName(principal))}}`;
  const about = (principal: string): string => `${owner(principal)}:about`;
  const index = (principal: string): string => `${owner(principal)}:drawers`;
  const ended = (principal: string): string => `${owner(principal)}:ended`;
  const drawerOf = (principal: string, server: string): string => `${owner(principal)}:drawer:${server}`;

  async function run({ text, sha }: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const redis = await connected();
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await redis.call('evalsha', sha, ...rest);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.call('eval', text, ...rest);
    }
  }

  function message(principal: string, server: string | undefined, conversation: string | undefined): string {
    return JSON.stringify({ origin, principal, server, conversation });
  }

  function heard(payload: string): void {
    const message = messageIn(payload);
    if (message === undefined) return reportOnce('got a message on its channel that is no change, and ignored it');
    const { origin: from, principal, server, conversation } = message;
    if (from === origin) return;
    for (const watcher of watchers) {
      if (conversation !== undefined) watcher.ended(principal, conversation);
      else watcher.changed({ principal, server });
    }
  }

  function reportOnce(problem: string): void {
    if (reported.has(problem) || watchers.size === 0) return;
    reported.add(problem);
    for (const watcher of watchers) watcher.problem(problem);
  }

  /** Leaves out rows that are not ours, and does not delete them: another program, or a newer release, may know them. */
  function ours<T>(found: readonly (T | undefined)[]): T[] {
    const known = found.filter((one) => one !== undefined);
    if (known.length < found.length) reportOnce('holds something under its keys that is no item of a jar, and ignores it');
    return known;
  }

  async function hear(): Promise<RedisClient> {
    return listen(await connected(), channel, {
      heard,
      listening: () => {
        for (const watcher of watchers) watcher.changed(undefined);
      },
      failed: unheard,
    });
  }

  function unheard(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    for (const watcher of watchers) watcher.problem(`does not report changes of others: ${reason}`);
  }

  async function save(principal: string, server: string, epoch: string | undefined, changes: readonly StoreChange[]): Promise<StoreSaved> {
    const at = writeName(server);
    const keys = [about(principal), drawerOf(principal, at), index(principal), ended(principal)];
    const args = changes.flatMap(({ place, name, expected, body }) => [
      field(place, name),
      String(expected),
      place === null ? '' : writeName(place),
      body === undefined ? 'delete' : 'set',
      body ?? '',
    ]);
    const start = [epoch ?? '', globalThis.crypto.randomUUID(), at, channel, message(principal, server, undefined)];
    const [now, outcomes, left] = (await run(SAVE, keys, [...start, ...args])) as [string | null, string[][] | null, number];
    if (outcomes !== null) await listPrincipal(principal, left);
    return { epoch: now ?? undefined, outcomes: outcomes?.map((one, i) => outcomeOf(one, changes[i] as StoreChange)) };
  }

  /**
   * The list of principals has a slot of its own, so it is not changed together with the rest. It only serves people, and every save
   * corrects it.
   */
  async function listPrincipal(principal: string, drawers: number): Promise<void> {
    await (await connected()).call(drawers > 0 ? 'sadd' : 'srem', `${prefix}:principals`, writeName(principal));
  }

  return {
    // Connects with the first request, since a connection keeps a process alive. A failure shows when something is read.
    get starting() {
      return (started ??= connected()
        .then((redis) => redis.call('ping'))
        .catch(() => undefined));
    },
    async load({ principal, server }) {
      const [epoch, found] = (await run(LOAD, [about(principal), drawerOf(principal, writeName(server))], [])) as [string | null, string[]];
      return { epoch: epoch ?? undefined, rows: ours(pairs(found).map(([at, value]) => rowOf(at, value))) };
    },
    save: (batch) => Promise.all(batch.map(({ principal, server, epoch, changes }) => save(principal, server, epoch, changes))),
    async end(principal, conversation) {
      const now = Date.now();
      const keys = [index(principal), ended(principal), drawerOf(principal, '')];
      const args = [writeName(conversation), `[${writeName(conversation)},`, channel, message(principal, undefined, conversation)];
      const left = await run(END, keys, [...args, String(now), String(now - ENDED_FOR)]);
      await listPrincipal(principal, left as number);
    },
    async drawers(principal) {
      const found = (await run(DRAWERS, [index(principal), drawerOf(principal, '')], [])) as string[];
      return ours(
        pairs(found).map(([name, items]) => {
          const server = readName(name);
          return server === undefined ? undefined : { server, items: Number(items) };
        }),
      );
    },
    async principals() {
      return ours(((await (await connected()).call('smembers', `${prefix}:principals`)) as string[]).map(readName));
    },
    watch(watcher) {
      watchers.add(watcher);
      if (line === undefined) {
        line = hear();
        line.catch(unheard);
      }
      return () => void watchers.delete(watcher);
    },
    async close() {
      // A failed connection was reported before, and there is nothing to close.
      (await line?.catch(() => undefined))?.disconnect();
      if (typeof target === 'string') (await client?.catch(() => undefined))?.disconnect();
    },
  };
}

/** Reads a message that `message` wrote. Any program may write to a channel. */
function messageIn(payload: string): (Partial<Record<string, string>> & DrawerName) | undefined {
  try {
    const message: unknown = JSON.parse(payload);
    return isObject(message) && typeof own(message, 'principal') === 'string'
      ? (message as Partial<Record<string, string>> & DrawerName)
      : undefined;
  } catch {
    return undefined;
  }
}

function pairs(found: readonly string[]): [string, string][] {
  return found.flatMap((one, at) => (at % 2 === 0 ? [[one, found[at + 1] as string]] : []));
}

function field(place: string | null, name: string): string {
  return JSON.stringify([place, name]);
}

/** Reads a field of a drawer and its value, "revision body"; returns `undefined` if SAVE did not write it. */
function rowOf(at: string, value: string): StoreRow | undefined {
  const key = parseExact(at);
  if (!Array.isArray(key) || key.length !== 2) return undefined;
  const [place, name] = key as unknown[];
  const revision = /^[1-9]\d{0,14} /.exec(value)?.[0];
  if ((typeof place !== 'string' && place !== null) || typeof name !== 'string' || revision === undefined) return undefined;
  return { place, name, revision: Number(revision), body: value.slice(revision.length) };
}

function outcomeOf([how, what]: readonly (string | null)[], { place, name }: StoreChange): StoreOutcome {
  if (how === 'ended') return { ended: true };
  if (how === 'saved') return { revision: Number(what) };
  return { found: what == null ? undefined : rowOf(field(place, name), what) };
}
