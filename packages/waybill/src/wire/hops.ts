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

// D-21
/**
 * The `_meta` keys that a hop which creates a message anew must not copy. All other keys are end-to-end: stripping by prefix would also
 * delete the language and the tool requirements.
 */
export const hopByHop: ReadonlyMap<string, 'replace' | 'rewrite'> = new Map([
  [PROTOCOL_VERSION, 'replace'],
  [CLIENT_INFO, 'replace'],
  [CLIENT_CAPABILITIES, 'replace'],
  [LOG_LEVEL, 'replace'],
  [SUBSCRIPTION_ID, 'replace'],
  [OWN_CLIENT_CAPABILITIES, 'replace'],
  [UNAVAILABLE, 'replace'],
  // Each hop gives its request a token of its own, and translates it back in the answer.
  [PROGRESS_TOKEN, 'rewrite'],
]);

/** True if a key is meant for the other end, so that a hop passes it untouched. */
export function isEndToEnd(key: string): boolean {
  return !hopByHop.has(key);
}
