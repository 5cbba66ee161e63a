import type { ConcernName } from './concern.js';

/**
 * One value of a peer that was not usable: which concern, where it stood, what was wrong (D-13).
 * The value itself is never part of it: an issue may be logged, a location or a state value may not.
 */
export interface Issue {
  readonly concern: ConcernName | 'meta';
  /** The `_meta` key or header, with the path inside it: `io.modelcontextprotocol/clientContext.timezone`. */
  readonly key: string;
  /** A sentence without its subject: "is not an IANA time zone". */
  readonly problem: string;
}

export type Report = (issue: Issue) => void;

export const ignore: Report = () => undefined;
