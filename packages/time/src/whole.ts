/** Tells whether a phrase is the whole text: beside it stand at most punctuation and words without a meaning of their own ("the", "in"). */
import type { Languages } from './languages/languages.js';
import { fold } from './parse/fold.js';
import { lex } from './parse/lex.js';

export function isWhole(languages: Languages, language: string, source: string, phrase: { index: number; text: string }): boolean {
  const rest = `${source.slice(0, phrase.index)} ${source.slice(phrase.index + phrase.text.length)}`;
  const lexicon = languages.lexicon(language);
  if (lexicon === undefined) return !/[\p{L}\p{N}]/u.test(rest);
  return lex(fold(rest), lexicon).every((item) => item.mark !== '' || item.word.skip === true || item.word.prep === true);
}
