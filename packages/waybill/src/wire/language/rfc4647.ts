import type { Available, Match } from './available.js';

/** Matching as RFC 4647 defines it. */

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
