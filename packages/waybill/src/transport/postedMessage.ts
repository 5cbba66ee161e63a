import { kindOf } from '../wire/message.js';
import type { Message } from './types.js';

/** A message, or a batch of the revisions that had them. */
export type Posted = Message | readonly Message[];

/** Several of our functions may wrap one `fetch`. The first of them parses the body; the others find the message here. */
const known = new WeakMap<RequestInit, { readonly body: unknown; readonly posted: Posted }>();

/** Returns the JSON-RPC message or batch of a POST; `undefined` for anything else that `fetch` is used for. */
export function postedMessage(init: RequestInit | undefined): Posted | undefined {
  if (init?.method?.toUpperCase() !== 'POST' || typeof init.body !== 'string') return undefined;
  const found = known.get(init);
  // A function between ours may have written another body into the same object.
  if (found !== undefined && found.body === init.body) return found.posted;
  try {
    const parsed: unknown = JSON.parse(init.body);
    const isMessage = Array.isArray(parsed) ? parsed.some((one) => kindOf(one) !== undefined) : kindOf(parsed) !== undefined;
    if (!isMessage) return undefined;
    withPosted(init, parsed as Posted);
    return parsed as Posted;
  } catch {
    return undefined;
  }
}

/** Tells the functions below which message is in the body of this POST. */
export function withPosted(init: RequestInit, posted: Posted): RequestInit {
  known.set(init, { body: init.body, posted });
  return init;
}
