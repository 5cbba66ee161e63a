/** Errors of the protocol, thrown by handlers: `McpServer` makes a result of whatever a tool throws, and here it is turned back. */
import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import type { ServerCall } from './call.js';
import type { Part } from './part.js';

/** A JSON-RPC error as both SDKs understand what a handler throws: by its `code` and `data`. */
export class HandlerError extends Error {
  override readonly name: string = 'HandlerError';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data: JsonObject | undefined) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const error: Part = {
  name: 'error',
  faces: {
    error: (call) => (code: number, message: string, data?: JsonObject) => {
      if (!Number.isSafeInteger(code)) throw new TypeError('error: a code is an integer');
      return throwing(call as ServerCall, new HandlerError(code, message, data));
    },
  },
};

/** Remembers what a handler may be about to throw; thrown or not, only an answer that tells of it is changed. */
export function throwing<E extends HandlerError | ContextError>(call: ServerCall, thrown: E): E {
  (call.thrown ??= []).push(thrown);
  return thrown;
}

/** The error that became a result, as the error it was (CAP-03). A handler that caught it and answered otherwise keeps its answer. */
export function turnedBack(message: Message, call: ServerCall): Message {
  const { error, result } = message;
  const told = isObject(error) ? error['message'] : isObject(result) ? errorText(result) : undefined;
  // The one made last, of those that read alike.
  const thrown = call.thrown?.findLast((made) => made.message === told);
  if (thrown === undefined) return message;
  // The words of a refusal are ours, and in English: no language is claimed for them (LANG-23).
  if (thrown instanceof ContextError) call.content = null;
  if (isObject(error)) return message;
  const { code, message: text, data } = thrown;
  return { jsonrpc: '2.0', id: message['id'], error: { code, message: text, ...(data !== undefined && { data }) } };
}

/** What `McpServer` makes of an error: one text, which is its message. */
export function errorText(result: Meta): unknown {
  if (own(result, 'isError') !== true) return undefined;
  const content = own(result, 'content');
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [part] = content as unknown[];
  return isObject(part) ? part['text'] : undefined;
}
