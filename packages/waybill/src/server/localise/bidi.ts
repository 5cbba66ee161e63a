/**
 * Inserted text must not change the direction of the sentence around it: "مرحبا" in an English line, a file name in an Arabic one. It is
 * isolated (Unicode UAX 9) where direction can matter, and stays untouched elsewhere: invisible characters in plain text break copying,
 * comparing and searching.
 */

const FSI = '\u2068';
const PDI = '\u2069';

/** Right-to-left letters and digits, and the characters that switch direction. */
const TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** The end of a paragraph also ends every isolate in it. */
const PARAGRAPHS = /([\n\r\u001c-\u001e\u0085\u2029]+)/;

export function mayTurn(text: string): boolean {
  return TURNS.test(text);
}

const RTL_SCRIPTS: ReadonlySet<string> = new Set(
  'Adlm Arab Armi Avst Chrs Cprt Elym Hatr Hebr Hung Khar Lydi Mand Mani Mend Merc Mero Narb Nbat Nkoo Orkh Ougr Palm Phli Phlp Phnx Prti Rohg Samr Sarb Sogd Sogo Syrc Thaa Yezi'.split(
    ' ',
  ),
);

/** True if a language is written from right to left. `tag` must be one that `Intl` accepts. */
export function isRightToLeft(tag: string): boolean {
  return RTL_SCRIPTS.has(new Intl.Locale(tag).maximize().script ?? '');
}

/** Returns the text, isolated if it can change the direction of its surroundings, or they can change its own. */
export function isolate(text: string, surroundingsTurn: boolean): string {
  if (!surroundingsTurn && !mayTurn(text)) return text;
  if (!PARAGRAPHS.test(text)) return text === '' ? text : FSI + balanced(text) + PDI;
  return text
    .split(PARAGRAPHS)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : FSI + balanced(part) + PDI))
    .join('');
}

/** Removes ends of isolates that the text did not open, and closes those it left open. */
function balanced(text: string): string {
  if (!/[\u2066-\u2069]/.test(text)) return text;
  let open = 0;
  let out = '';
  for (const char of text) {
    if (char === PDI) {
      if (open === 0) continue;
      open--;
    } else if (char >= '\u2066' && char <= FSI) open++;
    out += char;
  }
  return out + PDI.repeat(open);
}
