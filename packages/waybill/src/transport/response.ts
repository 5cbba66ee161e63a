import { CONTENT_LANGUAGE_HEADER } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { wrapFetchSlot } from './private.js';
import type { RequestId, ResponseLanguage, TransportLike } from './types.js';

/**
 * Tells how the HTTP response to each request begins, before its messages arrive: the SDKs hand on the messages and drop the
 * headers, and a client must compare the two (LANG-49). False where the transport has no `fetch` to look through.
 */
export function watchResponses(transport: TransportLike, told: (id: RequestId, head: ResponseLanguage) => void): boolean {
  return wrapFetchSlot(transport, (base) => {
    const send = base ?? ((url, init) => globalThis.fetch(url, init));
    return async (url, init) => {
      const response = await send(url, init);
      const id = typeof init?.body === 'string' ? idOf(init.body) : undefined;
      if (id !== undefined) told(id, headOf(response));
      return response;
    };
  });
}

function headOf({ headers }: Response): ResponseLanguage {
  const stream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  return { header: headers.get(CONTENT_LANGUAGE_HEADER) ?? undefined, kind: stream ? 'stream' : 'json' };
}

/** Both SDKs write the id last, so the end of the text usually tells; what ends like this can only be a member of the message itself. */
const LAST = /"id":(-?\d{1,16}|"(?:[^"\\]|\\.){0,128}")\}$/;

function idOf(body: string): RequestId | undefined {
  const last = LAST.exec(body.slice(-300))?.[1];
  if (last !== undefined) return JSON.parse(last) as RequestId;
  try {
    const message: unknown = JSON.parse(body);
    const id = isObject(message) ? own(message, 'id') : undefined;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
