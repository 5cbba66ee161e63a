import { indexTags, type Available, type Match } from './available.js';

/** Matching as RFC 4647 defines it. Case does not matter in comparisons; results keep the spelling of the given tags. */

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

/** Section 3.3.2: the tag must have each subtag of the range in order; `*` stands for any. Other subtags may stand between, but no singleton. */
function extendedCovers(range: string, tag: string): boolean {
  const wanted = range.split('-');
  const given = tag.split('-');
  if (wanted[0] !== '*' && wanted[0] !== given[0]) return false;
  let at = 1;
  for (const subtag of wanted.slice(1)) {
    if (subtag === '*') continue;
    while (at < given.length && given[at] !== subtag) if (given[at++]?.length === 1) return false;
    if (at++ >= given.length) return false;
  }
  return true;
}

function filter(tags: readonly string[], ranges: readonly string[], matches: (range: string, tag: string) => boolean): string[] {
  const found = new Set<number>();
  for (const range of ranges) {
    tags.forEach((tag, at) => {
      if (matches(range.toLowerCase(), tag.toLowerCase())) found.add(at);
    });
  }
  return [...found].map((at) => tags[at] as string);
}

/** Basic filtering: every tag that a range covers, in the order of the ranges, then of the tags. */
export function basicFilter(tags: readonly string[], ranges: readonly string[]): string[] {
  return filter(tags, ranges, covers);
}

/** Extended filtering: as above, with ranges such as `de-*-DE`. */
export function extendedFilter(tags: readonly string[], ranges: readonly string[]): string[] {
  return filter(tags, ranges, extendedCovers);
}

/**
 * Lookup: finds the one best tag by shortening each range in turn. A lone `*` means nothing here (section 3.4); the chooser handles it. Other
 * wildcards are dropped, except a leading one, which takes the first tag that extended filtering finds.
 */
export function lookup(tags: readonly string[], ranges: readonly string[]): string | undefined {
  const available = indexTags(tags);
  for (const range of ranges.map((range) => range.toLowerCase())) {
    if (range === '*') continue;
    const tag = range.startsWith('*-')
      ? available.lower.findIndex((tag) => extendedCovers(range, tag))
      : lookupAt(available, range.replaceAll('-*', ''), NONE);
    if (tag >= 0) return tags[tag];
  }
  return undefined;
}

const NONE: ReadonlySet<number> = new Set();

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
