import { checkMembers, expectText } from '../../wire/check.js';
import { isObject, own } from '../../wire/json.js';
import type { Change, DrawerName, Outcome, Row, Saved, StateStore, StoreWatcher } from '../jar/store.js';
import { connect, type RedisClient } from './redis/client.js';
import { listen } from './redis/listener.js';
import { DRAWERS, END, LOAD, SAVE, type Script } from './redis/scripts.js';

export interface RedisOptions {
  /** The beginning of every key and of the channel. */
  readonly prefix?: string;
}

const ENDED_FOR = 30 * 86_400_000;

/**
 * A jar in Redis or Valkey, for hosts that run many replicas. Takes a URL (and then needs the package `ioredis`) or a client of yours.
 * Every change says which revision it was made on; others hear of it through a channel (D-23).
 */
export function redisStore(target: string | RedisClient, options: RedisOptions = {}): StateStore {
  if (typeof target !== 'string' && typeof (target as Partial<RedisClient> | undefined)?.call !== 'function')
    throw new TypeError('redisStore: expected a URL or an ioredis client');
  // ioredis takes any other scheme for the name of a host.
  if (typeof target === 'string' && !/^\/[^/]/.test(target) && !(/^rediss?:\/\//i.test(target) && URL.canParse(target)))
    throw new TypeError('redisStore: expected a URL that begins with redis:// or rediss://, or the path of a socket');
  checkMembers(options, { prefix: expectText }, 'redisStore');
  const { prefix = 'waybill' } = options;
  const origin = globalThis.crypto.randomUUID();
  const channel = `${prefix}:changes`;
  const watchers = new Set<StoreWatcher>();
  let client: Promise<RedisClient> | undefined;
  let line: Promise<RedisClient> | undefined;
  /** Somebody else speaks on the channel, and it was told. */
  let isStrange = false;

  let started: Promise<unknown> | undefined;

  const connected = (): Promise<RedisClient> => (client ??= typeof target === 'string' ? connect(target) : Promise.resolve(target));

  // Braces around the principal: all keys of one lie together in a cluster. Its own braces would end the tag early.
  const owner = (principal: string): string => `${prefix}:{${encodeURIComponent(text(principal))}}`;
  const about = (principal: string): string => `${owner(principal)}:about`;
  const index = (principal: string): string => `${owner(principal)}:drawers`;
  const over = (principal: string): string => `${owner(principal)}:ended`;
  const drawerOf = (principal: string, server: string): string => `${owner(principal)}:drawer:${server}`;

  async function run({ text: code, sha }: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const redis = await connected();
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await redis.call('EVALSHA', sha, ...rest);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.call('EVAL', code, ...rest);
    }
  }

  function message(principal: string, server: string | undefined, conversation: string | undefined): string {
    return JSON.stringify({ origin, principal, server, conversation });
  }

  function heard(payload: string): void {
    const said = messageIn(payload);
    if (said === undefined) {
      if (!isStrange)
        for (const watcher of watchers) watcher.problem('was told something on its channel that is no change, and passes over it');
      isStrange ||= watchers.size > 0;
      return;
    }
    const { origin: from, principal, server, conversation } = said;
    if (from === origin) return;
    for (const watcher of watchers) {
      if (conversation !== undefined) watcher.ended(principal, conversation);
      else watcher.changed({ principal, server });
    }
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
    for (const watcher of watchers) watcher.problem(`does not tell what others change: ${reason}`);
  }

  async function save(principal: string, server: string, epoch: string | undefined, changes: readonly Change[]): Promise<Saved> {
    const at = text(server);
    const keys = [about(principal), drawerOf(principal, at), index(principal), over(principal)];
    const args = changes.flatMap(({ place, name, expected, body }) => [
      field(place, name),
      String(expected),
      place === null ? '' : text(place),
      body === undefined ? 'delete' : 'set',
      body ?? '',
    ]);
    const start = [epoch ?? '', globalThis.crypto.randomUUID(), at, channel, message(principal, server, undefined)];
    const [now, outcomes, left] = (await run(SAVE, keys, [...start, ...args])) as [string | null, string[][] | null, number];
    if (outcomes !== null) await principals(principal, left);
    return { epoch: now ?? undefined, outcomes: outcomes?.map((one, i) => outcomeOf(one, changes[i] as Change)) };
  }

  /** In a slot of its own, so not at once with the rest: a list for people, which every saving sets right again. */
  async function principals(principal: string, drawers: number): Promise<void> {
    await (await connected()).call(drawers > 0 ? 'SADD' : 'SREM', `${prefix}:principals`, text(principal));
  }

  return {
    // With the first who asks: a connection keeps a process alive. What fails shows when something is read.
    get starting() {
      return (started ??= connected()
        .then((redis) => redis.call('PING'))
        .catch(() => undefined));
    },
    async load({ principal, server }) {
      const [epoch, found] = (await run(LOAD, [about(principal), drawerOf(principal, text(server))], [])) as [string | null, string[]];
      const rows: Row[] = [];
      for (let i = 0; i < found.length; i += 2) rows.push(rowOf(found[i] as string, found[i + 1] as string));
      return { epoch: epoch ?? undefined, rows };
    },
    save: (batch) => Promise.all(batch.map(({ principal, server, epoch, changes }) => save(principal, server, epoch, changes))),
    async end(principal, conversation) {
      const now = Date.now();
      const keys = [index(principal), over(principal), drawerOf(principal, '')];
      const args = [text(conversation), `[${text(conversation)},`, channel, message(principal, undefined, conversation)];
      const left = await run(END, keys, [...args, String(now), String(now - ENDED_FOR)]);
      await principals(principal, left as number);
    },
    async drawers(principal) {
      const found = (await run(DRAWERS, [index(principal), drawerOf(principal, '')], [])) as (string | number)[];
      return found.flatMap((server, i) => (i % 2 === 0 ? [{ server: untext(server as string), items: found[i + 1] as number }] : []));
    },
    async principals() {
      return ((await (await connected()).call('SMEMBERS', `${prefix}:principals`)) as string[]).map(untext);
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
      // Whoever could not be reached was told of before, and there is nothing to close.
      (await line?.catch(() => undefined))?.disconnect();
      if (typeof target === 'string') (await client?.catch(() => undefined))?.disconnect();
    },
  };
}

/** What `message` wrote; anybody may speak on a channel. */
function messageIn(payload: string): (Partial<Record<string, string>> & DrawerName) | undefined {
  try {
    const said: unknown = JSON.parse(payload);
    return isObject(said) && typeof own(said, 'principal') === 'string'
      ? (said as Partial<Record<string, string>> & DrawerName)
      : undefined;
  } catch {
    return undefined;
  }
}

function text(value: string): string {
  return JSON.stringify(value);
}

function untext(value: string): string {
  return JSON.parse(value) as string;
}

function field(place: string | null, name: string): string {
  return JSON.stringify([place, name]);
}

function rowOf(at: string, value: string): Row {
  const [place, name] = JSON.parse(at) as [string | null, string];
  const space = value.indexOf(' ');
  return { place, name, revision: Number(value.slice(0, space)), body: value.slice(space + 1) };
}

function outcomeOf([how, what]: readonly (string | null)[], { place, name }: Change): Outcome {
  if (how === 'ended') return { ended: true };
  if (how === 'saved') return { revision: Number(what) };
  return { found: what == null ? undefined : rowOf(field(place, name), what) };
}
