import {
  hookFetch,
  wrapFetchSlot,
  type CopiedKeys,
  type Exchange,
  type FetchLike,
  type FetchOptions,
  type FetchPolicy,
  type Message,
  type TransportLike,
} from '../transport/index.js';
import { lowerEnvironment } from '../wire/environment.js';
import type { Report } from '../wire/issue.js';
import { keep } from '../wire/memo.js';
import { kindOf } from '../wire/message.js';
import { andThen } from '../wire/maybe.js';
import type { Attached } from './connection.js';
import { send, type ConnectionSteps } from './exchange.js';
import type { ClientPart } from './part.js';
import type { OpenPolicy } from './policy.js';

/** Maps each `fetch` that `injectingFetch` made to the one below it. */
const injecting = new WeakMap<FetchLike, { readonly base: FetchLike | undefined }>();
const MAX_ADDRESSES = 256;

/**
 * Writes the context on requests of clients that let us replace only `fetch`. The answers do not pass here, so there is no state and no
 * list is filtered. `stepsTo` makes the steps for the requests to one address.
 */
export function injectingFetch(
  base: FetchLike | undefined,
  stepsTo: (url: URL) => ConnectionSteps,
  onIssue: Report,
  mirror: CopiedKeys | undefined,
  policy: OpenPolicy | undefined,
): FetchLike {
  const byAddress = new Map<string, ConnectionSteps>();
  const stepsAt = (url: URL): ConnectionSteps => {
    return byAddress.get(url.href) ?? keep(byAddress, url.href, stepsTo(url), MAX_ADDRESSES);
  };
  const inject = (message: Message, url: URL): Message | Promise<Message> => {
    const kind = kindOf(message);
    if (kind !== 'request' && kind !== 'notification') return message;
    const steps = stepsAt(url);
    if (kind === 'notification') return steps.outgoing(message);
    const { id, method } = message as { id: number; method: string };
    const { wire } = steps.connection;
    const exchange: Exchange = { id, method, sender: 'us', request: message };
    const sent = andThen(send(steps, message, exchange), (written) => (wire.wire === 'seed' ? lowerEnvironment(written, wire) : written));
    return policy === undefined ? sent : andThen(sent, (written) => (policy.remember(written, exchange), written));
  };
  const leave: FetchPolicy | undefined = policy && {
    // A name given to `fetch` is the name of the first server, not of one that it redirects to.
    limit: (messages, headers, to, from) => policy.fetch(stepsAt(from).connection).limit(messages, headers, to, from),
    pass: (fetch, to, init) => policy.fetch(stepsAt(to).connection).pass(fetch, to, init),
  };
  const redirect =
    policy && ((message: Message, to: URL, from: URL) => policy.redirectGate.redirect?.(message, to, stepsAt(from).connection));
  const middleware = hookFetch(base, {
    inject,
    onIssue,
    ...(mirror && { mirror }),
    ...(leave && { leave }),
    ...(redirect && { redirect }),
  });
  injecting.set(middleware, { base });
  return middleware;
}

/**
 * Wraps the `fetch` of an attached transport. A request gets its context once, in `send`, even if the transport was built with an injecting
 * `fetch`. On HTTP the literal form of the seed is written here, last, since the SDK derives headers from the message. Redirects are
 * followed as the parts decide.
 */
export function wrapTransportFetch(
  transport: TransportLike,
  parts: readonly ClientPart[],
  connection: Attached,
  mirror: CopiedKeys | undefined,
  leave: FetchPolicy | undefined,
): void {
  const { wire, onIssue, url } = connection;
  const redirect = redirectOf(parts, connection);
  const lower = wire.wire === 'seed' && url !== undefined ? (message: Message): Message => lowerEnvironment(message, wire) : undefined;
  // The SDK follows redirects within one origin by itself; the parts see those too.
  const reroute = (message: Message, to: URL): Message | Promise<Message> =>
    redirect === undefined || to.href === url?.href ? message : andThen(redirect(message, to), (next) => next ?? message);
  const inject: FetchOptions['inject'] =
    lower === undefined ? redirect && reroute : (message, to) => andThen(reroute(message, to), (next) => lower(next));
  const options: FetchOptions = {
    onIssue,
    ...(mirror && { mirror }),
    ...(inject && { inject }),
    ...(redirect && { redirect }),
    ...(leave && { leave }),
  };
  connection.followsRedirects = wrapFetchSlot(transport, (slot) => {
    const base = slot !== undefined && injecting.has(slot) ? injecting.get(slot)?.base : slot;
    if (inject !== undefined || redirect !== undefined) return hookFetch(base, options);
    return base ?? ((to, init) => globalThis.fetch(to, init));
  });
}

function redirectOf(
  parts: readonly ClientPart[],
  connection: Attached,
): ((message: Message, to: URL) => Message | undefined | Promise<Message | undefined>) | undefined {
  const rules = parts.filter((part) => part.redirect !== undefined);
  if (rules.length === 0) return undefined;
  return (message, to) =>
    rules.reduce<Message | undefined | Promise<Message | undefined>>(
      (before, part) => andThen(before, (next) => next && part.redirect?.(next, to, connection)),
      message,
    );
}
