/**
 * The tense of the sentence around a phrase: "what were sales in February?" means the last one, "the February launch will be" the next.
 * A grammar lists the words and endings that tell; where none stands, or both do, the sentence says nothing.
 */
import type { Tense } from './parse/word.js';

export type Prefer = 'future' | 'past';

/** The search for a verb stops this many characters from the phrase. */
const REACH = 160;
const SENTENCE_END = /[.!?;。！？；\n](?=\s|$)|[。！？；\n]/gu;

interface Rules {
  readonly past: RegExp;
  readonly future: RegExp;
  readonly neither: RegExp | undefined;
}
const built = new WeakMap<Tense, Rules>();

export function tenseOf(tense: Tense | undefined, source: string, start: number, end: number): Prefer | undefined {
  if (!tense) return undefined;
  let rules = built.get(tense);
  if (!rules) {
    const { past, future, neither } = tense;
    const make = (pattern: string): RegExp =>
      new RegExp(tense.joined ? pattern : `(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'u');
    rules = { past: make(past), future: make(future), neither: neither === undefined ? undefined : new RegExp(make(neither), 'gu') };
    built.set(tense, rules);
  }
  const { past, future, neither } = rules;
  const [before, behind] = sentenceAround(source, start, end);
  const around = `${before} | ${behind}`;
  const sentence = neither ? around.replace(neither, ' ') : around;
  if (future.test(sentence)) return 'future';
  return past.test(sentence) ? 'past' : undefined;
}

/** The rest of the sentence on both sides of the phrase, in lower case. */
function sentenceAround(source: string, start: number, end: number): [string, string] {
  const left = source.slice(Math.max(0, start - REACH), start);
  const right = source.slice(end, end + REACH);
  const [stop] = right.matchAll(SENTENCE_END);
  const starts = [...left.matchAll(SENTENCE_END)].at(-1);
  const before = starts ? left.slice(starts.index + 1) : left;
  return [before.toLowerCase(), (stop ? right.slice(0, stop.index) : right).toLowerCase()];
}
