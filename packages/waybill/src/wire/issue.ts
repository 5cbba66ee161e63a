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
