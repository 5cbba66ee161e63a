import { ACCEPT_LANGUAGE_HEADER } from '../wire/headers.js';
import { ignore, type Report } from '../wire/issue.js';
import { copiedHeaders, type CopiedKeys } from './copied.js';
import { mirrorLanguage, withoutLanguage } from './language.js';
import { postedMessage, withPosted, type Posted } from './postedMessage.js';
import type { Message } from './types.js';

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchOptions {
  /** Writes the context into a request, for clients that let us replace only `fetch`. */
  readonly inject?: (message: Message, url: URL) => Message | Promise<Message>;
  /**
   * D-07: called if a redirect leads to another server, or to another address of the same one. Returns the message to send there; if it
   * returns nothing, the redirect is not followed and its answer is returned unchanged. Without it, only redirects within the server are
   * followed.
   */
  readonly redirect?: (message: Message, to: URL) => Message | undefined | Promise<Message | undefined>;
  /** Keys of `_meta` whose text is copied into headers of the same name. */
  readonly mirror?: CopiedKeys;
  /** Called last for every request to every address, also after a redirect, and also for requests without a message. If it throws, nothing is sent. */
  readonly leave?: FetchPolicy;
  readonly onIssue?: Report;
}

/** The parts of a request that may leave for an address. */
export interface FetchPolicy {
  /** Returns the messages that may be sent to this address, and takes out of `headers` what may not. No message: a request without one. */
  limit(messages: readonly Message[], headers: Headers, to: URL): readonly Message[];
  /** True if a header may have to be left out at one address and not at another. */
  governs(header: string): boolean;
}

const MAX_REDIRECTS = 5;
const hooked = new WeakSet<FetchLike>();

export function isHookedFetch(fetch: FetchLike): boolean {
  return hooked.has(fetch);
}

/**
 * Fetch middleware for MCP clients. The language header is derived from the sent body on every hop, so header and body cannot disagree
 * (LANG-40, LANG-41).
 */
export function hookFetch(base: FetchLike | undefined, options: FetchOptions = {}): FetchLike {
  const send: FetchLike = base ?? ((url, init) => globalThis.fetch(url, init));
  const copies = (message: Message): Record<string, string> => (options.mirror ? copiedHeaders(message, options.mirror) : {});
  const middleware: FetchLike = async (url, init) => {
    const message = postedMessage(init);
    const at = resolved(url);
    // A broken address is left to `fetch`, which reports it.
    if (message === undefined || init === undefined || at === undefined)
      return options.leave === undefined || at === undefined ? send(url, init) : passOn(at, init, options.leave);
    if (isBatch(message)) return postBatch(at, message, init);
    const injected = (await options.inject?.(message, at)) ?? message;
    return post(at, injected, injected === message ? init.body : undefined, init);
  };

  async function post(url: URL, first: Message, text: BodyInit | null | undefined, init: RequestInit): Promise<Response> {
    // A caller that follows redirects itself, or wants none followed, gets them unchanged.
    const byHand = init.redirect === undefined || init.redirect === 'follow';
    let [at, message, body, given] = [url, first, text ?? undefined, new Headers(init.headers)];
    for (let hops = 0; ; hops++) {
      const headers = new Headers(given);
      const mirrored = mirrorLanguage(message, options.onIssue ?? ignore);
      if (mirrored.header !== undefined) headers.set(ACCEPT_LANGUAGE_HEADER, mirrored.header);
      for (const [name, value] of Object.entries(copies(mirrored.message))) if (!given.has(name)) headers.set(name, value);
      const [left = mirrored.message] = options.leave?.limit([mirrored.message], headers, at) ?? [mirrored.message];
      const text = left === message && body !== undefined ? body : JSON.stringify(left);
      const sent: RequestInit = { ...init, headers, body: text, ...(byHand && { redirect: 'manual' }) };
      const response = await send(at, withPosted(sent, left));
      const to = byHand && hops < MAX_REDIRECTS ? redirectTarget(at, response) : undefined;
      if (to === undefined) return response;
      const stays = isSameServer(at, to);
      // Within one server too: state may belong to one address of it.
      const rewritten = isDowngrade(at, to)
        ? undefined
        : await (options.redirect ? options.redirect(message, to) : stays ? message : undefined);
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
    const left = options.leave.limit(bare, headers, url);
    return send(url, withPosted({ ...init, headers, redirect, body: JSON.stringify(left) }, left));
  }

  /** A request without a message, such as the stream of a server. Where it carries what is not for everybody, redirects are followed by hand. */
  async function passOn(url: URL, init: RequestInit = {}, policy: FetchPolicy): Promise<Response> {
    const given = new Headers(init.headers);
    const isOpen = init.redirect === undefined || init.redirect === 'follow';
    const byHand = isOpen && (init.method ?? 'GET').toUpperCase() === 'GET' && [...given.keys()].some((name) => policy.governs(name));
    for (let [at, hops] = [url, 0]; ; hops++) {
      const headers = new Headers(given);
      policy.limit([], headers, at);
      const response = await send(at, { ...init, headers, ...(byHand && { redirect: 'manual' }) });
      const to = byHand && hops < MAX_REDIRECTS ? redirectTarget(at, response, FOLLOWED) : undefined;
      if (to === undefined || isDowngrade(at, to)) return response;
      if (!isSameServer(at, to))
        for (const name of [...given.keys()]) if (!PORTABLE.test(name) && !policy.governs(name)) given.delete(name);
      await response.body?.cancel();
      at = to;
    }
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

/** Redirects that keep method and body. */
const KEEPING: readonly number[] = [307, 308];
/** Redirects that a GET follows. */
const FOLLOWED: readonly number[] = [301, 302, 303, 307, 308];

/** The address that a response redirects to. By default only redirects that keep method and body count: others turn a POST into a GET, which is no MCP request. */
function redirectTarget(from: URL, response: Response, statuses: readonly number[] = KEEPING): URL | undefined {
  if (!statuses.includes(response.status)) return undefined;
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

function isSameServer(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:';
  return upgraded && from.hostname === to.hostname && from.port === '' && to.port === '';
}

function isDowngrade(from: URL, to: URL): boolean {
  return from.protocol === 'https:' && to.protocol !== 'https:';
}

/** `MCP-*` describes the message; the session id belongs to the server that redirected. */
const PORTABLE = /^(?:accept|content-type|user-agent|mcp-(?!session-id$).*)$/;

/**
 * Returns the caller's headers that may follow a redirect to another server. This is an allow-list: an unknown header, such as `X-Api-Key`,
 * may hold a credential. The language and copied keys are not on it, because each request derives them from its message.
 */
function portableHeaders(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => PORTABLE.test(name)));
}
