import type { Report } from '../wire/issue.js';
import { copiedHeaders, withCopies, type CopiedKeys } from './copied.js';
import { hookFetch, isHookedFetch } from './fetch.js';
import { mirrorLanguage, withLanguageHeader, withoutLanguage } from './language.js';
import { isHttpClient, sendsHeaders } from './kind.js';
import { wrapFetchSlot } from './private.js';
import type { Message, SendOptions, TransportLike } from './types.js';

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
      const spoken = header === undefined ? options : { ...options, headers: withLanguageHeader(options?.headers, header) };
      if (copied === undefined) return [message, spoken];
      return [message, { ...spoken, headers: withCopies(spoken?.headers, copiedHeaders(message, copied)) }];
    };
  }
  // A redirect that the transport leaves to its `fetch` is followed as it would be without us.
  const options = { onIssue: report, redirect: (message: Message) => message, ...(copied && { mirror: copied }) };
  // A `fetch` of ours that the transport was built with knows itself what to copy.
  const isWrapped = wrapFetchSlot(transport, (base) => (base !== undefined && isHookedFetch(base) ? base : hookFetch(base, options)));
  return isWrapped
    ? undefined
    : (message, options) => [
        withoutLanguage(message, 'was left out: this transport cannot set the header; build it with { fetch: waybill.fetch() }', report),
        options,
      ];
}
