/** A request as the parts of the reference server see it. */
import type { Message } from '../../wire/json.js';
import type { Reply } from '../reply.js';

export interface Request {
  readonly message: Message;
  readonly params: Message;
  readonly meta: Message;
  readonly modern: boolean;
  readonly capabilities: Message;
  /** The chosen language; undefined without a preference. */
  readonly language: string | undefined;
  /** Nothing of the preference matched, so that the language is the default. */
  readonly fallback: boolean;
  readonly reply: Reply;
}

export class Refusal extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, status = 200, data?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** The result of a tool that returns data. */
export const answer = (data: Message): Message => ({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });
