import type { RedisClient } from './client.js';

interface Hearing {
  readonly heard: (payload: string) => void;
  /** Called when the subscription begins: messages from before may have been missed. */
  readonly listening: () => void;
  readonly failed: (error: unknown) => void;
}

/** Listens on a channel, on a connection of its own, until the returned connection is ended. */
export function listen(redis: RedisClient, channel: string, { heard, listening, failed }: Hearing): RedisClient {
  // A client that subscribes again by itself leaves an unhandled rejection if it is closed meanwhile, and that ends the process. A cluster
  // handles it.
  const own =
    redis.isCluster === true
      ? redis.duplicate([], { lazyConnect: false })
      : redis.duplicate({ autoResubscribe: false, lazyConnect: false });
  own.on('error', () => undefined);
  own.on('message', (_channel: string, payload: string) => {
    heard(payload);
  });
  own.on('ready', () => {
    // In lower case: ioredis 5 does not know the command otherwise, and fails when the answer comes.
    own.call('subscribe', channel).then(listening, failed);
  });
  return own;
}
