/** Months, weekdays and parts of the day as `Intl` names them, in languages without a grammar here. */
import { fold } from './parse/fold.js';

export const WORD: RegExp = /[\p{L}\p{M}\p{Nd}']+/gu;
export const SHORT = 3;
/** Scripts that write without spaces, or hang particles on a word. */
export const RUNS_ON: RegExp = /[\u0e00-\u109f\u1780-\u17ff\u2e80-\uffff]/u;
const MAX_LOCALES = 32;
const names = new Map<string, readonly string[]>();

/** Tells whether all words of a phrase could be names of this language's months or days: "12 may" is of November in some. */
export function areOwnNames(phrase: string, tag: string): boolean {
  const known = namesOf(tag);
  return (phrase.match(WORD) ?? []).every((word) => /^\d/.test(word) || known.some((name) => word.startsWith(name.slice(0, SHORT))));
}

/** Weekdays, months and parts of the day as this language calls them, without the endings that change. */
export function namesOf(tag: string): readonly string[] {
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
  if (names.size >= MAX_LOCALES) names.clear();
  names.set(tag, (found = [...said].filter((name) => name.length > 1)));
  return found;
}

/** "På kvällen" is said with a preposition. */
const longest = (name: string): string => name.split(/[ ']/).reduce((best, word) => (word.length > best.length ? word : best), '');
const stem = (name: string): string => (RUNS_ON.test(name) || name.length < 4 ? name : name.slice(0, -Math.min(2, name.length - 3)));
