import { parseAcceptLanguage, quote, type LanguagePreference, type LanguageRange } from './accept.js';
import { indexTags, requireTags, type Available, type Match, type Wish } from './available.js';
import { cldrMatch } from './cldr.js';
import { remember } from './memo.js';
import { covers, lookupMatch, shorten } from './rfc4647.js';

/** Which of a server's languages answers a preference (D-10, LANG-08…LANG-16). */

export interface LanguageChoice {
  /** One of the available languages, as the author spelled it. */
  readonly language: string;
  /** False where it is the default because nothing matched or nothing was asked for (LANG-10). */
  readonly matched: boolean;
}

/** The ranges by weight, then by position, and the languages there are; gives one of those or `undefined`. Pure: answers are remembered. */
export type LanguageStrategy = (ranges: readonly LanguageRange[], languages: readonly string[]) => string | undefined;

export interface ChooserOptions {
  /** The server's default; the first language unless said otherwise. */
  readonly default?: string;
  /** `cldr` (best fit) unless said otherwise. A function of one's own also decides about `*` and exclusions. */
  readonly strategy?: 'cldr' | 'rfc4647' | LanguageStrategy;
}

export interface LanguageChooser {
  readonly languages: readonly string[];
  readonly default: string;
  /** Total: always one of the languages. Nothing is kept between requests but answers by text (LANG-05). */
  choose(preference: LanguagePreference | string | undefined): LanguageChoice;
}

const NONE: ReadonlySet<number> = new Set();

/** Binds the choice to one list of languages, checked and indexed here, once. */
export function languageChooser(languages: readonly string[], options: ChooserOptions = {}): LanguageChooser {
  requireTags(languages);
  const available = indexTags([...languages]);
  const first = available.at.get((options.default ?? languages[0] ?? '').toLowerCase());
  if (first === undefined) throw new RangeError(`default: ${quote(options.default)} is none of the languages`);
  const fallback: LanguageChoice = Object.freeze({ language: available.tags[first] as string, matched: false });
  const choices = available.tags.map((language) => Object.freeze({ language, matched: true }));
  const decide = decider(available, first, options.strategy ?? 'cldr');
  const memo = new Map<string, LanguageChoice>();
  return {
    languages: available.tags,
    default: fallback.language,
    choose(preference) {
      if (preference === undefined) return fallback;
      const text = typeof preference === 'string' ? preference : preference.text;
      const known = memo.get(text);
      if (known !== undefined) return known;
      const ranges = typeof preference === 'string' ? parseAcceptLanguage(text) : preference.ranges;
      // LANG-11, LANG-16: malformed or empty is no preference.
      if (ranges === undefined || ranges.length === 0) return fallback;
      return remember(memo, text, choices[decide(ranges) ?? -1] ?? fallback);
    },
  };
}

/** One choice. Where more than one is made from the same list, `languageChooser` saves the work. */
export function chooseLanguage(
  preference: LanguagePreference | string | undefined,
  languages: readonly string[],
  options: ChooserOptions = {},
): LanguageChoice {
  return languageChooser(languages, options).choose(preference);
}

type Decide = (ranges: readonly LanguageRange[]) => number | undefined;

function decider(available: Available, first: number, strategy: 'cldr' | 'rfc4647' | LanguageStrategy): Decide {
  if (typeof strategy === 'function') return (ranges) => available.at.get(strategy(ranges, available.tags)?.toLowerCase() ?? '');
  if (strategy === 'rfc4647') return byWeight(available, first, lookupMatch(available));
  if ((strategy as string) !== 'cldr') throw new RangeError(`strategy: ${quote(strategy)} is neither 'cldr', 'rfc4647' nor a function`);
  let match: Match | undefined;
  return byWeight(available, first, (wishes, count, refused) => {
    match ??= cldrMatch(available, available.tags[first] as string);
    return match(wishes, count, refused);
  });
}

/** What both strategies share: exclusions, `*`, and whose weight counts. */
function byWeight(available: Available, first: number, match: Match): Decide {
  return (ranges) => {
    const { wishes, count, star } = wishesOf(ranges);
    const refused = count < wishes.length || star === 0 ? refusedBy(available, wishes, count, star) : NONE;
    if (star === undefined || star === 0) return pick(available, match, wishes, count, refused);
    // D-10: `*` may outrank a range by weight; at equal weight a language that is named goes first.
    return (
      pick(available, match, wishes, countAbove(wishes, count, star, true), refused) ??
      unnamed(available, first, wishes.slice(0, count), refused) ??
      pick(available, match, wishes, count, refused)
    );
  };
}

/** The ranges in lower case without `*`; the first `count` are wanted, the rest excluded. */
function wishesOf(ranges: readonly LanguageRange[]): { wishes: Wish[]; count: number; star: number | undefined } {
  const wishes: Wish[] = [];
  let count = 0;
  let star: number | undefined;
  for (const { range, q } of ranges) {
    if (range === '*') star ??= q;
    else if (wishes.push({ range: range.toLowerCase(), q }) && q > 0) count++;
  }
  return { wishes, count, star };
}

function countAbove(wishes: readonly Wish[], count: number, weight: number, orEqual: boolean): number {
  let above = 0;
  while (above < count && (wishes[above] as Wish).q >= weight && (orEqual || (wishes[above] as Wish).q > weight)) above++;
  return above;
}

/** The most specific range that covers a tag: it decides the tag's weight (LANG-15). */
export function namedBy(wishes: readonly Wish[], tag: string): Wish | undefined {
  let named: Wish | undefined;
  for (const wish of wishes) if (covers(wish.range, tag) && wish.range.length > (named?.range.length ?? 0)) named = wish;
  return named;
}

/** LANG-15: tags that a weight of 0 excludes. It is never widened: `fr-CH;q=0` leaves `fr`, and `fr-CH` survives `fr;q=0`. */
function refusedBy(available: Available, wishes: readonly Wish[], count: number, star: number | undefined): ReadonlySet<number> {
  const refused = new Set<number>();
  available.lower.forEach((tag, at) => {
    const named = namedBy(wishes, tag);
    // `*;q=0` refuses every language that is not asked for, however near CLDR finds it.
    const asked = star !== 0 || wishes.slice(0, count).some((wish) => primary(wish.range) === primary(tag));
    if (named?.q === 0 || !asked) refused.add(at);
  });
  return refused;
}

function primary(tag: string): string {
  const end = tag.indexOf('-');
  return end < 0 ? tag : tag.slice(0, end);
}

/**
 * The best hit whose own weight nothing undercuts: with `en, en-GB;q=0.1, fr;q=0.5`, `en` finds `en-GB`, but `en-GB` was given
 * less than `fr`. Such a hit stands back until nothing that weighs more is found. Ends: each round refuses one more tag.
 */
function pick(
  available: Available,
  match: Match,
  wishes: readonly Wish[],
  count: number,
  refused: ReadonlySet<number>,
): number | undefined {
  let kept: number | undefined;
  let weight = 0;
  for (;;) {
    const hit = match(wishes, count, refused);
    if (hit === undefined) return kept;
    const by = wishes[hit.wish] as Wish;
    const named = namedBy(wishes, available.lower[hit.tag] ?? '');
    if (named === undefined || named.q >= by.q || subtags(by.range) > subtags(named.range)) return hit.tag;
    if (named.q > weight) {
      kept = hit.tag;
      weight = named.q;
      count = countAbove(wishes, count, weight, false);
    }
    refused = new Set(refused).add(hit.tag);
  }
}

function subtags(range: string): number {
  let count = 1;
  for (let at = range.indexOf('-'); at >= 0; at = range.indexOf('-', at + 1)) count++;
  return count;
}

/** D-10: `*` stands for every tag that no other range means; the default first, then the server's order. */
function unnamed(available: Available, first: number, wishes: readonly Wish[], refused: ReadonlySet<number>): number | undefined {
  const free = (at: number): boolean => !refused.has(at) && !wishes.some((wish) => meant(wish.range, available.lower[at] ?? ''));
  if (free(first)) return first;
  const found = available.lower.findIndex((_, at) => free(at));
  return found < 0 ? undefined : found;
}

/** Whether a range covers a tag, or a lookup of the range arrives there. */
export function meant(range: string, tag: string): boolean {
  if (covers(range, tag)) return true;
  let wanted = range;
  while (wanted.length > tag.length) wanted = shorten(wanted);
  return wanted === tag;
}
