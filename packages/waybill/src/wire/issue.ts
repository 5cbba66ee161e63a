import type { ConcernName } from './concern.js';

/**
 * One value that was not usable: its concern, its place, and what was wrong with it. The value itself is never part of an issue: an issue
 * may be logged, a location or a state value may not.
 */
export interface Issue {
  /**
   * The side that made the mistake. `peer`, the default: the other side, in a message. `setup`: this program, in its own configuration; the
   * problem then says what to write instead, and contains nothing from a peer. Without `onIssue`, setup issues go to `console.warn`.
   */
  readonly side?: 'peer' | 'setup';
  readonly concern: ConcernName | 'meta';
  /**
   * The `_meta` key or header, with the path inside it: `io.modelcontextprotocol/clientContext.timezone`. For a setup issue, the option.
   */
  readonly key: string;
  /** A sentence without its subject: "is not an IANA time zone". */
  readonly problem: string;
}

export type Report = (issue: Issue) => void;

export const ignore: Report = () => undefined;

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
