/** Isolates that separate Arabic and Latin; code that makes one line of a text may have removed them. */
const ISOLATES = /[\u200e\u200f\u2066-\u2069]/g;
const LETTER = /\p{L}/u;
/** Scripts whose words have spaces between them: `no` is not in `unknown`. */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}]/u;

/** Returns the languages of the catalogue texts that occur in a text. `texts`: those of this call, each with its languages. */
export function languagesIn(text: string, texts: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const whole = plain(text);
  for (const [words, languages] of texts) if (has(whole, plain(words))) for (const language of languages) found.add(language);
  return found;
}

/** Makes texts comparable that were trimmed or put into capitals. */
function plain(text: string): string {
  return text.replace(ISOLATES, '').trim().toLowerCase();
}

function has(text: string, words: string): boolean {
  if (!LETTER.test(words)) return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (!joins(text[at - 1], words[0]) && !joins(words.at(-1), text[end])) return true;
  }
  return false;
}

/** True if one word continues from the first character to the second. */
function joins(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && SPACED.test(before) && SPACED.test(after);
}
