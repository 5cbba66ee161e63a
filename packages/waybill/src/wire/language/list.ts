import { parseAcceptLanguage } from './accept.js';
import { indexTags, type Wish } from './available.js';
import { cldrMatch } from './cldr.js';
import { intlTag } from './tag.js';
import { meant, namedBy } from './weigh.js';

// LANG-11
/**
 * Lists every language that a header accepts, best first. The order is: weight, named languages before those of `*`, position of the range,
 * exact names before others, and the given order. A missing or malformed header accepts everything.
 */
export function acceptedLanguages(header: string | undefined, languages: readonly string[]): string[] {
  const ranges = header === undefined ? undefined : parseAcceptLanguage(header);
  if (ranges === undefined || ranges.length === 0) return [...languages];
  const wishes: Wish[] = ranges.filter(({ range }) => range !== '*').map(({ range, q }) => ({ range: range.toLowerCase(), q }));
  const star = ranges.find(({ range }) => range === '*')?.q ?? 0;
  return languages
    .map((language) => ({ language, ...rank(wishes, language.toLowerCase(), star) }))
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.position - b.position || Number(b.exact) - Number(a.exact))
    .map(({ language }) => language);
}

function rank(wishes: readonly Wish[], tag: string, star: number): { q: number; position: number; exact: boolean } {
  const named = namedBy(wishes, tag);
  const exact = named?.range === tag;
  const longer = wishes.find(({ range, q }) => q > 0 && range.length > tag.length && meant(range, tag));
  const wish = exact || named?.q === 0 ? named : (longer ?? named);
  return wish === undefined ? { q: star, position: wishes.length, exact } : { q: wish.q, position: wishes.indexOf(wish), exact };
}

/**
 * Finds the CLDR best fit between two lists without weights. Returns the best supported tag for the desired ones in their order, or the
 * fallback; never throws. `he` and `iw` are one language, and the first of them stands for both.
 */
export function bestMatch(desired: readonly string[], supported: readonly string[], fallback: string = supported[0] ?? 'und'): string {
  const available = indexTags(supported);
  const alone = new Map([...available.at].filter(([tag]) => intlTag(tag) === undefined));
  const wishes = desired.map((tag) => ({ range: tag.toLowerCase(), q: 1 }));
  const hit = cldrMatch({ ...available, at: alone }, fallback)(wishes, wishes.length, new Set());
  return hit === undefined ? fallback : (supported[hit.tag] ?? fallback);
}
