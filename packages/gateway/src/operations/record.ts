/** The record of one exchange: names, times and sizes. */

/** The end of an exchange, in one word: `outcome` in the feed and in audit lines, `kind` in the metrics. */
export type ExchangeOutcome =
  /** Answered. */
  | 'ok'
  /** The tool answered, and says that it failed. */
  | 'tool-error'
  /** A JSON-RPC error, of the upstream or of a rule. */
  | 'rpc-error'
  /** The request was wrong: 400, 404, 405, 413, 415. */
  | 'bad-request'
  /** 401, 403. */
  | 'refused'
  /** 429. */
  | 'limited'
  /** 408, 504. */
  | 'timeout'
  /** The upstream, or the store, could not do its part: 502, 503. */
  | 'upstream'
  /** The client went away: 499. */
  | 'gone'
  /** A fault of the gateway: 500. */
  | 'internal';

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
  readonly outcome: ExchangeOutcome;
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
