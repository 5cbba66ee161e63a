import { CONTENT_LANGUAGE_HEADER, isMediaType } from '../wire/headers.js';
import { own } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import { wrapFetchSlot } from './private.js';
import type { Message, RequestId, ResponseLanguage, TransportLike } from './types.js';

/**
 * Reports the head of the HTTP response to each request before its messages arrive: the SDKs pass on the messages and drop the headers, and
 * a client must compare the two (LANG-49). Returns false if the transport has no `fetch`.
 */
export function watchResponses(transport: TransportLike, told: (id: RequestId, head: ResponseLanguage) => void): boolean {
  return wrapFetchSlot(transport, (base) => {
    const send = base ?? ((url, init) => globalThis.fetch(url, init));
    return (url, init) =>
      send(url, init).then((response) => {
        const body = init && own(init, 'body');
        const id = typeof body === 'string' ? idOf(body) : undefined;
        if (id !== undefined) told(id, new Head(response.headers));
        return response;
      });
  });
}

/** The headers are read only if a message names a language: most do not. */
class Head implements ResponseLanguage {
  readonly #headers: Headers;

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  get header(): string | undefined {
    return this.#headers.get(CONTENT_LANGUAGE_HEADER) ?? undefined;
  }

  get kind(): 'json' | 'stream' {
    return isMediaType(this.#headers.get('content-type'), 'text/event-stream') ? 'stream' : 'json';
  }
}

/** Both SDKs write the method of a request first and its id last, as a number, so the two ends of the text are enough. */
const FIRST = '{"method":';
const LAST = '"id":';
const MOST_DIGITS = 15;

/** Returns the id of a request. An answer of ours has an id too, but that belongs to a request of the peer. */
function idOf(body: string): RequestId | undefined {
  const end = body.length - 1;
  let at = end;
  while (end - at < MOST_DIGITS && isDigit(body.charCodeAt(at - 1))) at--;
  if (at < end && body.startsWith(FIRST) && body.endsWith('}') && body.endsWith(LAST, at)) return Number(body.slice(at, end));
  try {
    const message: unknown = JSON.parse(body);
    const id = kindOf(message) === 'request' ? (message as Message)['id'] : undefined;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
