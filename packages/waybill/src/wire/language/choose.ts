/** Chooses the language of a server that fits a preference (D-10, LANG-08…LANG-16). */
import { quote } from '../check.js';
import { atOnce } from '../maybe.js';
import { parseAcceptLanguage, type LanguagePreference, type LanguageRange } from './accept.js';
import { indexTags, requireTags, type Available, type Match, lookupMatch } from './lookup.js';
import { cldrMatch } from './cldr.js';
import { keep } from '../memo.js';
import { byWeight, type Decide } from './weigh.js';

/** The language that was chosen for a preference. */
export interface LanguageChoice {
  /** One of the available languages, in the author's spelling. */
  readonly language: string;
  // LANG-10
  /** False if it is the default because nothing matched or nothing was asked for. */
  readonly matched: boolean;
}

/**
 * A strategy of your own. It gets the ranges by weight and position, and the available languages. It returns one of those languages or
 * undefined; anything else is a mistake of the program. It must be pure: its results are remembered.
 */
export type LanguageStrategy = (ranges: readonly LanguageRange[], languages: readonly string[]) => string | undefined;

export interface ChooserOptions {
  /** The server's default. Without it, the first language. */
  readonly default?: string;
  /** The default is `cldr` (best fit). A function also decides about `*` and exclusions. */
  readonly strategy?: 'cldr' | 'rfc4647' | LanguageStrategy;
}

export interface LanguageChooser {
  readonly languages: readonly string[];
  readonly default: string;
  // LANG-05
  /** Always returns one of the languages, unless your own strategy throws. Between requests only results by text are kept. */
  choose(preference: LanguagePreference | string | undefined): LanguageChoice;
}

/** Returns a chooser for one list of languages, which is checked and indexed once. */
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
      // LANG-11, LANG-16: a malformed or empty value does not count as a preference.
      if (ranges === undefined || ranges.length === 0) return fallback;
      return keep(memo, text, choices[decide(ranges) ?? -1] ?? fallback);
    },
  };
}

/** Finds the index of the tag that the author's own strategy returned; `undefined` if it returned none. */
function placeOf(given: unknown, { at, tags }: Available): number | undefined {
  if (given === undefined || given === null) return undefined;
  const found = typeof given === 'string' ? at.get(given.toLowerCase()) : undefined;
  if (found !== undefined) return found;
  const gave = typeof given === 'string' ? quote(given) : 'no tag';
  throw new TypeError(`strategy: returned ${gave}: expected one of ${tags.join(', ')}, or undefined`);
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
