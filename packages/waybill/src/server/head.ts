import type { ResponseHead } from '../transport/index.js';
import { ACCEPT_LANGUAGE_HEADER, addDirective, addVary, CONTENT_LANGUAGE_HEADER, isFieldValue } from '../wire/headers.js';
import { kindOf, metaOf } from '../wire/message.js';
import { callIn, type ServerCall } from './call.js';
import type { Room } from './room.js';

/**
 * Status and headers of an HTTP answer, in the moment before they leave. For JSON the answer is finished by then; a stream leaves its
 * head first, so it gets no `Content-Language` (LANG-50), and what can be known of it beforehand is `Vary` and privacy.
 */
export function finishHead(head: ResponseHead, body: unknown, room: Room): void {
  const messages = (Array.isArray(body) ? body : [body]).filter((message) => kindOf(message) === 'request');
  if (messages.length === 0) return;
  const calls = messages.flatMap((message) => callOf(message, room) ?? []);
  // An inner edge may have done it; what stands between may have changed the head since, and the rest can be done twice.
  const unheaded = calls.filter((call) => !call.headed);
  for (const call of unheaded) call.headed = true;
  if (!isJson(head.get('Content-Type'))) for (const call of unheaded) streaming(call, room);
  if (room.speaks) head.set('Vary', addVary(head.get('Vary'), ACCEPT_LANGUAGE_HEADER));
  const kept = calls.some((call) => call.kept === 'no-store') ? 'no-store' : calls.find((call) => call.kept !== undefined)?.kept;
  if (kept !== undefined) head.set('Cache-Control', addDirective(head.get('Cache-Control'), kept));
  if (!isJson(head.get('Content-Type'))) return;
  mirrorLanguage(head, calls);
  const refused = calls.length === 1 ? calls[0]?.refused : undefined;
  // D-13: on a 2025-11-25 connection a client would lose code and data in a 400; the language mismatch is one on both.
  if (refused !== undefined && (refused.reason === 'language-mismatch' || calls[0]?.era === 'modern')) head.status = refused.status;
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

/** LANG-48: the very value of the body. A batch of an old revision has one only where its answers agree. */
function mirrorLanguage(head: ResponseHead, calls: readonly ServerCall[]): void {
  const found = new Set(calls.flatMap(({ answered }) => (typeof answered === 'string' ? [answered] : [])));
  const [language] = found;
  if (found.size === 1 && language !== undefined && isFieldValue(language)) head.set(CONTENT_LANGUAGE_HEADER, language);
}

/** The served call too: this is its answer. */
export function callOf(message: unknown, room: Room): ServerCall | undefined {
  const call = callIn(metaOf(message, 'request')) ?? room.served(message);
  return call?.room === room ? call : undefined;
}

export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^[ \t]*application\/json[ \t]*(?:;|$)/i.test(contentType);
}
