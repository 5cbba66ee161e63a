import { quote } from '../check.js';
import { isWellFormedTag } from './tag.js';

// LANG-28
/** The languages of a server, indexed once. They keep the author's spelling, which is the name of the catalogue. */
export interface Available {
  readonly tags: readonly string[];
  readonly lower: readonly string[];
  /** The index of each lower-case tag. */
  readonly at: ReadonlyMap<string, number>;
  /** The length of the longest tag. Longer ranges, which a peer may send, need no lookup. */
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

/** Checks the option at construction; errors name the path. */
export function requireTags(tags: readonly string[]): void {
  if (tags.length === 0) throw new RangeError('languages: expected at least one tag');
  tags.forEach((tag: unknown, at) => {
    if (typeof tag !== 'string' || !isWellFormedTag(tag))
      throw new RangeError(`languages[${at}]: expected a BCP 47 language tag, got ${quote(tag)}`);
  });
}

/** A range of the preference, in lower case and never `*`. */
export interface Wish {
  readonly range: string;
  readonly q: number;
}

/** The chosen tag, and the range it answers. */
export interface Hit {
  readonly tag: number;
  readonly wish: number;
}

/** A strategy: finds the best tag for the first `count` ranges, without the refused tags. */
export type Match = (wishes: readonly Wish[], count: number, refused: ReadonlySet<number>) => Hit | undefined;
