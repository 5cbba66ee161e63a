import { CONTENT_LANGUAGE_HEADER, isMediaType } from '../wire/headers.js';
import { kindOf } from '../wire/message.js';
import { postedMessage, type Posted } from './postedMessage.js';
import { wrapFetchSlot } from './private.js';
import type { Message, RequestId, ResponseLanguage, TransportLike } from './types.js';

/**
 * Reports the head of the HTTP response to each request before its messages arrive: the SDKs pass on the messages and drop the headers, and
 * a client must compare the two (LANG-49). Returns false if the transport has no `fetch`.
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

/** Returns the id of a request. An answer of ours has an id too, but that belongs to a request of the peer. */
function idOf(posted: Posted | undefined): RequestId | undefined {
  const id = kindOf(posted) === 'request' ? (posted as Message)['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
