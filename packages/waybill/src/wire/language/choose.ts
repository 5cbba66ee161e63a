import { quote } from '../check.js';
import { atOnce } from '../callbacks.js';
import { parseAcceptLanguage, type LanguagePreference, type LanguageRange } from './accept.js';
import { indexTags, requireTags, type Available, type Match } from './available.js';
import { cldrMatch } from './cldr.js';
import { remember } from './memo.js';
import { lookupMatch } from './rfc4647.js';
import { byWeight, type Decide } from './weigh.js';

/** Which of a server's languages answers a preference (D-10, LANG-08…LANG-16). */

export interface LanguageChoice {
  /** One of the available languages, as the author spelled it. */
  readonly language: string;
  /** False where it is the default because nothing matched or nothing was asked for (LANG-10). */
  readonly matched: boolean;
}

/**
 * The ranges by weight, then by position, and the languages there are; gives one of those or `undefined`, anything else is an error of the
 * program. Pure: answers are remembered.
 */
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
  /** Total: always one of the languages, unless a strategy of one's own fails. Nothing is kept between requests but answers by text (LANG-05). */
  choose(preference: LanguagePreference | string | undefined): LanguageChoice;
}

/** Binds the choice to one list of languages, checked and indexed here, once. */
export function languageChooser(languages: readonly string[], options: ChooserOptions = {}): LanguageChooser {
  requireTags(languages);
  const available = indexTags([...languages]);
  const first = available.at.get((options.default ?? languages[0] ?? '').toLowerCase());
  if (first === undefined) throw new RangeError(`default: expected one of ${available.tags.join(', ')}, got ${quote(options.default)}`);
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

/** Where the tag stands that the author's own strategy gave, whatever its type says; `undefined` where it gave none. */
function placeOf(given: unknown, { at, tags }: Available): number | undefined {
  if (given === undefined || given === null) return undefined;
  const found = typeof given === 'string' ? at.get(given.toLowerCase()) : undefined;
  if (found !== undefined) return found;
  const gave = typeof given === 'string' ? quote(given) : 'no tag';
  throw new TypeError(`strategy: gave ${gave}: expected one of ${tags.join(', ')}, or undefined`);
}

function decider(available: Available, first: number, strategy: 'cldr' | 'rfc4647' | LanguageStrategy): Decide {
  if (typeof strategy === 'function') return (ranges) => placeOf(atOnce(strategy(ranges, available.tags), 'strategy'), available);
  if (strategy === 'rfc4647') return byWeight(available, first, lookupMatch(available));
  if ((strategy as string) !== 'cldr') throw new RangeError(`strategy: expected 'cldr', 'rfc4647' or a function, got ${quote(strategy)}`);
  let match: Match | undefined;
  return byWeight(available, first, (wishes, count, refused) => {
    match ??= cldrMatch(available, available.tags[first] as string);
    return match(wishes, count, refused);
  });
}
