/** Finds out which revision an upstream speaks, by asking what only the newer one knows. */
import { discard, statusOf, type Answer, type Headers } from '../answer.js';
import type { Caller, Face } from '../face.js';
import { at } from '../json/values.js';
import type { Era } from '../config/types.js';
import { makeMessage, type Message } from '../message.js';
import { isModernVersion, MODERN } from '../revision.js';
import { addEnvelope, GATEWAY_INFO, mirrorHeaders } from '../pairs/envelope.js';
import { finalMessage } from '../sse.js';

/** The server did not look at the question: it wants a token, or less haste. */
const SAYS_NOTHING = new Set([401, 403, 408, 429]);

function discover(): Message {
  const message = makeMessage({ jsonrpc: '2.0', id: 'probe', method: 'server/discover' });
  addEnvelope(message, { capabilities: {}, clientInfo: GATEWAY_INFO });
  return message;
}

/** `time`: milliseconds for a stream to bring the answer. Undefined: the answer says nothing about the revision. */
export async function probe(face: Face, name: string, caller: Caller, headers: Headers, time: number): Promise<Era | undefined> {
  const message = discover();
  const stop = new AbortController();
  const { signal } = stop;
  const answer = await face.post({ message, caller, version: MODERN, headers: { ...headers, ...mirrorHeaders(message) }, signal });
  const status = statusOf(answer);
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

async function verdictOf(answer: Answer, name: string): Promise<Era> {
  try {
    const value = (await finalMessage(answer, name))?.value;
    const versions = at(value, 'result', 'supportedVersions') ?? at(value, 'error', 'data', 'supported');
    return Array.isArray(versions) && versions.some(isModernVersion) ? 'modern' : 'legacy';
  } catch {
    // A server of 2025 may answer with a page, or end.
    return 'legacy';
  }
}
