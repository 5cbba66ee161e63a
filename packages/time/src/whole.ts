/** Whether a phrase is the whole text: beside it stand at most punctuation and words without a meaning of their own ("the", "in"). */
import type { Languages } from './languages/languages.js';
import type { Folded } from './parse/fold.js';
import { lex } from './parse/lex.js';

/** `start` and `end`: the place of the phrase in the folded text. */
export function isWhole(languages: Languages, language: string, folded: Folded, { start, end }: { start: number; end: number }): boolean {
  const lexicon = languages.lexicon(language);
  if (lexicon === undefined) return !/[\p{L}\p{N}]/u.test(folded.text.slice(0, start) + folded.text.slice(end));
  return lex(folded, lexicon).every((item) => {
    const isInside = item.start >= start && item.end <= end && item.end > 0;
    return isInside || item.mark !== '' || item.word.skip === true || item.word.prep === true;
  });
}
