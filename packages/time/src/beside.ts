/**
 * The words beside a phrase in a language of which we know no more than its phrases. Anything that could change the phrase refuses it: a
 * figure, a weekday, month or part of the day (as `Intl` names them), a short word before it (most prepositions and negations), or one of the list.
 */
import { fold } from './parse/fold.js';
import { isSpoiler } from './spoilers.js';

const CLAUSE = /[.,;:!?()\n。，、！？]/u;
const WORD = /[\p{L}\p{M}\p{Nd}']+/gu;
const SHORT = 3;
const NEAR = 3;
const REACH = 120;
/** A figure this near belongs to the phrase, whatever mark is between them: "kl. 15". */
const CLOSE = 12;
/** Scripts that write without spaces, or hang particles on a word. */
const RUNS_ON = /[\u0e00-\u109f\u1780-\u17ff\u2e80-\uffff]/u;
/** The time stands before what it belongs to, and what changes it is a particle or in the list. */
const HEAD_FINAL: ReadonlySet<string> = new Set(['ko', 'tr', 'hi', 'ur', 'bn', 'ta', 'te', 'mr', 'az', 'kk', 'uz', 'mn']);
const MOST_LOCALES = 32;
const names = new Map<string, readonly string[]>();

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

/** Whether all words of a phrase could be names of this language's months or days: "12 may" is of November in some. */
export function areOwnNames(phrase: string, tag: string): boolean {
  const known = namesOf(tag);
  return (phrase.match(WORD) ?? []).every((word) => /^\d/.test(word) || known.some((name) => word.startsWith(name.slice(0, SHORT))));
}

/** Weekdays, months and parts of the day as this language calls them, without the endings that change. */
function namesOf(tag: string): readonly string[] {
  let found = names.get(tag);
  if (found) return found;
  const said = new Set<string>();
  const add = (options: Intl.DateTimeFormatOptions, type: string, day: number, hour: number): void => {
    const parts = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC', calendar: 'gregory' }).formatToParts(
      Date.UTC(2026, 0, day, hour),
    );
    for (const part of parts) if (part.type === type) said.add(stem(longest(fold(part.value).text)));
  };
  for (let day = 4; day < 11; day++) for (const weekday of ['long', 'short'] as const) add({ weekday }, 'weekday', day, 12);
  for (let month = 0; month < 12; month++)
    for (const style of ['long', 'short'] as const) add({ month: style, day: 'numeric' }, 'month', 1 + month * 31, 12);
  for (let hour = 1; hour < 24; hour += 3) add({ hour: 'numeric', dayPeriod: 'long', hourCycle: 'h12' }, 'dayPeriod', 5, hour);
  if (names.size >= MOST_LOCALES) names.clear();
  names.set(tag, (found = [...said].filter((name) => name.length > 1)));
  return found;
}

/** "På kvällen" is said with a preposition. */
const longest = (name: string): string => name.split(/[ ']/).reduce((best, word) => (word.length > best.length ? word : best), '');
const stem = (name: string): string => (RUNS_ON.test(name) || name.length < 4 ? name : name.slice(0, -Math.min(2, name.length - 3)));
