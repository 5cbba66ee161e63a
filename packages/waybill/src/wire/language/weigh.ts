/** The rules that all strategies share: exclusions, `*`, and which weight counts (LANG-15, D-10). */
import type { LanguageRange } from './accept.js';
import { type Available, type Match, type Wish, covers, shorten } from './lookup.js';

/** The index of the chosen tag; undefined if there is none. */
export type Decide = (ranges: readonly LanguageRange[]) => number | undefined;

const NONE: ReadonlySet<number> = new Set();

export function byWeight(available: Available, first: number, match: Match): Decide {
  return (ranges) => {
    const { wishes, count, star } = wishesOf(ranges);
    const refused = count < wishes.length || star === 0 ? refusedBy(available, wishes, count, star) : NONE;
    const pick = (least: number) => heaviest(available, match, wishes, countFrom(wishes, count, least), refused, least);
    if (star === undefined || star === 0) return pick(0);
    // D-10: `*` may have a higher weight than a range; at equal weight a named language comes first.
    return pick(star) ?? unnamed(available, first, wishes.slice(0, count), refused) ?? pick(0);
  };
}

/** The ranges in lower case without `*`; the first `count` are wanted, the rest excluded. */
function wishesOf(ranges: readonly LanguageRange[]): { wishes: Wish[]; count: number; star: number | undefined } {
  const wishes: Wish[] = [];
  let count = 0;
  let star: number | undefined;
  for (const { range, q } of ranges) {
    if (range === '*') star ??= q;
    else {
      wishes.push({ range: range.toLowerCase(), q });
      if (q > 0) count++;
    }
  }
  return { wishes, count, star };
}

/** Returns the number of ranges, highest weight first, that have at least this weight. */
function countFrom(wishes: readonly Wish[], count: number, least: number): number {
  while (count > 0 && (wishes[count - 1]?.q ?? 0) < least) count--;
  return count;
}

// LANG-15
/** The most specific range that covers a tag decides the weight of the tag. */
function namedBy(wishes: readonly Wish[], tag: string): Wish | undefined {
  let named: Wish | undefined;
  for (const wish of wishes) if (covers(wish.range, tag) && wish.range.length > (named?.range.length ?? 0)) named = wish;
  return named;
}

/** LANG-15: the tags that a weight of 0 excludes. An exclusion is never widened: `fr-CH;q=0` leaves `fr`, and `fr-CH` stays beside `fr;q=0`. */
function refusedBy(available: Available, wishes: readonly Wish[], count: number, star: number | undefined): ReadonlySet<number> {
  const refused = new Set<number>();
  available.lower.forEach((tag, at) => {
    const named = namedBy(wishes, tag);
    // `*;q=0` excludes every language that is not named, however near it is for CLDR.
    const isWanted = star !== 0 || wishes.slice(0, count).some((wish) => primary(wish.range) === primary(tag));
    if (named?.q === 0 || !isWanted) refused.add(at);
  });
  return refused;
}

function primary(tag: string): string {
  const end = tag.indexOf('-');
  return end < 0 ? tag : tag.slice(0, end);
}

/**
 * Finds the best tag by the weight of the tag itself. With `en, en-GB;q=0.1, fr;q=0.5`, `en` finds `en-GB`, but `en-GB` has a lower weight
 * than `fr`. Such a tag counts only if nothing with a higher weight is found. The loop ends because each round refuses one more tag.
 */
function heaviest(
  available: Available,
  match: Match,
  wishes: readonly Wish[],
  count: number,
  refused: ReadonlySet<number>,
  least: number,
): number | undefined {
  let kept: { tag: number; q: number } | undefined;
  for (;;) {
    const hit = match(wishes, count, refused);
    if (hit === undefined) return kept?.tag;
    const by = wishes[hit.wish] as Wish;
    const named = namedBy(wishes, available.lower[hit.tag] ?? '');
    if (named === undefined || named.q >= by.q || subtags(by.range) > subtags(named.range)) return hit.tag;
    if (named.q >= least && named.q > (kept?.q ?? 0)) {
      kept = { tag: hit.tag, q: named.q };
      while (count > 0 && (wishes[count - 1]?.q ?? 0) <= kept.q) count--;
    }
    refused = new Set(refused).add(hit.tag);
  }
}

function subtags(range: string): number {
  let count = 1;
  for (let at = range.indexOf('-'); at >= 0; at = range.indexOf('-', at + 1)) count++;
  return count;
}

/** D-10: `*` stands for every tag that no other range covers; the default first, then the server's order. */
function unnamed(available: Available, first: number, wishes: readonly Wish[], refused: ReadonlySet<number>): number | undefined {
  const free = (at: number): boolean => !refused.has(at) && !wishes.some((wish) => meant(wish.range, available.lower[at] ?? ''));
  if (free(first)) return first;
  const found = available.lower.findIndex((_, at) => free(at));
  return found < 0 ? undefined : found;
}

/** True if a range covers a tag, or a lookup of the range finds it. */
function meant(range: string, tag: string): boolean {
  if (covers(range, tag)) return true;
  let wanted = range;
  while (wanted.length > tag.length) wanted = shorten(wanted);
  return wanted === tag;
}
