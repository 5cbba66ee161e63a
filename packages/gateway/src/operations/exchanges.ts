/** Records everything that passes the gateway: names, times and sizes. The feed, the metrics and the audit lines are made from them. */
import type { Headers } from '../answer.js';
import type { Sink } from '../front/reply.js';
import { isObject } from '../json/values.js';
import type { Message } from '../message.js';
import type { Disclosure } from '../rules/rule.js';
import { outcomeOf, type Outcome } from './outcome.js';
import { Tail } from './tail.js';

export interface ExchangeRecord {
  /** Counts the exchanges of this process, from 1. */
  readonly number: number;
  /** Empty if the address named none. */
  readonly upstream: string;
  /** The method of the message. `GET` for an open stream, `DELETE` for the end of a session, `answer` for a client's answer to a question. */
  readonly method: string;
  /** The tool, prompt or resource that was asked for. */
  readonly name?: string;
  /** The HTTP status. 499: the client went away before the answer was complete. */
  readonly status: number;
  readonly outcome: Outcome;
  /** Milliseconds since 1970, when the request arrived. */
  readonly at: number;
  /** From the arrival of the request to the last byte of the answer. */
  readonly milliseconds: number;
  readonly requestSize: number;
  readonly answerSize: number;
  /** The names of the `_meta` keys that the request carried, never their values. */
  readonly fields: readonly string[];
  /** The fields that the upstream was told of the client, in the words of the policy. */
  readonly disclosed: readonly string[];
  /** The fields that the policy kept from the upstream. */
  readonly withheld: readonly string[];
  /** The gateway answered from its own cache of lists. */
  readonly cached: boolean;
  /** The verified user. Not part of the feed. */
  readonly principal?: string;
  /** With `feed: bodies`: the request as it came, as it went to the upstream, and the answer, if it was not too long. */
  readonly request?: string;
  readonly sent?: string;
  readonly answer?: string;
}

export type OnExchange = (exchange: ExchangeRecord) => void;

/** Tells which fields of a message say something about the client. */
export type NamesDisclosed = (message: Message, headers: Headers) => readonly string[];

/** Bytes of an answer that are kept: to see how it ended, or to show it. */
const KEPT = 64 * 1024;
const KEPT_BODY = 1024 * 1024;

/** Letters of a name, and names of fields, that are noted: a client chooses them, and may choose very long ones. */
const LONGEST = 300;
const MOST_FIELDS = 64;
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
    this.#fields = isObject(message.meta) ? Object.keys(message.meta).slice(0, MOST_FIELDS).map(short) : [];
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
