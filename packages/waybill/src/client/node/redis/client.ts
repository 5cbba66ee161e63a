/** What is used of an `ioredis` client, or of a cluster of them. */
export interface RedisClient {
  readonly isCluster?: boolean;
  call(command: string, ...args: string[]): Promise<unknown>;
  /** A cluster takes nodes first. */
  duplicate(nodesOrOptions?: object, options?: object): RedisClient;
  on(event: string, listener: (...args: never[]) => void): unknown;
  disconnect(): void;
}

/** Needs the package `ioredis`, which is loaded only here. */
export async function connect(url: string): Promise<RedisClient> {
  const module = 'ioredis';
  let Redis: new (url: string, options: object) => RedisClient;
  try {
    // By its default export: the first releases of ioredis 5 have no other.
    ({ default: Redis } = (await import(module)) as { default: typeof Redis });
  } catch (error) {
    throw new Error('redisStore needs the package ioredis to connect to a URL', { cause: error });
  }
  // What cannot be done soon fails, and the jar tries again when it is time: nothing may pile up here.
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
    // That a request was tried often enough says nothing to whoever looks for the server.
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
