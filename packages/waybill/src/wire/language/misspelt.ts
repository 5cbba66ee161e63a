import { quote } from '../check.js';
import { nearest } from '../nearest.js';
import { isWellFormedTag } from './tag.js';

/**
 * Checks a tag that a program wrote in its options. `german` is well-formed, but no registered language has more than three letters: the
 * program means `de`, and would otherwise never get it. Tags of peers are not checked like this.
 */
export function checkTag(tag: unknown, path: string): void {
  const language = typeof tag === 'string' ? (/^[a-z]{4,}/i.exec(tag)?.[0] ?? '') : '';
  if (language === '' && (tag === '*' || (typeof tag === 'string' && isWellFormedTag(tag)))) return;
  const meant = language === '' ? undefined : tagNamed(language);
  throw new RangeError(
    `${path}: expected a BCP 47 language tag, got ${quote(tag)}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  );
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Finds the two-letter tag of a language by its name, in English or in the language itself. Called only for an error. */
function tagNamed(name: string): string | undefined {
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const tags = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const table = new Map<string, string>();
  for (const tag of tags) {
    const called = english.of(tag);
    if (called === undefined) continue;
    const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag);
    for (const each of [called, own ?? called]) table.set(each.toLowerCase(), tag);
  }
  const near = nearest(name, table.keys());
  return near && table.get(near);
}
