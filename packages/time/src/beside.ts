/**
 * The words beside a phrase in a language of which we know no more than its phrases. Anything that could change the phrase refuses it: a
 * figure, a weekday, month or part of the day (as `Intl` names them), a short word before it (most prepositions and negations), or one of the list.
 */
import { namesOf, RUNS_ON, SHORT, WORD } from './ownNames.js';
import { isSpoiler } from './spoilers.js';

const CLAUSE = /[.,;:!?()\n。，、！？]/u;
const NEAR = 3;
const REACH = 120;
/** A figure this near belongs to the phrase, whatever mark is between them: "kl. 15". */
const CLOSE = 12;
/** The time stands before what it belongs to, and what changes it is a particle or in the list. */
const HEAD_FINAL: ReadonlySet<string> = new Set(['ko', 'tr', 'hi', 'ur', 'bn', 'ta', 'te', 'mr', 'az', 'kk', 'uz', 'mn']);

export function changesPhrase(text: string, start: number, end: number, tag: string, language: string): boolean {
  const left =
    text
      .slice(Math.max(0, start - REACH), start)
      .split(CLAUSE)
      .at(-1) ?? '';
  const right = text.slice(end, end + REACH).split(CLAUSE)[0] ?? '';
  const around = text.slice(Math.max(0, start - CLOSE), start) + text.slice(end, end + CLOSE);
  if (/\p{Nd}/u.test(left + right + around) || /[<>=+]/.test(around)) return true;
  const [before, behind] = [left.match(WORD) ?? [], right.match(WORD) ?? []];
  const known = namesOf(tag);
  if (RUNS_ON.test(left + right)) {
    if (known.some((name) => name.length > 1 && (left.includes(name) || right.includes(name)))) return true;
  } else if ([...before, ...behind].some((word) => known.some((name) => word.startsWith(name)))) return true;
  // Most of what narrows a time follows it: "завтра днём", "i morgon klockan tre".
  if (behind.length > 0 && !HEAD_FINAL.has(language)) return true;
  const previous = before.at(-1);
  if (previous !== undefined && previous.length <= SHORT && !RUNS_ON.test(previous)) return true;
  return [...before.slice(-NEAR), ...behind.slice(0, NEAR)].some((word) => isSpoiler(word, language));
}
