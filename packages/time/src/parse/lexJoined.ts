/** The reading of scripts without spaces between words. The grammars of such languages bring it along, so that an entry without them leaves it out. */
import { leavesOver, touchesNothing } from './joined.js';
import { afterYear, readEra, readMonths, readThirdOf } from './joinedDates.js';
import { gap, isLatin, isLetter, wordEnd, type Item } from './lex.js';
import { NOTHING, type Joined, type Lexicon, type Node, type Word } from './lexicon.js';
import { readNumeral } from './numeral.js';

const isKatakana = (code: number): boolean => code > 0x30a0 && code < 0x30fd && code !== 0x30fb;

/** `written` is the text before characters that stand for others were replaced. */
function lexJoined(text: string, written: string, start: number, { roots }: Lexicon, items: Item[], glued: boolean): number {
  let level: Map<string, Node> | undefined = roots;
  let word: Word | undefined;
  let best = start;
  const isCounted = glued && items[items.length - 1]?.num !== undefined;
  for (let i = start; level && i < text.length;) {
    const character: string = text[i] ?? '';
    // Spaces inside a form, as in a line of aligned dates, are nothing.
    const node: Node | undefined = level.get(character);
    if (!node) break;
    i++;
    level = node.next;
    // Behind a number 月末 and 年底 are not one word: 3月末, 2025年底.
    if (node.word && !cutsWord(written, start, i) && !(isCounted && word && (node.word.thirdUnit ?? node.word.toDate))) {
      word = node.word;
      best = i;
    }
  }
  const numeral = readNumeral(text, start);
  if (numeral && numeral.end > best) {
    if (Number.isNaN(numeral.value)) {
      gap(items);
      return numeral.end;
    }
    items.push({ word: NOTHING, num: numeral.value, digits: numeral.digits, mark: '', start, end: numeral.end, glued });
    return numeral.end;
  }
  if (word) {
    items.push({ word, num: undefined, digits: 0, mark: '', start, end: best, glued });
    return best;
  }
  const code = text.charCodeAt(start);
  if (isLetter(code)) {
    const end = isLatin(code) ? wordEnd(text, start) : start + 1;
    gap(items, start, end, glued && isLatin(code));
    return end;
  }
  items.push({ word: NOTHING, num: undefined, digits: 0, mark: text[start] ?? '', start, end: start + 1, glued });
  return start + 1;
}

/** Scripts that tell where a word ends even here: アス is tomorrow, and is not in アスリート. */
const isOneWord = (code: number, next: number): boolean => (isLatin(code) && isLatin(next)) || (isKatakana(code) && isKatakana(next));
const cutsWord = (text: string, start: number, end: number): boolean =>
  isOneWord(text.charCodeAt(start - 1), text.charCodeAt(start)) || isOneWord(text.charCodeAt(end - 1), text.charCodeAt(end));

export const JOINED: Joined = { lex: lexJoined, readThirdOf, readMonths, readEra, afterYear, leavesOver, touchesNothing };
