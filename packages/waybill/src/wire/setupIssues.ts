import type { Report } from './issue.js';

/** The number of mistakes that are printed; more would only fill the log. */
const MAX_WARNINGS = 64;

// D-33
/**
 * Reports for a program without `onIssue`. Its own mistakes are never silent: each setup issue goes to `warn` once. Issues of peers stay
 * silent: any peer could fill the log with them. `warn` is handed in because `wire/` does no output; it must not write to stdout, where
 * stdio servers speak the protocol.
 */
export function setupWarnings(warn: (text: string) => void): Report {
  const told = new Set<string>();
  return ({ side, key, problem }) => {
    const text = `waybill: ${key}: ${problem}`;
    if (side !== 'setup' || told.has(text) || told.size >= MAX_WARNINGS) return;
    told.add(text);
    warn(text);
  };
}
