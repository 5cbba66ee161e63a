/** Records everything that passes the gateway: names, times and sizes. The feed, the metrics and the audit lines are made from them. */
import type { Headers } from '../answer.js';
import type { Sink } from '../front/reply.js';
import { isObject } from '../json/values.js';
import type { Message } from '../message.js';
import type { Disclosure } from '../rules/rule.js';
import { outcomeOf } from './outcome.js';
import type { ExchangeRecord, OnExchange } from './record.js';
import { Tail } from './tail.js';

/** Tells which fields of a message say something about the client. */
export type NamesDisclosed = (message: Message, headers: Headers) => readonly string[];

/** Bytes of an answer that are kept: to see how it ended, or to show it. */
const KEPT = 64 * 1024;
const KEPT_BODY = 1024 * 1024;

/** Letters of a name, and names of fields, that are noted: a client chooses them, and may choose very long ones. */
const LONGEST = 300;
const MAX_FIELDS = 64;
const short = (name: string): string => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name);

/** One exchange while it runs. */
export class Exchange {
  upstream = '';
  method: string;
  principal: string | undefined;
  cached = false;
  readonly #owner: Exchanges;
  readonly #began = performance.now();
  readonly #at: number;
  readonly #tail: Tail;
  #record: { name?: string; request?: string; sent?: string } = {};
  #requestSize = 0;
  #fields: readonly string[] = [];
  #disclosed: readonly string[] = [];
  #withheld: readonly string[] = [];
  #status = 200;

  constructor(owner: Exchanges, method: string, at: number) {
    this.#owner = owner;
    this.method = method;
    this.#at = at;
    this.#tail = new Tail(owner.keepsBodies ? KEPT_BODY : KEPT);
  }

  /** The message has been read. */
  request(message: Message): void {
    this.method = message.method === '' ? 'answer' : short(message.method);
    if (message.name !== undefined) this.#record.name = short(message.name);
    this.#requestSize = Buffer.byteLength(message.text);
    this.#fields = isObject(message.meta) ? Object.keys(message.meta).slice(0, MAX_FIELDS).map(short) : [];
    if (this.#owner.keepsBodies) this.#record.request = message.text;
  }

  /** The rules are done with the message. */
  passed(message: Message, headers: Headers, disclosure: Disclosure | undefined): void {
    this.#withheld = disclosure?.withheld ?? [];
    if (message.kind === 'request') this.#disclosed = disclosure?.sent ?? this.#owner.namesDisclosed(message, headers);
    if (this.#owner.keepsBodies) this.#record.sent = message.text;
  }

  /** Watches what goes back to the client. */
  watch(sink: Sink): Sink {
    return {
      head: (status, headers) => {
        this.#status = status;
        this.#tail.isStream = headers['content-type'] === 'text/event-stream';
        sink.head(status, headers);
      },
      write: (chunk) => {
        this.#tail.add(chunk);
        return sink.write(chunk);
      },
      end: () => sink.end(),
      destroy: () => sink.destroy(),
    };
  }

  /** A message that goes back over a pipe. */
  wrote(text: string): void {
    this.#tail.begin(text);
  }

  end(status: number = this.#status): void {
    const answer = this.#owner.keepsBodies ? this.#tail.whole : undefined;
    this.#owner.ended(this, {
      upstream: this.upstream,
      method: this.method,
      status,
      outcome: outcomeOf(status, this.#tail),
      at: this.#at,
      milliseconds: performance.now() - this.#began,
      requestSize: this.#requestSize,
      answerSize: this.#tail.size,
      fields: this.#fields,
      disclosed: this.#disclosed,
      withheld: this.#withheld,
      cached: this.cached,
      ...(this.principal !== undefined && { principal: this.principal }),
      ...this.#record,
      ...(answer !== undefined && { answer }),
    });
  }
}

export interface ExchangesOptions {
  readonly keepsBodies: boolean;
  readonly now: () => number;
  readonly namesDisclosed: NamesDisclosed;
}

export class Exchanges {
  keepsBodies: boolean;
  readonly namesDisclosed: NamesDisclosed;
  readonly #now: () => number;
  readonly #listeners = new Set<OnExchange>();
  readonly #running = new Set<Exchange>();
  #count = 0;

  constructor({ keepsBodies, now, namesDisclosed }: ExchangesOptions) {
    this.keepsBodies = keepsBodies;
    this.namesDisclosed = namesDisclosed;
    this.#now = now;
  }

  /** The exchanges that have not ended. */
  get running(): ReadonlySet<Exchange> {
    return this.#running;
  }

  /** Returns how to stop listening. */
  listen(listener: OnExchange): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Undefined if nobody listens: then nothing is noted. */
  begin(method: string): Exchange | undefined {
    if (this.#listeners.size === 0) return undefined;
    const exchange = new Exchange(this, method, this.#now());
    this.#running.add(exchange);
    return exchange;
  }

  ended(exchange: Exchange, record: Omit<ExchangeRecord, 'number'>): void {
    if (!this.#running.delete(exchange)) return;
    const numbered = { number: ++this.#count, ...record };
    for (const listener of this.#listeners) listener(numbered);
  }
}
