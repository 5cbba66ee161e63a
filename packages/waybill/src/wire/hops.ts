import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  OWN_CLIENT_CAPABILITIES,
  PROGRESS_TOKEN,
  PROTOCOL_VERSION,
  SUBSCRIPTION_ID,
  UNAVAILABLE,
} from './keys.js';

/**
 * D-21: what a hop that re-originates a message does with each `_meta` key. A key that is not listed is end-to-end:
 * stripping by prefix would delete the language and the tool requirements of the very protocol it means to protect.
 */
export const hopByHop: ReadonlyMap<string, 'replace' | 'rewrite'> = new Map([
  [PROTOCOL_VERSION, 'replace'],
  [CLIENT_INFO, 'replace'],
  [CLIENT_CAPABILITIES, 'replace'],
  [LOG_LEVEL, 'replace'],
  [SUBSCRIPTION_ID, 'replace'],
  [OWN_CLIENT_CAPABILITIES, 'replace'],
  [UNAVAILABLE, 'replace'],
  // The token is the hop's own name for the request: a new one goes up, the old one comes back down.
  [PROGRESS_TOKEN, 'rewrite'],
]);

/** Whether a key belongs to the whole way from client to server, and so passes a hop untouched. */
export function isEndToEnd(key: string): boolean {
  return !hopByHop.has(key);
}
