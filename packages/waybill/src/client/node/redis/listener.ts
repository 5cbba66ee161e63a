import type { RedisClient } from './client.js';

export interface Hearing {
  readonly heard: (payload: string) => void;
  /** What was said until now may have gone unheard. */
  readonly listening: () => void;
  readonly failed: (error: unknown) => void;
}

/** Hears what is said on a channel, on a connection of its own, until the connection that is given back is ended. */
export function listen(redis: RedisClient, channel: string, { heard, listening, failed }: Hearing): RedisClient {
  // A client that subscribes again by itself leaves a rejection nobody handles, which ends the process, where it is closed meanwhile. A
  // cluster handles it.
  const own =
    redis.isCluster === true
      ? redis.duplicate([], { lazyConnect: false })
      : redis.duplicate({ autoResubscribe: false, lazyConnect: false });
  own.on('error', () => undefined);
  own.on('message', (_channel: string, payload: string) => {
    heard(payload);
  });
  own.on('ready', () => {
    // In small letters: ioredis 5 does not know the command otherwise, and fails when the answer comes.
    own.call('subscribe', channel).then(listening, failed);
  });
  return own;
}
