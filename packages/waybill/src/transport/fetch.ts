import { ACCEPT_LANGUAGE_HEADER, CONTENT_LANGUAGE_HEADER, isMediaType } from '../wire/headers.js';
import { ignore, type Report } from '../wire/issue.js';
import { copiedHeaders, type CopiedKeys, mirrorLanguage, withoutLanguage, withCopies, withLanguageHeader } from './requestHeaders.js';
import { postedMessage, withPosted, type Posted } from './postedMessage.js';
import { isDowngrade, isSameServer, MAX_REDIRECTS, portableHeaders, redirectTarget } from './redirects.js';
import type { Message, SendOptions, TransportLike, RequestId, ResponseLanguage } from './types.js';
import { isHttpClient, sendsHeaders, wrapFetchSlot } from './sdk.js';
import { kindOf } from '../wire/message.js';

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchOptions {
  /** Writes the context into a request, for clients that let us replace only `fetch`. */
  readonly inject?: (message: Message, url: URL) => Message | Promise<Message>;
  /**
   * Called if a redirect leads to another server, or to another address of the same one. Returns the message to send there; if it
   * returns nothing, the redirect is not followed and its answer is returned unchanged. Without it, only redirects within the server are
   * followed. `from` is the address that the request was made for.
   */
  readonly redirect?: (message: Message, to: URL, from: URL) => Message | undefined | Promise<Message | undefined>;
  /** Keys of `_meta` whose text is copied into headers of the same name. */
  readonly mirror?: CopiedKeys;
  /** Called last for every request to every address, also after a redirect. If it throws, nothing is sent. */
  readonly leave?: FetchPolicy;
  readonly onIssue?: Report;
}

/** Limits the requests to each address. */
export interface FetchPolicy {
  /**
   * Returns the messages that may be sent to this address, and removes from `headers` what may not be sent. `from` is the address that the
   * request was made for.
   */
  limit(messages: readonly Message[], headers: Headers, to: URL, from: URL): readonly Message[];
  /** Sends a request without a message, such as the one for the stream of a server. */
  pass(send: FetchLike, to: URL, init: RequestInit | undefined): Promise<Response>;
}

const hooked = new WeakSet<FetchLike>();

export function isHookedFetch(fetch: FetchLike): boolean {
  return hooked.has(fetch);
}

// LANG-40, LANG-41
/** Fetch middleware for MCP clients. It derives the language header from the sent body on every hop, so header and body cannot disagree. */
export function hookFetch(base: FetchLike | undefined, options: FetchOptions = {}): FetchLike {
  const send: FetchLike = base ?? ((url, init) => globalThis.fetch(url, init));
  const copies = (message: Message): Record<string, string> => (options.mirror ? copiedHeaders(message, options.mirror) : {});
  const middleware: FetchLike = async (url, init) => {
    const message = postedMessage(init);
    const at = resolved(url);
    // A broken address is left to `fetch`, which reports it.
    if (message === undefined || init === undefined || at === undefined)
      return options.leave === undefined || at === undefined ? send(url, init) : options.leave.pass(send, at, init);
    if (isBatch(message)) return postBatch(at, message, init);
    const injected = (await options.inject?.(message, at)) ?? message;
    return post(at, injected, injected === message ? init.body : undefined, init);
  };

  async function post(url: URL, first: Message, text: BodyInit | null | undefined, init: RequestInit): Promise<Response> {
    // If the caller set `redirect` to `manual` or `error`, redirects are not followed here.
    const weFollow = init.redirect === undefined || init.redirect === 'follow';
    let [at, message, body, given] = [url, first, text ?? undefined, new Headers(init.headers)];
    for (let hops = 0; ; hops++) {
      const headers = new Headers(given);
      const mirrored = mirrorLanguage(message, options.onIssue ?? ignore);
      if (mirrored.header !== undefined) headers.set(ACCEPT_LANGUAGE_HEADER, mirrored.header);
      for (const [name, value] of Object.entries(copies(mirrored.message))) if (!given.has(name)) headers.set(name, value);
      const [allowed = mirrored.message] = options.leave?.limit([mirrored.message], headers, at, url) ?? [mirrored.message];
      const text = allowed === message && body !== undefined ? body : JSON.stringify(allowed);
      const sent: RequestInit = { ...init, headers, body: text, ...(weFollow && { redirect: 'manual' }) };
      const response = await send(at, withPosted(sent, allowed));
      const to = weFollow && hops < MAX_REDIRECTS ? redirectTarget(at, response) : undefined;
      if (to === undefined) return response;
      const stays = isSameServer(at, to);
      // Within one server too: state may belong to one address of it.
      const rewritten = isDowngrade(at, to)
        ? undefined
        : await (options.redirect ? options.redirect(message, to, url) : stays ? message : undefined);
      if (rewritten === undefined) return response;
      if (!stays) given = portableHeaders(given);
      if (rewritten !== message) [message, body] = [rewritten, undefined];
      await response.body?.cancel();
      at = to;
    }
  }
  /** Sends a batch of an old revision. One header cannot carry the languages of several messages, and none of them is redirected. */
  async function postBatch(url: URL, batch: readonly Message[], init: RequestInit): Promise<Response> {
    const injected = await Promise.all(batch.map(async (message) => (await options.inject?.(message, url)) ?? message));
    const bare = injected.map((message) => withoutLanguage(message, 'has no header of its own in a batch', options.onIssue ?? ignore));
    const redirect = init.redirect === 'error' ? 'error' : 'manual';
    if (options.leave === undefined) return send(url, withPosted({ ...init, redirect, body: JSON.stringify(bare) }, bare));
    const headers = new Headers(init.headers);
    const allowed = options.leave.limit(bare, headers, url, url);
    return send(url, withPosted({ ...init, headers, redirect, body: JSON.stringify(allowed) }, allowed));
  }
  hooked.add(middleware);
  return middleware;
}

const isBatch = (posted: Posted): posted is readonly Message[] => Array.isArray(posted);

/** In a page, addresses may be relative to it. */
function resolved(url: string | URL): URL | undefined {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

/** Changes a request and its options so that header and body agree. */
export type Mirror = (message: Message, options: SendOptions | undefined) => readonly [Message, SendOptions | undefined];

/**
 * Decides how the language header leaves this transport. SDK v2 takes headers with each message. SDK v1 does not, so its `fetch` sets them.
 * If neither works, the preference is left out and reported. Other transports than HTTP have no header (LANG-51).
 */
export function mirrorFor(transport: TransportLike, report: Report, copied?: CopiedKeys): Mirror | undefined {
  if (!isHttpClient(transport)) return undefined;
  if (sendsHeaders(transport)) {
    return (given, options) => {
      const { message, header } = mirrorLanguage(given, report);
      const withLanguage = header === undefined ? options : { ...options, headers: withLanguageHeader(options?.headers, header) };
      if (copied === undefined) return [message, withLanguage];
      return [message, { ...withLanguage, headers: withCopies(withLanguage?.headers, copiedHeaders(message, copied)) }];
    };
  }
  // A redirect that the transport leaves to its `fetch` is followed as it would be without us.
  const options = { onIssue: report, redirect: (message: Message) => message, ...(copied && { mirror: copied }) };
  // If the transport was built with our `fetch`, that one already copies the keys.
  const isWrapped = wrapFetchSlot(transport, (base) => (base !== undefined && isHookedFetch(base) ? base : hookFetch(base, options)));
  return isWrapped
    ? undefined
    : (message, options) => [
        withoutLanguage(message, 'was left out: this transport cannot set the header; build it with { fetch: waybill.fetch() }', report),
        options,
      ];
}

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
