/** Answers of an upstream, or of the gateway itself, to one HTTP-shaped request. */
import type { Readable } from 'node:stream';
import { errorText, type Message } from './message.js';
import type { JsonRecord } from './json/values.js';

export type Headers = Readonly<Record<string, string>>;

/** An HTTP answer as it came: its bytes are passed on, or read message by message if a rule has to look. */
export interface HttpAnswer {
  readonly kind: 'http';
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

export type Answer =
  | HttpAnswer
  /** Messages in the order they come; the last one answers the request. A stream without a request ends only when it is closed. */
  | { readonly kind: 'messages'; readonly headers?: Headers; readonly messages: AsyncIterable<Event> }
  /** One whole answer. */
  | { readonly kind: 'whole'; readonly status: number; readonly headers?: Headers; readonly text?: string };

/** One message on a stream. `lastId` is the id of the event it came in, if it came in one. */
export interface Event {
  readonly text: string;
  /** The same, if it is parsed already. */
  readonly message?: Message;
  readonly lastId?: string;
  /** Lines of a stream that are not a message: a comment that keeps it alive, `retry`, an event of another kind. The text is then empty. */
  readonly aside?: string;
}

export const ACCEPTED: Answer = { kind: 'whole', status: 202 };
/** The answer to GET and DELETE where there are no sessions. */
export const POST_ONLY: Answer = { kind: 'whole', status: 405, headers: { allow: 'POST' } };

export function statusOf(answer: Answer): number {
  return answer.kind === 'messages' ? 200 : answer.status;
}

/** Reads an answer that nobody wants to its end, so that its connection can be used again. */
export function discard(answer: Answer): void {
  if (answer.kind === 'http') answer.body.resume();
}

/** A fault on the way, as an HTTP status and a JSON-RPC error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: number;
  readonly data: JsonRecord | undefined;
  readonly headers: Headers;

  constructor(status: number, code: number, message: string, data?: JsonRecord, headers: Headers = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.headers = headers;
  }

  answer(idText: string): Answer {
    return { kind: 'whole', status: this.status, headers: this.headers, text: errorText(idText, this.code, this.message, this.data) };
  }
}

export const unreachable = (name: string): Refusal => new Refusal(502, -32603, `The upstream ${name} cannot be reached`);
export const broken = (name: string): Refusal => new Refusal(502, -32603, `The upstream ${name} broke off before it answered`);
export const garbled = (name: string): Refusal => new Refusal(502, -32603, `The upstream ${name} gave an answer that is not JSON-RPC`);
export const tooSlow = (name: string): Refusal => new Refusal(504, -32603, `The upstream ${name} did not answer in time`);
export const tooMany = (name: string): Refusal =>
  new Refusal(429, -32603, `The upstream ${name} is at its limit of processes`, undefined, { 'retry-after': '1' });
/** The upstream has refused a request with a status, and with no message that could be passed on. */
export function refusedBy(name: string, { status, headers }: { readonly status: number; readonly headers?: Headers }): Refusal {
  const retry = headers?.['retry-after'];
  const kept = retry === undefined ? {} : { 'retry-after': retry };
  return new Refusal(status, -32603, `The upstream ${name} answered with status ${status}`, undefined, kept);
}
export const noSession = (): Refusal => new Refusal(404, -32001, 'Session not found');

/** One message as an answer of its own. */
export function wholeAnswer(text: string, status = 200, headers: Headers = {}): Answer {
  return { kind: 'whole', status, headers, text };
}
