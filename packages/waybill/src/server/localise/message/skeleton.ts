/** Skeletons: `::currency/EUR` of a number, `::yMMMd` of a date. The parser passes over what it does not know, and it would be missed in the text. */
import type { Element } from './syntax.js';

interface Skeleton {
  /** Of a number. */
  readonly tokens?: readonly { readonly stem: string; readonly options: readonly string[] }[];
  /** Of a date or time. */
  readonly pattern?: string;
  readonly parsedOptions?: Record<string, unknown>;
}

export type Read = (text: string, options: object) => Element[];

/** Says what is so without being said. */
const USUAL: ReadonlySet<string> = new Set(['group-auto', 'decimal-auto', 'base-unit']);
/** The letters that the parser reads or refuses by itself. */
const LETTERS = /[EecGQqyYurUMLdDFabBhkHKwWmszZOvVxX]/g;

/** What there is no option of `Intl` for. Gives `j`, the hour as the user's locale counts it, its meaning: to the parser it has none. */
export function meaningless({ style }: Element, read: Read): string | undefined {
  const { tokens, pattern, parsedOptions } = style as Skeleton;
  if (tokens !== undefined)
    return tokens.map(({ stem, options }) => [stem, ...options].join('/')).find((token) => !USUAL.has(token) && isEmpty(token, read));
  if (pattern === undefined || parsedOptions === undefined) return undefined;
  const letters = pattern.replaceAll(/'[^']*'/g, '');
  const hour = /j+/.exec(letters)?.[0];
  if (hour !== undefined) parsedOptions['hour'] = hour.length === 1 ? 'numeric' : '2-digit';
  return letters.replaceAll('j', '').replaceAll(LETTERS, '').match(/[a-z]/i)?.[0];
}

/** A token by itself comes to nothing. */
function isEmpty(token: string, read: Read): boolean {
  const { parsedOptions } = read(`{n, number, ::${token}}`, {})[0]?.style as Skeleton;
  return Object.keys(parsedOptions ?? {}).length === 0;
}
