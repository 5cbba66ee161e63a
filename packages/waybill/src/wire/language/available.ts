import { quote } from '../check.js';
import { isWellFormedTag } from './tag.js';

/** The languages a server has, indexed once. They are reported as the author spelled them: that is what the catalogue is called (LANG-28). */
export interface Available {
  readonly tags: readonly string[];
  readonly lower: readonly string[];
  /** Where each lower-case tag stands. */
  readonly at: ReadonlyMap<string, number>;
  /** The length of the longest tag: no longer range needs to be looked up, and a peer may send very long ones. */
  readonly longest: number;
}

export function indexTags(tags: readonly string[]): Available {
  const lower = tags.map((tag) => tag.toLowerCase());
  const at = new Map<string, number>();
  lower.forEach((tag, index) => {
    if (!at.has(tag)) at.set(tag, index);
  });
  return { tags, lower, at, longest: Math.max(0, ...lower.map((tag) => tag.length)) };
}

/** Options are checked at construction, and the message names the path. */
export function requireTags(tags: readonly string[]): void {
  if (tags.length === 0) throw new RangeError('languages: expected at least one tag');
  tags.forEach((tag: unknown, at) => {
    if (typeof tag !== 'string' || !isWellFormedTag(tag))
      throw new RangeError(`languages[${at}]: expected a BCP 47 language tag, got ${quote(tag)}`);
  });
}

/** A range somebody wishes for, in lower case and never `*`. */
export interface Wish {
  readonly range: string;
  readonly q: number;
}

/** Which tag, and which wish it answers. */
export interface Hit {
  readonly tag: number;
  readonly wish: number;
}

/** A strategy: the best tag for the first `count` wishes, leaving out the refused tags. */
export type Match = (wishes: readonly Wish[], count: number, refused: ReadonlySet<number>) => Hit | undefined;
