import { hookFetch, wrapFetchSlot, type FetchLike, type FetchOptions, type Message, type TransportLike } from '../transport/index.js';
import { lowerEnvironment } from '../wire/environment.js';
import type { Report } from '../wire/issue.js';
import { kindOf } from '../wire/message.js';
import { andThen } from '../wire/maybe.js';
import type { Attached } from './connection.js';
import { send, type Line } from './exchange.js';
import type { ClientPart } from './part.js';

/** A `fetch` that `injectingFetch` made, and the one below it. */
const injecting = new WeakMap<FetchLike, { readonly base: FetchLike | undefined }>();
const MAX_ADDRESSES = 256;

/**
 * For clients of which only `fetch` can be had: each request is stamped on its way. Where the answers go is not ours to see, so there is
 * no state, and no list is filtered. `lineTo` makes what the requests to one address pass.
 */
export function injectingFetch(
  base: FetchLike | undefined,
  lineTo: (url: URL) => Line,
  onIssue: Report,
  mirror: readonly string[] = [],
): FetchLike {
  const lines = new Map<string, Line>();
  const inject = (message: Message, url: URL): Message | Promise<Message> => {
    const kind = kindOf(message);
    if (kind !== 'request' && kind !== 'notification') return message;
    let line = lines.get(url.href);
    if (line === undefined) {
      if (lines.size >= MAX_ADDRESSES) lines.clear();
      lines.set(url.href, (line = lineTo(url)));
    }
    if (kind === 'notification') return line.outgoing(message);
    const { id, method } = message as { id: number; method: string };
    const { wire } = line.connection;
    const sent = send(line, message, { id, method, asked: 'us', request: message });
    return wire.wire === 'seed' ? andThen(sent, (written) => lowerEnvironment(written, wire)) : sent;
  };
  const middleware = hookFetch(base, { inject, onIssue, mirror });
  injecting.set(middleware, { base });
  return middleware;
}

/**
 * The `fetch` of a transport that is attached: stamped once, in `send`, even where it was built with an injecting one; on HTTP the seed's
 * literal form is made here, last, since the SDK derives headers from what it can still read; and redirects are followed as the parts say.
 */
export function wrapTransportFetch(
  transport: TransportLike,
  parts: readonly ClientPart[],
  connection: Attached,
  mirror: readonly string[] = [],
): void {
  const { wire, onIssue, url } = connection;
  const redirect = redirectOf(parts, connection);
  const lower = wire.wire === 'seed' && url !== undefined ? (message: Message): Message => lowerEnvironment(message, wire) : undefined;
  // What the SDK follows by itself, within one origin, is a redirect to the parts all the same.
  const reroute = (message: Message, to: URL): Message | Promise<Message> =>
    redirect === undefined || to.href === url?.href ? message : andThen(redirect(message, to), (next) => next ?? message);
  const inject: FetchOptions['inject'] =
    lower === undefined ? redirect && reroute : (message, to) => andThen(reroute(message, to), (next) => lower(next));
  const options: FetchOptions = { onIssue, mirror, ...(inject && { inject }), ...(redirect && { redirect }) };
  connection.followsRedirects = wrapFetchSlot(transport, (slot) => {
    const base = slot !== undefined && injecting.has(slot) ? injecting.get(slot)?.base : slot;
    if (inject !== undefined || redirect !== undefined) return hookFetch(base, options);
    return base ?? ((to, init) => globalThis.fetch(to, init));
  });
}

function redirectOf(parts: readonly ClientPart[], connection: Attached): FetchOptions['redirect'] {
  const rules = parts.filter((part) => part.redirect !== undefined);
  if (rules.length === 0) return undefined;
  return (message, to) =>
    rules.reduce<Message | undefined | Promise<Message | undefined>>(
      (before, part) => andThen(before, (next) => next && part.redirect?.(next, to, connection)),
      message,
    );
}
