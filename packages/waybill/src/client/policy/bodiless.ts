import type { FetchLike } from '../../transport/index.js';
import { FOLLOWED, isDowngrade, isSameServer, KEEPING, MAX_REDIRECTS, PORTABLE, redirectTarget } from '../../transport/redirects.js';

interface HeaderLimits {
  /** True if a header may have to be left out at one address and not at another. */
  governs(header: string): boolean;
  /** Removes from the headers what may not be sent to this address. */
  limit(headers: Headers, to: URL): void;
}

/**
 * Sends a request without a message. If it carries a header that is not for every server, redirects are followed by hand. A redirect that
 * would turn another method into GET is then not followed.
 */
export async function sendBodiless(send: FetchLike, url: URL, init: RequestInit = {}, policy: HeaderLimits): Promise<Response> {
  const given = new Headers(init.headers);
  const weFollow = init.redirect === undefined || init.redirect === 'follow';
  const byHand = weFollow && [...given.keys()].some((name) => policy.governs(name));
  const statuses = /^(?:get|head)$/i.test(init.method ?? 'get') ? FOLLOWED : KEEPING;
  for (let [at, hops] = [url, 0]; ; hops++) {
    const headers = new Headers(given);
    policy.limit(headers, at);
    const response = await send(at, { ...init, headers, ...(byHand && { redirect: 'manual' }) });
    const to = byHand && hops < MAX_REDIRECTS ? redirectTarget(at, response, statuses) : undefined;
    if (to === undefined || isDowngrade(at, to)) return response;
    if (!isSameServer(at, to)) for (const name of [...given.keys()]) if (!PORTABLE.test(name) && !policy.governs(name)) given.delete(name);
    await response.body?.cancel();
    at = to;
  }
}
