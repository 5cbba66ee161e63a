/** The syntax of MessageFormat that needs no parser: plain texts, quoting, and braces that do not match. */

/** The first fault of a message. Lines and columns count from 1. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** True if MessageFormat would give the text back unchanged. A single apostrophe is plain text: "l'avion". */
export function isPlain(text: string): boolean {
  return !/[{}]|'['<>]/.test(text);
}

/** Turns any text into a message that says exactly this text. */
export function escapeMessage(text: string): string {
  return isPlain(text) ? text : quoteMessage(text, /[{}]/);
}

/** Quotes text for use inside a larger message. It uses one pair of quotes: two pairs that touch would read as an apostrophe. */
export function quoteMessage(text: string, special: RegExp): string {
  const doubled = (part: string): string => part.replaceAll("'", "''");
  const first = text.search(special);
  if (first < 0) return doubled(text);
  let last = text.length - 1;
  while (!special.test(text[last] ?? '')) last--;
  return `${doubled(text.slice(0, first))}'${doubled(text.slice(first, last + 1))}'${doubled(text.slice(last + 1))}`;
}

/**
 * Finds two mistakes that the parser accepts as text: a closing brace that closes nothing, and a placeholder that the apostrophe of a word
 * turns into text ("l'{name}").
 */
export function unbalanced(text: string): Fault | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "'" && /['{}<>]/.test(text[at + 1] ?? '')) {
      if (isElided(text, at)) return { ...place(text, at), problem: "the apostrophe quotes the text after it; write two apostrophes: ''{" };
      at = text[at + 1] === "'" ? at + 1 : endOfQuote(text, at + 1);
    } else if (char === '{') depth++;
    else if (char === '}' && --depth < 0) return { ...place(text, at), problem: 'closes a brace that was not opened' };
  }
  return undefined;
}

/** True for an apostrophe between a letter and a placeholder. A quote that is meant as one ends right after a brace. */
function isElided(text: string, at: number): boolean {
  ELIDED.lastIndex = at;
  if (!ELIDED.test(text)) return false;
  const end = endOfQuote(text, at + 1);
  return end === text.length || !/[{}](?:'')*$/.test(text.slice(at + 1, end));
}

const ELIDED = /(?<=[\p{L}\p{N}])'(?:\{\s*[\p{L}\p{N}_]|<\/?[a-z])/uy;

function endOfQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] !== "'") continue;
    if (text[at + 1] !== "'") return at;
    at++;
  }
  return text.length;
}

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
