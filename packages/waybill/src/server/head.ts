/** The head of an HTTP answer: the only place that sets its status, `Vary`, `Cache-Control` and `Content-Language`. */
import type { ResponseHead } from '../transport/index.js';
import { ACCEPT_LANGUAGE_HEADER, addDirective, addVary, CONTENT_LANGUAGE_HEADER, isFieldValue, isMediaType } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { CONTENT_LANGUAGE } from '../wire/keys.js';
import { kindOf, metaOf } from '../wire/message.js';
import type { CacheRestriction } from './answer.js';
import { forget, requestOf } from './find.js';
import type { Layer } from './layer.js';
import type { IncomingRequest } from './request.js';
import { tellStream } from './runParts.js';

/** `front`: `http()` or `node()`, in front of everything. `transport`: on the HTTP methods of the SDK's transport. */
export type EdgePlace = 'front' | 'transport';

/** The state of the head of one answer. */
export interface AnswerHead {
  /** The language that the finished answer names; `null` for none, `undefined` until there is an answer. */
  language: string | null | undefined;
  isWritten: boolean;
}

/** Returns the language that a finished answer names in its body; `null` for none. */
export function languageNamedIn(answer: unknown): string | null {
  const kind = kindOf(answer);
  const meta = kind === undefined ? undefined : metaOf(answer, kind);
  const language = isObject(meta) ? own(meta, CONTENT_LANGUAGE) : undefined;
  return typeof language === 'string' ? language : null;
}

/**
 * Finishes the head just before it leaves. A JSON answer is complete by then. The head of a stream leaves before its messages, so it names
 * no language (LANG-50); only `Vary` and privacy are known.
 */
export function finishHead(head: ResponseHead, body: unknown, layer: Layer, place: EdgePlace): void {
  const requests = requestsIn(body, layer);
  if (requests === undefined) {
    finishHeadOfListener(head, layer);
    return;
  }
  // An edge in front writes the head, after everything behind it is done.
  const isLeftToFront = ({ edge, head: { isWritten } }: IncomingRequest): boolean => edge === 'front' && !isWritten;
  if (place === 'transport' && requests.length > 0 && requests.every(isLeftToFront)) return;
  const isStream = !isMediaType(head.get('Content-Type'), 'application/json');
  for (const request of requests) {
    // Two edges of one layer may stand in a row. The second one does not call the parts again; setting the headers twice does no harm.
    if (isStream && !request.head.isWritten) tellStream(request);
    request.head.isWritten = true;
    // The messages of a stream may reach the server after the head has left.
    if (!isStream) forget(request);
  }
  setVary(head, requests, layer);
  const restriction = strictest(requests);
  if (restriction !== undefined) head.set('Cache-Control', addDirective(head.get('Cache-Control'), restriction));
  if (isStream) {
    // A language that something in front has set applies to none of the messages that follow.
    if (head.get(CONTENT_LANGUAGE_HEADER) !== undefined) head.remove(CONTENT_LANGUAGE_HEADER);
    return;
  }
  const language = commonLanguage(requests);
  if (language !== undefined && isFieldValue(language)) head.set(CONTENT_LANGUAGE_HEADER, language);
  const [only] = requests;
  if (only !== undefined && requests.length === 1) head.status = only.answer.refusal.status(only.era) ?? head.status;
}

/** LANG-62: also if the server named no languages and its handler has read the preference itself. */
function setVary(head: ResponseHead, requests: readonly IncomingRequest[], layer: Layer): void {
  if (!layer.hasLanguages && !requests.some(({ answer }) => answer.caching.dependsOnPreference)) return;
  head.set('Vary', addVary(head.get('Vary'), ACCEPT_LANGUAGE_HEADER));
  // LANG-63: without the header a cache cannot see what the answer varies by.
  for (const { agreement, answer } of requests) if (agreement.kind === 'no-header') answer.caching.restrict('private');
}

/** A stream that answers no request of its own may be a resumed one: an answer on it may have a language, and set state (D-24). */
function finishHeadOfListener(head: ResponseHead, layer: Layer): void {
  if (!isMediaType(head.get('Content-Type'), 'text/event-stream')) return;
  if (layer.hasLanguages) head.set('Vary', addVary(head.get('Vary'), ACCEPT_LANGUAGE_HEADER));
  head.set('Cache-Control', addDirective(head.get('Cache-Control'), 'no-store'));
}

/** Returns the requests in a body; `undefined` if there is none. */
function requestsIn(body: unknown, layer: Layer): readonly IncomingRequest[] | undefined {
  const requests = (Array.isArray(body) ? body : [body]).filter((message) => kindOf(message) === 'request');
  if (requests.length === 0) return undefined;
  return requests.flatMap((message) => {
    const request = requestOf(message);
    return request?.layer === layer ? [request] : [];
  });
}

function strictest(requests: readonly IncomingRequest[]): CacheRestriction | undefined {
  const all = requests.map(({ answer }) => answer.caching.restriction);
  return all.includes('no-store') ? 'no-store' : all.find((restriction) => restriction !== undefined);
}

/** LANG-48: returns the same value as the body. A batch of an old revision has one only if its answers agree. */
function commonLanguage(requests: readonly IncomingRequest[]): string | undefined {
  const named = new Set(requests.flatMap(({ head: { language } }) => (typeof language === 'string' ? [language] : [])));
  return named.size === 1 ? [...named][0] : undefined;
}
