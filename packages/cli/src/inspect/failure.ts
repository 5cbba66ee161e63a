/** An error of the SDK or of the network in words that say what to do. */
import { shown } from './log.js';
import type { SendError } from './protocol.js';

/** How a known error is recognised, what it means, and what to do. */
const KNOWN: readonly (readonly [RegExp, string, string])[] = [
  [
    /ECONNREFUSED|fetch failed|ENOTFOUND|EAI_AGAIN/,
    'The server cannot be reached.',
    'Nothing answers at this address. Start the server, check host and port, then choose Reconnect.',
  ],
  [
    /ENOENT/,
    'The command cannot be started.',
    'The command was not found. Check its name on the command line and start waybill inspect again.',
  ],
  [
    /timed out|timeout/i,
    'No answer came.',
    'The server did not answer in time. It may hang, or wait for something. Choose Reconnect to try again.',
  ],
  [
    /closed|ended the connection/i,
    'The connection is closed.',
    'The server ended. Its own messages are in the terminal. Choose Reconnect to start it again.',
  ],
  [/401|Unauthorized/i, 'The server refuses this caller.', 'It wants credentials. Start waybill inspect with --header "Authorization: …".'],
];

/** A server may put anything into an error, of any length. */
const MAX_WORDS = 2000;
const cut = (text: string): string => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text);

export function failureOf(error: unknown): SendError {
  const { message = String(error), code, data, cause } = error as { message?: string; code?: unknown; data?: unknown; cause?: unknown };
  const about = data === undefined ? {} : { data: shown(data) };
  if (typeof code === 'number') return { message: cut(message), code, ...about };
  const words = [message, code, ...(cause instanceof Error ? [cause.message, (cause as { code?: unknown }).code] : [])].join(' ');
  const known = KNOWN.find(([pattern]) => pattern.test(words));
  return known === undefined ? { message: cut(message), ...about } : { message: known[1], hint: known[2], data: cut(message), ...about };
}
