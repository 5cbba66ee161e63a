/** Languages in which this runtime can say a relative time. Codes of three letters are too many to ask for. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

export function spokenLanguages(): string[] {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const known = new Set(Intl.RelativeTimeFormat.supportedLocalesOf(codes).map((tag) => new Intl.Locale(tag).language));
  return [...known].filter(speaks).sort();
}

/** A runtime can list a language and have no words for it: then it writes "+1 d". */
const speaks = (code: string): boolean => !/^[+-]/.test(new Intl.RelativeTimeFormat(code, { numeric: 'auto' }).format(1, 'day'));
