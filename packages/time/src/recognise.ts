/** The search for a phrase: in the grammar of the language, in English, or in what `Intl` says in every other language. */
import type { Languages } from './languages/languages.js';
import { findPhrase } from './parse/find.js';
import type { Folded } from './parse/fold.js';
import { lex } from './parse/lex.js';
import type { Lexicon } from './parse/lexicon.js';
import { isUnknown, type Reader, type Reason } from './parse/reader.js';
import { wordsOfBoth } from './parse/words.js';
import { otherReadings } from './resolve.js';
import type { Reading, Span } from './span.js';
import type { Prefer } from './tense.js';
import { turn } from './turn.js';
import { inEnglish, type When } from './when.js';

/** A refused phrase: the reason, its known words and the words to blame, as places in the folded text. */
export interface Refusal {
  readonly reason: Reason;
  readonly known: readonly (readonly [start: number, end: number])[];
  readonly obstacle: readonly [start: number, end: number];
}

export interface Hit extends Reading {
  readonly others: readonly Reading[];
  /** Place in the folded text. */
  readonly start: number;
  readonly end: number;
}

export interface Recognised {
  readonly hit: Hit | undefined;
  /** Something about time was found, if only to be refused. */
  readonly isTime: boolean;
  readonly refusal?: Refusal | undefined;
  readonly steps: number;
}

/** The search itself, with the number of rules it tried: what the property test bounds. */
export function recognise(languages: Languages, folded: Folded, when: When, prefer: Prefer | undefined): Recognised {
  const own = recogniseOwn(languages, folded, when, prefer);
  const { language } = when.locale;
  const english = language === 'en' ? undefined : languages.lexicon('en');
  // Agents write English whatever the user speaks. Some of its months are spelled alike elsewhere: then the phrase that says more counts.
  if (!english || (own.isTime && !CUE.test(folded.text))) return own;
  const beside = languages.lexicon(language)?.words ?? languages.others?.words(language);
  const read = readPhrases(folded, english, inEnglish(when), prefer, beside && wordsOfBoth(english.words, beside));
  // Figures alone are no English.
  const isEnglish = !read.hit || isEnglishPhrase(languages, folded.text.slice(read.hit.start, read.hit.end), when);
  const other: Recognised = isEnglish ? read : { hit: undefined, isTime: false, steps: read.steps };
  const steps = own.steps + other.steps;
  if (!own.isTime || (other.isTime && lengthOf(other) > lengthOf(own))) return { ...other, steps };
  return other.isTime && !other.hit ? { ...other, steps } : { ...own, steps };
}

/** A word has to be of English alone. */
function isEnglishPhrase(languages: Languages, phrase: string, { locale }: When): boolean {
  if (!/[a-z]/.test(phrase)) return false;
  return languages.lexicon(locale.language) !== undefined || languages.others?.areOwnNames(phrase, locale.tag) !== true;
}

const CUE =
  /(?<![a-z])(?:last|next|this|past|previous|until|since|before|after|between|through|end of|start of|early|late|every|ago|not)(?![a-z])/;

const lengthOf = ({ hit }: Recognised): number => (hit ? hit.end - hit.start : 0);

function recogniseOwn(languages: Languages, folded: Folded, when: When, prefer: Prefer | undefined): Recognised {
  const lexicon = languages.lexicon(when.locale.language);
  if (lexicon) return readPhrases(folded, lexicon, when, prefer);
  const { hit, steps } = languages.others?.find(folded, when, prefer ?? 'future') ?? { hit: undefined, steps: 0 };
  const [first, ...others] = (hit?.spans ?? []).map(asPeriod);
  if (hit && first) return { hit: { ...first, others, start: hit.start, end: hit.end }, isTime: true, steps };
  if (hit) return { hit: undefined, isTime: true, steps, refusal: besideOther(folded, hit) };
  // Dates in figures need no language.
  const figures = readPhrases(folded, languages.plain(), when, prefer, languages.others?.words(when.locale.language));
  return { ...figures, steps: steps + figures.steps };
}

/** In a language without a grammar all that stands beside the phrase is to blame: what is behind it, else what is before. */
function besideOther({ text }: Folded, { start, end }: { readonly start: number; readonly end: number }): Refusal {
  const behind = text.slice(end).search(/[\p{L}\p{N}]/u);
  const obstacle = behind < 0 ? ([0, text.slice(0, start).trimEnd().length] as const) : ([end + behind, text.length] as const);
  return { reason: 'beside', known: [[start, end]], obstacle };
}

function readPhrases(folded: Folded, lexicon: Lexicon, when: When, prefer: Prefer | undefined, words = lexicon.words): Recognised {
  const items = lex(folded, lexicon);
  const written = folded.from ? folded.text : folded.source;
  const reader: Reader = {
    items,
    text: folded.text,
    written,
    when,
    words,
    joined: lexicon.joined,
    plain: lexicon.tense === undefined,
    end: 0,
    blame: undefined,
    steps: items.length,
  };
  const place = findPhrase(reader, 'future');
  const found = place && turn(reader, place, lexicon, folded, prefer);
  const [first, last] = found ? [items[found.start], items[found.end - 1]] : [];
  if (!found || !first || !last)
    return { hit: undefined, isTime: place !== undefined, refusal: place && refusalOf(reader, place.at), steps: reader.steps };
  const derived = found.fields ? otherReadings(when, found.fields) : [];
  const others = [...(found.more ?? []).map(asPeriod), ...found.others, ...derived.map(asPeriod)];
  const hit = { span: found.span, kind: found.kind, others, start: first.start, end: last.end };
  return { hit, isTime: true, steps: reader.steps };
}

function refusalOf(reader: Reader, at: number): Refusal {
  const { items, blame } = reader;
  const known: [number, number][] = [];
  let [from, to] = [at, at];
  while (from > 0 && items[from - 1] && !isUnknown(reader, from - 1)) from--;
  while (to < items.length && !isUnknown(reader, to)) to++;
  for (const item of items.slice(from, to)) known.push([item.start, item.end]);
  const blamed = blame ? items.slice(Math.max(0, blame.start), blame.end).filter(({ end }) => end > 0) : [];
  const [first, last] = [blamed[0], blamed.at(-1)];
  const [start, end] = [known[0]?.[0] ?? 0, known.at(-1)?.[1] ?? 0];
  return { reason: blame?.reason ?? 'impossible', known, obstacle: first && last ? [first.start, last.end] : [start, end] };
}

export const asPeriod = (span: Span): Reading => ({ span, kind: 'period' });
