/** Finds out which revision an upstream speaks, by asking what only the newer one knows. */
import { keys } from 'waybill';
import type { Answer, Headers } from '../answer.js';
import type { Caller, Face } from '../face.js';
import { at } from '../json/values.js';
import type { Era } from '../config/types.js';
import { isAnswer, isModernVersion, makeMessage, MODERN, readMessage } from '../message.js';
import { mirrorHeaders } from '../pairs/envelope.js';
import { messagesOf } from '../sse.js';

const LIMIT = 1024 * 1024;
/** The server did not look at the question: it wants a token, or less haste. */
const SAYS_NOTHING = new Set([401, 403, 408, 429]);

function discover(): ReturnType<typeof makeMessage> {
  const _meta = {
    [keys.PROTOCOL_VERSION]: MODERN,
    [keys.CLIENT_CAPABILITIES]: {},
    [keys.CLIENT_INFO]: { name: 'waybill-gateway', version: '0' },
  };
  return makeMessage({ jsonrpc: '2.0', id: 'probe', method: 'server/discover', params: { _meta } });
}

/** `time`: milliseconds for a stream to bring the answer. Undefined: the answer says nothing about the revision. */
export async function probe(face: Face, name: string, caller: Caller, headers: Headers, time: number): Promise<Era | undefined> {
  const message = discover();
  const stop = new AbortController();
  const { signal } = stop;
  const answer = await face.post({ message, caller, version: MODERN, headers: { ...headers, ...mirrorHeaders(message) }, signal });
  const status = answer.kind === 'messages' ? 200 : answer.status;
  if (SAYS_NOTHING.has(status) || status >= 500) {
    discard(answer);
    return undefined;
  }
  // A 2025 server may open a stream for a question that it does not know, and never say anything on it.
  const timer = setTimeout(() => stop.abort(), time);
  try {
    return await verdictOf(answer, name);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

export async function verdictOf(answer: Answer, name: string): Promise<Era> {
  try {
    for await (const { text } of messagesOf(answer, name, LIMIT)) {
      const message = readMessage(text);
      if (message === undefined || !isAnswer(message)) continue;
      const versions = at(message.value, 'result', 'supportedVersions') ?? at(message.value, 'error', 'data', 'supported');
      return Array.isArray(versions) && versions.some(isModernVersion) ? 'modern' : 'legacy';
    }
  } catch {
    // A server of 2025 may answer with a page, or end.
  }
  return 'legacy';
}

function discard(answer: Answer): void {
  if (answer.kind === 'http') answer.body.resume();
}
