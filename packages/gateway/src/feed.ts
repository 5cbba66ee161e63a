/** The feed of exchanges: names, times and sizes of what passed. Bodies only if the configuration asks for them. */
import { isObject } from './json/values.js';
import type { Message } from './message.js';

export interface ExchangeRecord {
  readonly upstream: string;
  readonly method: string;
  /** The tool, prompt or resource that was asked for. */
  readonly name?: string;
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly milliseconds: number;
  readonly requestSize: number;
  readonly answerSize: number;
  /** The names of the `_meta` keys that the request carried, never their values. */
  readonly fields: readonly string[];
  /** With `feed: bodies`. */
  readonly request?: string;
}

export type OnExchange = (exchange: ExchangeRecord) => void;

export interface Note {
  upstream: string;
  request(message: Message): void;
  end(outcome: { readonly status: number; readonly size: number }): void;
}

type Seen = { -readonly [Name in 'method' | 'name' | 'requestSize' | 'fields' | 'request']?: ExchangeRecord[Name] } & {
  method: string;
  requestSize: number;
  fields: readonly string[];
};

const SILENT: Note = { upstream: '', request: () => undefined, end: () => undefined };

export class Feed {
  readonly #listeners = new Set<OnExchange>();
  readonly #bodies: boolean;

  constructor(mode: 'off' | 'names' | 'bodies') {
    this.#bodies = mode === 'bodies';
  }

  /** Returns how to stop listening. */
  listen(listener: OnExchange): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  begin(): Note {
    if (this.#listeners.size === 0) return { ...SILENT };
    const began = performance.now();
    const listeners = this.#listeners;
    const seen: Seen = { method: '', requestSize: 0, fields: [] };
    return {
      upstream: '',
      request: (message) => {
        seen.method = message.method === '' ? message.kind : message.method;
        if (message.name !== undefined) seen.name = message.name;
        seen.requestSize = message.text.length;
        seen.fields = isObject(message.meta) ? Object.keys(message.meta) : [];
        if (this.#bodies) seen.request = message.text;
      },
      end({ status, size }) {
        const milliseconds = performance.now() - began;
        const record = { upstream: this.upstream, ...seen, status, at: Date.now(), milliseconds, answerSize: size };
        for (const listener of listeners) listener(record);
      },
    };
  }
}
