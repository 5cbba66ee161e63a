/** A list of words as the grammars write it, with spaces between; "order-" stands for every word that begins so. */
import { fold } from './fold.js';

export interface List {
  /** A folded word. */
  readonly has: (word: string) => boolean;
  /** Every word and stem, for scripts without spaces. */
  readonly all: readonly string[];
}

export function listOf(list: string): List {
  const words = list.split(/\s+/).filter(Boolean);
  const folded = (word: string): string => fold(word.replace(/-$/, '')).text;
  const whole = new Set(words.filter((word) => !word.endsWith('-')).map(folded));
  const stems = words.filter((word) => word.endsWith('-')).map(folded);
  const stem = stems.length > 0 ? new RegExp(`^(?:${stems.join('|')})`, 'u') : undefined;
  return { has: (word) => whole.has(word) || stem?.test(word) === true, all: [...whole, ...stems] };
}
