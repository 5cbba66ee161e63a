/** `/feed`: the exchanges as server-sent events. The last ones are kept, so that a reader that comes late or again misses little. */
import type { ServerResponse } from 'node:http';
import type { Exchanges } from './exchanges.js';
import type { ExchangeRecord } from './record.js';

/** The first event of every reader. */
export interface FeedAbout {
  /** `names`, or `bodies` if the records hold messages. */
  readonly feed: 'names' | 'bodies';
  readonly upstreams: readonly { readonly name: string; readonly rules: readonly string[] }[];
}

/** Exchanges that are kept, and letters of them: bodies can be long. */
const KEPT = 200;
const MAX_KEPT = 16 * 1024 * 1024;
/** A reader that is behind by this many bytes is cut off. It may come again and name the last event it has. */
const MAX_WAITING = 4 * 1024 * 1024;
const KEEP_ALIVE = 15_000;

export class FeedStream {
  readonly #about: () => FeedAbout;
  readonly #kept: { readonly number: number; readonly text: string }[] = [];
  #keptSize = 0;
  readonly #readers = new Set<ServerResponse>();
  readonly #stop: () => void;
  readonly #beat: NodeJS.Timeout;

  constructor(exchanges: Exchanges, about: () => FeedAbout) {
    this.#about = about;
    this.#stop = exchanges.listen((record) => this.#take(record));
    this.#beat = setInterval(() => this.#write(': alive\n\n'), KEEP_ALIVE).unref();
  }

  /** `lastId`: the number of the last event that the reader has seen. */
  serve(response: ServerResponse, lastId: number): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    response.write(`event: gateway\ndata: ${JSON.stringify(this.#about())}\n\n`);
    for (const { number, text } of this.#kept) if (number > lastId) response.write(text);
    this.#readers.add(response);
    response.once('close', () => this.#readers.delete(response));
  }

  close(): void {
    this.#stop();
    clearInterval(this.#beat);
    for (const reader of this.#readers) reader.end();
  }

  #take({ principal: _, ...record }: ExchangeRecord): void {
    const text = `event: exchange\nid: ${record.number}\ndata: ${JSON.stringify(record)}\n\n`;
    this.#kept.push({ number: record.number, text });
    this.#keptSize += text.length;
    while (this.#kept.length > KEPT || this.#keptSize > MAX_KEPT) this.#keptSize -= this.#kept.shift()?.text.length ?? 0;
    this.#write(text);
  }

  #write(text: string): void {
    for (const reader of this.#readers) {
      if (reader.writableLength > MAX_WAITING) reader.destroy();
      else reader.write(text);
    }
  }
}
