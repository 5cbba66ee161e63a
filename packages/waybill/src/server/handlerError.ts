/** Protocol errors of handlers: `McpServer` turns everything that a tool throws into a result, and this turns it back. */
import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import type { ServerRequest } from './part.js';

/** A JSON-RPC error that both SDKs understand by its `code` and `data` when a handler throws it. */
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

/** Turns a result back into the error it was made from (CAP-03). A handler that caught the error and answered keeps its answer. */
export function restoreError(message: Message, { answer }: ServerRequest): Message {
  const { error: given, result } = message;
  const text = isObject(given) ? given['message'] : isObject(result) ? errorText(result) : undefined;
  const made = text === undefined ? undefined : answer.refusal.madeWith(text);
  if (made === undefined) return message;
  // LANG-23: the text of a refusal is ours and English.
  if (made instanceof ContextError) answer.language.claimNone();
  if (isObject(given)) return message;
  const { code, data } = made;
  return { jsonrpc: '2.0', id: message['id'], error: { code, message: made.message, ...(data !== undefined && { data }) } };
}

/** Returns the one text of the result that `McpServer` makes from an error. */
export function errorText(result: Meta): unknown {
  if (own(result, 'isError') !== true) return undefined;
  const content = own(result, 'content');
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [part] = content as unknown[];
  return isObject(part) ? part['text'] : undefined;
}
