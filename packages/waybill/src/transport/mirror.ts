import type { Report } from '../wire/issue.js';
import { copiedHeaders, withCopies, type CopiedKeys } from './copied.js';
import { hookFetch, isHookedFetch } from './fetch.js';
import { mirrorLanguage, withLanguageHeader, withoutLanguage } from './language.js';
import { isHttpClient, sendsHeaders } from './kind.js';
import { wrapFetchSlot } from './private.js';
import type { Message, SendOptions, TransportLike } from './types.js';

/** What a request and its options become so that header and body agree. */
export type Mirror = (message: Message, options: SendOptions | undefined) => readonly [Message, SendOptions | undefined];

/**
 * How the language header gets out of this transport. SDK v2 takes headers with each message; SDK v1 does not, so its
 * `fetch` sets them; where neither is to be had the preference is left out and reported. Not HTTP: nothing to mirror (LANG-51).
 */
export function mirrorFor(transport: TransportLike, report: Report, copied?: CopiedKeys): Mirror | undefined {
  if (!isHttpClient(transport)) return undefined;
  if (sendsHeaders(transport)) {
    return (given, options) => {
      const { message, header } = mirrorLanguage(given, report);
      const spoken = header === undefined ? options : { ...options, headers: withLanguageHeader(options?.headers, header) };
      if (copied === undefined) return [message, spoken];
      return [message, { ...spoken, headers: withCopies(spoken?.headers, copiedHeaders(message, copied)) }];
    };
  }
  // A redirect that the transport leaves to its `fetch` is followed as it would be without us.
  const options = { onIssue: report, redirect: (message: Message) => message, ...(copied && { mirror: copied }) };
  // A fetch of ours that was given to the transport knows by itself what to copy.
  const isWrapped = wrapFetchSlot(transport, (base) => (base !== undefined && isHookedFetch(base) ? base : hookFetch(base, options)));
  return isWrapped
    ? undefined
    : (message, options) => [withoutLanguage(message, 'needs a transport built with a fetch of ours', report), options];
}
