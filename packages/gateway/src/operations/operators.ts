/** Everything that the `admin` address serves. */
import type { Address, GatewayConfig } from '../config/types.js';
import { Listener } from '../listener.js';
import { namesOf, type Serving } from '../serving.js';
import type { Store } from '../stores.js';
import { adminHandler } from './admin.js';
import type { Exchanges } from './exchanges.js';
import { FeedStream } from './feedStream.js';
import { openMetrics, type Metrics } from './metrics.js';
import { readiness } from './ready.js';

export interface OperatorsParts {
  readonly exchanges: Exchanges;
  readonly store: Store;
  readonly config: () => GatewayConfig;
  readonly serving: () => Serving;
  readonly isStopping: () => boolean;
}

export class Operators {
  readonly #metrics: Metrics;
  readonly #feed: FeedStream;
  readonly #listener: Listener;

  static async open(parts: OperatorsParts): Promise<Operators> {
    return new Operators(parts, await openMetrics(parts.exchanges, () => [...parts.serving().values()].map(({ hop }) => hop)));
  }

  private constructor({ exchanges, store, config, serving, isStopping }: OperatorsParts, metrics: Metrics) {
    this.#metrics = metrics;
    this.#feed = new FeedStream(exchanges, () => ({
      feed: exchanges.keepsBodies ? 'bodies' : 'names',
      upstreams: namesOf(serving()),
    }));
    const handle = adminHandler({
      metrics,
      token: () => config().admin?.token ?? '',
      feed: () => (config().feed === 'off' ? undefined : this.#feed),
      ready: () =>
        readiness({
          store,
          upstreams: new Map([...serving()].map(([name, { hop }]) => [name, hop.upstream])),
          isStopping: isStopping(),
        }),
    });
    this.#listener = new Listener(handle);
  }

  /** The base URL, once it listens. */
  get url(): string | undefined {
    return this.#listener.url;
  }

  async listen(address: Address): Promise<void> {
    await this.#listener.listen(address);
  }

  async close(): Promise<void> {
    this.#feed.close();
    this.#metrics.close();
    await this.#listener.close(0);
  }
}
