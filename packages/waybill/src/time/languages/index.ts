/** The nine grammars. A language is built when its first phrase is read; the others cost no more than their text. */
import { buildLexicon, type Lexicon } from '../parse/lexicon.js';
import type { Grammar } from '../parse/word.js';
import { english } from './en.js';

const GRAMMARS: Readonly<Record<string, () => Grammar>> = { en: english };
const built = new Map<string, Lexicon>();

export const grammarLanguages: readonly string[] = Object.keys(GRAMMARS);

export function lexiconOf(language: string): Lexicon | undefined {
  const known = built.get(language);
  if (known) return known;
  const grammar = Object.hasOwn(GRAMMARS, language) ? GRAMMARS[language] : undefined;
  if (!grammar) return undefined;
  const lexicon = buildLexicon(grammar());
  built.set(language, lexicon);
  return lexicon;
}
