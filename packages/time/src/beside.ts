/**
 * The words beside a phrase in a language of which we know no more than its phrases. A word that touches it has to be a neutral one, and no figure,
 * weekday, month or part of the day (as `Intl` names them) may stand in the same clause: "завтра в 15:00", "다음 주 월요일".
 */
import { neutralIn, type Neutral } from './neutral.js';
import { namesOf, RUNS_ON, WORD } from './ownNames.js';

const CLAUSE = /[.,;:!?()\n。，、！？]/u;
const REACH = 120;
/** A figure this near belongs to the phrase, whatever mark is between them: "kl. 15". */
const CLOSE = 12;
/** A pair like "neither … nor" closes within so many words. */
const CORRELATED = 2;

export function changesPhrase(text: string, start: number, end: number, tag: string, language: string): boolean {
  const left =
    text
      .slice(Math.max(0, start - REACH), start)
      .split(CLAUSE)
      .at(-1) ?? '';
  const right = text.slice(end, end + REACH).split(CLAUSE)[0] ?? '';
  const close = text.slice(Math.max(0, start - CLOSE), start) + text.slice(end, end + CLOSE);
  if (/\p{Nd}/u.test(left + right + close) || /[<>=+]/.test(close)) return true;
  const [before, behind] = [left.match(WORD) ?? [], right.match(WORD) ?? []];
  // "Ne dün ne bugün", "ani wczoraj, ani dziś": neither of them.
  if (before.length > 0 && (text.slice(end).match(WORD) ?? []).slice(0, CORRELATED).includes(before.at(-1) ?? '')) return true;
  // "The meeting tomorrow is off, can we take Monday?": a day of another clause is one too many.
  const around = `${text.slice(Math.max(0, start - REACH), start)} ${text.slice(end, end + REACH)}`;
  const known = namesOf(tag);
  if (RUNS_ON.test(around)) {
    if (known.some((name) => name.length > 1 && around.includes(name))) return true;
  } else if ((around.match(WORD) ?? []).some((word) => known.some((name) => word.startsWith(name)))) return true;
  const neutral = neutralIn(language);
  return !isNeutral([...before].reverse(), neutral, false) || !isNeutral(behind, neutral, true);
}

/** `words`: from the phrase outwards. A particle says nothing, so the word behind it counts. */
function isNeutral([first, second]: readonly string[], { words, links }: Neutral, isBehind: boolean): boolean {
  if (first === undefined) return true;
  if (links.has(first) && !RUNS_ON.test(first)) return second !== undefined && words.has(second);
  if (words.has(first) || !RUNS_ON.test(first)) return words.has(first);
  // Particles hang on a word of Hangul, Thai runs on.
  const isHung = /^\p{Script=Hangul}/u.test(first);
  const joins = (text: string, one: string): boolean => (isBehind || isHung ? text.startsWith(one) : text.endsWith(one));
  const link = isBehind ? links.all.find((one) => first.startsWith(one)) : undefined;
  const rest = link === undefined ? first : first.slice(link.length) || second;
  return rest === undefined || words.all.some((one) => joins(rest, one));
}
