import type { ResponseHead } from '../transport/index.js';
import { ACCEPT_LANGUAGE_HEADER, addDirective, addVary, CONTENT_LANGUAGE_HEADER, isFieldValue, isMediaType } from '../wire/headers.js';
import { kindOf, metaOf } from '../wire/message.js';
import { callIn, type ServerCall } from './call.js';
import type { Room } from './room.js';

/**
 * Status and headers of an HTTP answer, in the moment before they leave. For JSON the answer is finished by then; a stream leaves its
 * head first, so it gets no `Content-Language` (LANG-50), and what can be known of it beforehand is `Vary` and privacy.
 */
export function finishHead(head: ResponseHead, body: unknown, room: Room, place: 'front' | 'entrance'): void {
  const calls = callsIn(body, room);
  if (calls === undefined) {
    listening(head, room);
    return;
  }
  // All of them have an edge in front, which does it when everybody else is done.
  if (place === 'entrance' && calls.length > 0 && calls.every((call) => call.headed === 'later')) return;
  const isStream = !isMediaType(head.get('Content-Type'), 'application/json');
  for (const call of calls) {
    // An inner edge may have done it; what stands between may have changed the head since, and the rest can be done twice.
    if (isStream && call.headed !== true) streaming(call, room);
    call.headed = true;
  }
  // Also where the server named no languages, and its handler has looked for one itself.
  if (room.speaks || calls.some((call) => call.preferred)) {
    head.set('Vary', addVary(head.get('Vary'), ACCEPT_LANGUAGE_HEADER));
    // LANG-63: the header was taken away, so a cache cannot see what the answer varies by.
    for (const call of calls) if (call.stripped) call.keep('private');
  }
  const kept = keptOf(calls);
  if (kept !== undefined) head.set('Cache-Control', addDirective(head.get('Cache-Control'), kept));
  if (isStream) {
    // What something in front has put there speaks for none of the messages that follow.
    if (head.get(CONTENT_LANGUAGE_HEADER) !== undefined) head.remove(CONTENT_LANGUAGE_HEADER);
    return;
  }
  const language = commonLanguage(calls);
  if (language !== undefined && isFieldValue(language)) head.set(CONTENT_LANGUAGE_HEADER, language);
  head.status = (calls.length === 1 ? statusOf(calls[0] as ServerCall) : undefined) ?? head.status;
}

/** A stream that answers no request of its own may be one that is resumed: an answer on it may have a language, and set state (D-24). */
function listening(head: ResponseHead, room: Room): void {
  if (!isMediaType(head.get('Content-Type'), 'text/event-stream')) return;
  if (room.speaks) head.set('Vary', addVary(head.get('Vary'), ACCEPT_LANGUAGE_HEADER));
  head.set('Cache-Control', addDirective(head.get('Cache-Control'), 'no-store'));
}

/** What the SDK answers with before a handler runs, where a part has held the request back and the SDK takes it for a handler's word. */
const AWAY: ReadonlyMap<unknown, number> = new Map([
  [-32601, 404],
  [-32022, 400],
]);

/** D-13: on a 2025-11-25 connection a client would lose code and data in a 400; the language mismatch is one on both. */
function statusOf({ refused, era, away }: ServerCall): number | undefined {
  if (era === 'modern') return refused?.status ?? AWAY.get(away);
  return refused?.reason === 'language-mismatch' ? refused.status : undefined;
}

/** The calls of the requests in a body; `undefined` where there is no request in it. */
function callsIn(body: unknown, room: Room): readonly ServerCall[] | undefined {
  if (Array.isArray(body)) {
    const calls = body.map((message) => callsIn(message, room));
    return calls.every((call) => call === undefined) ? undefined : calls.flatMap((call) => call ?? []);
  }
  if (kindOf(body) !== 'request') return undefined;
  const call = callOf(body, room);
  return call === undefined ? [] : [call];
}

function keptOf(calls: readonly ServerCall[]): ServerCall['kept'] {
  let found: ServerCall['kept'];
  for (const { kept } of calls) if (found !== 'no-store') found = kept ?? found;
  return found;
}

/** LANG-48: the very value of the body. A batch of an old revision has one only where its answers agree. */
function commonLanguage(calls: readonly ServerCall[]): string | undefined {
  let language: string | undefined;
  for (const { answered } of calls) {
    if (typeof answered !== 'string') continue;
    if (language !== undefined && language !== answered) return undefined;
    language = answered;
  }
  return language;
}

function streaming(call: ServerCall, room: Room): void {
  for (const part of room.having.stream) {
    try {
      part.stream?.(call);
    } catch (error) {
      room.fault(error);
    }
  }
}

/** The served call too: this is its answer. */
export function callOf(message: unknown, room: Room): ServerCall | undefined {
  const call = callIn(metaOf(message, 'request')) ?? room.served(message);
  return call?.room === room ? call : undefined;
}
