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

// Matching as RFC 4647 defines it.

/** RFC 4647 section 3.3.1: true if the tag is the range or continues it. Both must be in lower case. */
export function covers(range: string, tag: string): boolean {
  return range === '*' || range === tag || (tag.startsWith(range) && tag.charCodeAt(range.length) === 0x2d);
}

/**
 * RFC 4647 section 3.4: removes the last subtag, and the single letter that introduced it; `''` at the end. A lookup tries the range and then
 * each of these.
 */
export function shorten(range: string): string {
  const end = range.lastIndexOf('-');
  return end < 0 ? '' : range.slice(0, range.charCodeAt(end - 2) === 0x2d ? end - 2 : end);
}

/** One lookup on indexed tags: the index of the best one, or -1. */
export function lookupAt(available: Available, range: string, refused: ReadonlySet<number>): number {
  for (let wanted = range; wanted !== ''; wanted = shorten(wanted)) {
    const tag = wanted.length > available.longest ? undefined : available.at.get(wanted);
    if (tag !== undefined && !refused.has(tag)) return tag;
  }
  return -1;
}

// D-10
/** `strategy: 'rfc4647'`: pure lookup. */
export function lookupMatch(available: Available): Match {
  return (wishes, count, refused) => {
    for (let wish = 0; wish < count; wish++) {
      const tag = lookupAt(available, wishes[wish]?.range ?? '', refused);
      if (tag >= 0) return { tag, wish };
    }
    return undefined;
  };
}
