/** The methods that are used of an `ioredis` client, or of a cluster. */
export interface RedisClient {
  readonly isCluster?: boolean;
  call(command: string, ...args: string[]): Promise<unknown>;
  /** A cluster takes nodes as the first argument. */
  duplicate(nodesOrOptions?: object, options?: object): RedisClient;
  on(event: string, listener: (...args: never[]) => void): unknown;
  disconnect(): void;
}

/** Loads the package `ioredis`; nothing else does. */
export async function connect(url: string): Promise<RedisClient> {
  const module = 'ioredis';
  let Redis: new (url: string, options: object) => RedisClient;
  try {
    // Uses the default export: the first releases of ioredis 5 have no other.
    ({ default: Redis } = (await import(module)) as { default: typeof Redis });
  } catch (error) {
    throw new Error('redisStore needs the package ioredis to connect to a URL; install it, or pass a client', { cause: error });
  }
  // A command fails soon instead of waiting, and the jar tries again later: nothing may pile up here.
  const client = new Redis(url, {
    maxRetriesPerRequest: 0,
    commandTimeout: 4_000,
    retryStrategy: (times: number) => Math.min(times * 50, 500),
  });
  let last: Error | undefined;
  client.on('error', (error: Error) => {
    last = error;
  });
  return {
    // Adds the reason of the connection: "too many retries" does not help to find the server.
    call: (...args) =>
      client.call(...args).catch((error: unknown) => {
        const isGivenUp = error instanceof Error && error.name === 'MaxRetriesPerRequestError';
        throw isGivenUp ? new Error(`Redis cannot be reached${last ? `: ${last.message}` : ''}`, { cause: error }) : error;
      }),
    duplicate: (...options) => client.duplicate(...options),
    on: (event, listener) => client.on(event, listener),
    disconnect: () => {
      client.disconnect();
    },
  };
}
