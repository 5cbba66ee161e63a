/**
 * Skeletons: `::currency/EUR` of a number, `::yMMMd` of a date. The parser skips what it does not know, so a mistake would only show as
 * something missing in the text.
 */
import { isNumberElement, isNumberSkeleton, parse, SKELETON_TYPE, type Skeleton } from '@formatjs/icu-messageformat-parser';

/** Tokens that name the default, so no option of `Intl` comes of them. */
const DEFAULTS: ReadonlySet<string> = new Set(['group-auto', 'decimal-auto', 'base-unit']);
/** The letters of a date that the parser reads or refuses by itself. */
const LETTERS = /[EecGQqyYurUMLdDFabBhkHKwWmszZOvVxX]/g;

/** The first part of a skeleton that `Intl` has no option for. Also gives `j` (the hour as the locale counts it) its option: the parser skips it. */
export function unknownInSkeleton(skeleton: Skeleton): string | undefined {
  if (skeleton.type === SKELETON_TYPE.number)
    return skeleton.tokens
      .map(({ stem, options }) => [stem, ...options].join('/'))
      .find((token) => !DEFAULTS.has(token) && hasNoOption(token));
  const letters = skeleton.pattern.replaceAll(/'[^']*'/g, '');
  const hour = /j+/.exec(letters)?.[0];
  if (hour !== undefined) skeleton.parsedOptions.hour = hour.length === 1 ? 'numeric' : '2-digit';
  return letters.replaceAll('j', '').replaceAll(LETTERS, '').match(/[a-z]/i)?.[0];
}

function hasNoOption(token: string): boolean {
  const [element] = parse(`{n, number, ::${token}}`);
  const style = element !== undefined && isNumberElement(element) ? element.style : undefined;
  return !isNumberSkeleton(style) || Object.keys(style.parsedOptions).length === 0;
}
