/**
 * Text to items: known words (the longest form wins), numbers, punctuation. Everything else becomes one gap, however long, so that
 * what follows is linear in what is known.
 */
import type { Folded } from './fold.js';
import { alike, NOTHING, type Lexicon, type Node, type Word } from './lexicon.js';

export interface Item {
  /** NOTHING where it is no word. */
  readonly word: Word;
  readonly num: number | undefined;
  /** The number of digits: "05" has two. */
  readonly digits: number;
  /** One of `. , : / - ~ ( ) ;` and the like. */
  readonly mark: string;
  /** Place in the folded text. */
  readonly start: number;
  readonly end: number;
  /** Nothing between it and the item before. */
  readonly glued: boolean;
}

export const GAP: Item = { word: NOTHING, num: undefined, digits: 0, mark: '', start: 0, end: 0, glued: false };

const MAX_DIGITS = 9;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isLatin = (code: number): boolean => code >= 97 && code <= 122;
/** After folding: letters of any script, not the general punctuation and symbols. */
export const isLetter = (code: number): boolean =>
  isLatin(code) ||
  (code > 0xbf &&
    !(code >= 0x2000 && code < 0x2c00) &&
    !(code >= 0x3000 && code < 0x3040) &&
    code !== 0xd7 &&
    code !== 0xf7 &&
    code !== 0x30fb);
/** Control characters part words like spaces do. */
const isSpace = (code: number): boolean => code <= 32 || code === 0x3000 || (code >= 0x7f && code < 0xa1);
/** True for characters that may separate the words of one form: `aujourd'hui`, `p. m.`, `week-end`. */
const joins = (code: number): boolean => code === 32 || code === 45 || code === 39 || code === 46 || code === 47;

export function lex(folded: Folded, lexicon: Lexicon): Item[] {
  const text = lexicon.characters.size > 0 ? replaceAll(folded.text, lexicon.characters) : folded.text;
  const items: Item[] = [];
  let touching = false;
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) {
      touching = false;
      i++;
      continue;
    }
    const start = i;
    if (isDigit(code)) {
      let value = 0;
      while (i < text.length && isDigit(text.charCodeAt(i))) {
        if (i - start < MAX_DIGITS) value = value * 10 + text.charCodeAt(i) - 48;
        i++;
      }
      const digits = i - start;
      if (digits > MAX_DIGITS) gap(items);
      else items.push({ word: NOTHING, num: value, digits, mark: '', start, end: i, glued: touching });
    } else if (isTwoDots(text, i)) {
      i += 2;
      items.push({ word: NOTHING, num: undefined, digits: 0, mark: '..', start, end: i, glued: touching });
    } else if (lexicon.joined) i = lexicon.joined.lex(text, folded.text, i, lexicon, items, touching);
    else if (isLetter(code)) i = lexWord(text, i, lexicon, items, touching);
    else {
      i++;
      // A full stop behind a word ends an abbreviation, or a sentence when a new one begins.
      if (code === 39 || (code === 46 && touching && last(items)?.digits === 0)) {
        if (code === 46 && endsSentence(folded, text, i)) gap(items);
        continue;
      }
      items.push({ word: NOTHING, num: undefined, digits: 0, mark: text[start] ?? '', start, end: i, glued: touching });
    }
    touching = true;
  }
  return items;
}

/** As between the ends of a range; three are a pause. */
const isTwoDots = (text: string, at: number): boolean =>
  text.startsWith('..', at) && text.charCodeAt(at + 2) !== 46 && text.charCodeAt(at - 1) !== 46;

const last = (items: readonly Item[]): Item | undefined => items[items.length - 1];

/** Adds one item for unknown text. Text glued to a number keeps its place, because the `Z` of an instant needs it. */
export function gap(items: Item[], start = 0, end = 0, glued = false): void {
  if (glued && last(items)?.num !== undefined) items.push({ ...GAP, start, end, glued });
  else if (last(items) !== GAP) items.push(GAP);
}

function endsSentence({ from, source }: Folded, text: string, at: number): boolean {
  if (!isSpace(text.charCodeAt(at))) return false;
  let next = at;
  while (next < text.length && next < at + 4 && isSpace(text.charCodeAt(next))) next++;
  const place = from ? (from[next] ?? 0) : next;
  const letter = source.charAt(place);
  return next - at > 0 && letter !== letter.toLowerCase() && at - wordStart(text, at - 1) > 5;
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < 8 && isLetter(text.charCodeAt(start - 1))) start--;
  return start;
}

export const wordEnd = (text: string, start: number): number => {
  let end = start;
  while (end < text.length && isLetter(text.charCodeAt(end))) end++;
  return end;
};

function lexWord(text: string, start: number, { roots, same }: Lexicon, items: Item[], glued: boolean): number {
  const end = wordEnd(text, start);
  const first = text.slice(start, end);
  let node = roots.get(same.length > 0 ? alike(first, same) : first);
  if (!node) {
    gap(items, start, end, glued);
    return end;
  }
  let word = node.word;
  let best = end;
  let reached = end;
  while (node.next) {
    let next = reached;
    while (next < reached + 3 && joins(text.charCodeAt(next))) next++;
    const until = wordEnd(text, next);
    if (next === reached || until === next) break;
    const step = text.slice(next, until);
    const child: Node | undefined = node.next.get(same.length > 0 ? alike(step, same) : step);
    if (!child) break;
    node = child;
    reached = until;
    // "Send last quarter to Bob"
    if (child.word && !(child.word.before && last(items)?.word.rel !== undefined)) {
      word = child.word;
      best = until;
    }
  }
  if (word) items.push({ word, num: undefined, digits: 0, mark: '', start, end: best, glued });
  else gap(items, start, end, glued);
  return best;
}

function replaceAll(text: string, characters: ReadonlyMap<string, string>): string {
  let result: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    const other = characters.get(character);
    if (other !== undefined) result ??= text.slice(0, i);
    if (result !== undefined) result += other ?? character;
  }
  return result ?? text;
}
