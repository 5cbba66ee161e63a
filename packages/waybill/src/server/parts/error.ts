/** Errors of the protocol, thrown by handlers: `McpServer` makes a result of whatever a tool throws, and here it is turned back. */
import type { Message } from '../../transport/index.js';
import { ContextError } from '../../wire/errors.js';
import { isObject, own, type JsonObject, type Meta } from '../../wire/json.js';
import type { ServerPart, ServerRequest } from '../part.js';

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

export const error: ServerPart = {
  name: 'error',
  provides: {
    error:
      ({ answer }) =>
      (code: number, message: string, data?: JsonObject) => {
        if (!Number.isSafeInteger(code)) throw new TypeError('error: a code is an integer');
        return answer.refusal.byHandler(new HandlerError(code, message, data));
      },
  },
};

/** The error that became a result, as the error it was (CAP-03). A handler that caught it and answered otherwise keeps its answer. */
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

/** What `McpServer` makes of an error: one text, which is its message. */
export function errorText(result: Meta): unknown {
  if (own(result, 'isError') !== true) return undefined;
  const content = own(result, 'content');
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [part] = content as unknown[];
  return isObject(part) ? part['text'] : undefined;
}
