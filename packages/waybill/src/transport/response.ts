import { CONTENT_LANGUAGE_HEADER, isMediaType } from '../wire/headers.js';
import { kindOf } from '../wire/message.js';
import { postedMessage, type Posted } from './postedMessage.js';
import { wrapFetchSlot } from './private.js';
import type { Message, RequestId, ResponseLanguage, TransportLike } from './types.js';

/**
 * Tells how the HTTP response to each request begins, before its messages arrive: the SDKs hand on the messages and drop the
 * headers, and a client must compare the two (LANG-49). False where the transport has no `fetch` to look through.
 */
export function watchResponses(transport: TransportLike, told: (id: RequestId, head: ResponseLanguage) => void): boolean {
  return wrapFetchSlot(transport, (base) => {
    const send = base ?? ((url, init) => globalThis.fetch(url, init));
    return (url, init) => {
      const id = idOf(postedMessage(init));
      return send(url, init).then((response) => {
        if (id !== undefined) told(id, new Head(response.headers));
        return response;
      });
    };
  });
}

/** Looked at only where a message says a language: most never do. */
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

/** The id of a request. An answer of ours has one too, which is the peer's and means another request. */
function idOf(posted: Posted | undefined): RequestId | undefined {
  const id = kindOf(posted) === 'request' ? (posted as Message)['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
