/**
 * The tense of the sentence around a phrase: "what were sales in February?" means the last one, "the February launch will be" the next.
 * A grammar lists the words and endings that tell. Where none stands, the sentence says nothing; a future form wins over a past one.
 */
import type { Tense } from './parse/word.js';

export type Prefer = 'future' | 'past';

/** The search for a verb stops this many characters from the phrase. */
const REACH = 160;
/** A word with a capital that does not begin its sentence. */
const NOUN = /(?<=\S )\p{Lu}\p{L}*/gu;
const SENTENCE_END = /[.!?;。！？；\n](?=\s|$)|[。！？；\n]/gu;

interface Rules {
  readonly past: RegExp;
  readonly future: RegExp;
  readonly neither: RegExp | undefined;
}
const built = new WeakMap<Tense, Rules>();

export function tenseOf(tense: Tense | undefined, source: string, start: number, end: number): Prefer | undefined {
  if (!tense) return undefined;
  const sentence = sentenceAround(source, start, end).join(' | ');
  return tenseIn(tense, (tense.capitals ? sentence.replace(NOUN, '') : sentence).toLowerCase());
}

/** The tense of a text in lower case, with its accents. */
export function tenseIn(tense: Tense, text: string): Prefer | undefined {
  const { past, future, neither } = rulesOf(tense);
  const sentence = neither ? text.replace(neither, ' ') : text;
  if (future.test(sentence)) return 'future';
  return past.test(sentence) ? 'past' : undefined;
}

function rulesOf(tense: Tense): Rules {
  let rules = built.get(tense);
  if (rules) return rules;
  const { past, future, neither } = tense;
  const make = (pattern: string): RegExp => new RegExp(tense.joined ? pattern : `(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'u');
  rules = { past: make(past), future: make(future), neither: neither === undefined ? undefined : new RegExp(make(neither), 'gu') };
  built.set(tense, rules);
  return rules;
}

/** The rest of the sentence on both sides of the phrase. */
export function sentenceAround(source: string, start: number, end: number): [string, string] {
  const left = source.slice(Math.max(0, start - REACH), start);
  const right = source.slice(end, end + REACH);
  const [stop] = right.matchAll(SENTENCE_END);
  const starts = [...left.matchAll(SENTENCE_END)].at(-1);
  const before = starts ? left.slice(starts.index + 1) : left;
  return [before, stop ? right.slice(0, stop.index) : right];
}
