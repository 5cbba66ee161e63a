/**
 * One rule that the kit can see on the wire. "derived" marks a rule that no proposal states: an implementation has to choose there, and the
 * kit warns about another choice. A rule without a keyword that defines the wire (where a value stands, what null means) counts as MUST.
 */
import type { Role } from '../check.js';

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT';

export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly who: readonly Role[];
  readonly text: string;
  readonly source: string;
}

export const rule = (id: string, level: Level, who: string, source: string, text: string): Requirement => ({
  id,
  level,
  who: who.split(' ') as Role[],
  source,
  text,
});

export const BASE = 'specification 2026-07-28';
export const LANGUAGE = 'SEP-2792 at ce12e646';
export const WORKING_GROUP = 'transports-wg #42 at c85169e8';
export const CONTEXT = 'SEP-1809';
export const STATE = 'SEP-1655';
export const TRACE = 'SEP-414, specification 2026-07-28';
export const TOOLS = 'transports-wg #31 at f03d16c';
export const DERIVED = 'derived';
