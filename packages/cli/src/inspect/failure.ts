/** An error of the SDK or of the network in words that say what to do. */
import type { SendAnswer } from './protocol.js';

type Failure = NonNullable<SendAnswer['error']>;

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /ECONNREFUSED|fetch failed|ENOTFOUND|EAI_AGAIN/,
    'Nothing answers at this address. Start the server, check host and port, then choose Reconnect.',
  ],
  [/ENOENT/, 'The command was not found. Check its name on the command line and start waybill inspect again.'],
  [/timed out|timeout/i, 'The server did not answer in time. It may hang, or wait for something. Choose Reconnect to try again.'],
  [/closed|ended the connection/i, 'The server ended. Its own messages are in the terminal. Choose Reconnect to start it again.'],
  [/401|Unauthorized/i, 'The server wants credentials. Start waybill inspect with --header "Authorization: …".'],
];

export function failureOf(error: unknown): Failure {
  const { message = String(error), code, data, cause } = error as { message?: string; code?: unknown; data?: unknown; cause?: unknown };
  const isProtocol = typeof code === 'number';
  const words = [message, code, ...(cause instanceof Error ? [cause.message, (cause as { code?: unknown }).code] : [])].join(' ');
  const hint = isProtocol ? undefined : HINTS.find(([pattern]) => pattern.test(words))?.[1];
  return { message, ...(hint !== undefined && { hint }), ...(isProtocol && { code }), ...(data !== undefined && { data }) };
}
