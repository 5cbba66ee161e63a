/**
 * From a phrase to an interval: "last month" to exact instants, in the user's zone and language (SEP-1809, CTX-07). An unsupported
 * phrase is `undefined`, never a guess; a phrase with two readings lists the other.
 */
import { areOwnNames } from './beside.js';
import { phraseOfLength, spreadIdentifiers } from './agents.js';
import type { Languages } from './languages/languages.js';
import { fold, sourceOf, type Folded } from './parse/fold.js';
import { lex, type Item } from './parse/lex.js';
import type { Lexicon } from './parse/lexicon.js';
import { findPhrase } from './parse/find.js';
import { isUnknown, type Reader, type Reason } from './parse/reader.js';
import { chooseHoliday, findHoliday, holidaySpans } from './holidays.js';
import { maskAddresses } from './mask.js';
import { findRelative } from './relative.js';
import { otherReadings } from './resolve.js';
import { intervalOf, type Interval, type Reading, type Span } from './span.js';
import { tenseOf, type Prefer } from './tense.js';
import { turn } from './turn.js';
import { inEnglish, moveTo, readWhen, type When, type WhenOptions } from './when.js';
import { isWhole } from './whole.js';
import { readZone, type Zoned } from './zoneMark.js';

export interface RangeOptions extends WhenOptions {
  /** The language of the phrase, the order of dates, week and weekend, and the calendar. */
  readonly locale: string;
  /**
   * Which March is "March", which Monday "Monday"? The tense of the sentence decides first, then this. Without either a weekday is the
   * next one, and a month or date without a year the nearest.
   */
  readonly prefer?: 'future' | 'past';
  /** Answers only if the phrase is the whole text: nothing beside it but punctuation and words such as "the" and "in". */
  readonly whole?: boolean;
}

export type Range = Interval & {
  /** The phrase as it stands in the text, and where. */
  readonly text: string;
  readonly index: number;
  /** What else the phrase can mean, the likeliest first. */
  readonly alternatives?: readonly Interval[];
};

/** Where a phrase begins that was refused, the words of it that are known, and what is to blame; places in the folded text. */
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

const PREFERENCES: ReadonlySet<unknown> = new Set(['future', 'past', undefined]);

export type RangeFunction = (text: string, options: RangeOptions) => Range | undefined;

export function readOptions(text: string, options: RangeOptions): { when: When; prefer: Prefer | undefined } {
  if (typeof text !== 'string') throw new TypeError('text: not a string');
  const when = readWhen(options);
  const { prefer } = options;
  if (!PREFERENCES.has(prefer)) throw new RangeError(`prefer: ${String(prefer)} is neither "future" nor "past"`);
  return { when, prefer };
}

export const rangeIn =
  (languages: Languages): RangeFunction =>
  (text, options) => {
    const { when, prefer } = readOptions(text, options);
    const found = text.length > LONG ? readLong(languages, text, when, prefer) : readZoned(languages, text, when, prefer);
    if (found && options.whole === true && !isWhole(languages, when.locale.language, text, found)) return undefined;
    return found;
  };

/** Longer texts are prose: a zone is looked for beside the phrase alone. */
const LONG = 4096;
const AROUND = 64;

function readLong(languages: Languages, text: string, when: When, prefer: Prefer | undefined): Range | undefined {
  const found = read(languages, text, when, prefer);
  if (!found) return undefined;
  const from = Math.max(0, found.index - AROUND);
  const part = text.slice(from, found.index + found.text.length + AROUND);
  if (!readZone(part)) return found;
  const zoned = readZoned(languages, part, when, prefer);
  return zoned && { ...zoned, index: zoned.index + from };
}

/** "3pm UTC": the phrase is read on that zone's clock, and answered in the caller's. */
function readZoned(languages: Languages, text: string, when: When, prefer: Prefer | undefined): Range | undefined {
  const zoned = readZone(text);
  if (!zoned) return read(languages, text, when, prefer);
  const range = zoned.zone && read(languages, zoned.text, moveTo(when, zoned.zone), prefer);
  return range && inOwnZone(when, range, text, zoned);
}

function read(languages: Languages, text: string, when: When, prefer: Prefer | undefined): Range | undefined {
  const length = phraseOfLength(text, prefer === 'future', when.locale.language);
  if (length !== undefined) return wholeText(readIn(languages, length, inEnglish(when), undefined), text);
  return readIn(languages, spreadIdentifiers(maskAddresses(text)), when, prefer, text);
}

function readIn(languages: Languages, text: string, when: When, prefer: Prefer | undefined, source = text): Range | undefined {
  const folded = fold(text);
  const { hit } = readHoliday(languages, folded, when, prefer) ?? recognise(languages, folded, when, prefer);
  return hit && rangeOf(when, { ...folded, source }, hit);
}

/** "Before Christmas", "the week after Easter": another time than the holiday itself. */
function isRelated(items: readonly Item[], start: number, end: number): boolean {
  const before = items.filter((item) => item.end > 0 && item.end <= start && start - item.end <= NEAR).slice(-2);
  const behind = items.filter((item) => item.start >= end && item.start - end <= NEAR).slice(0, 2);
  return [...before, ...behind].some(({ word, num }) => {
    const { bound, boundPost, off, age, lead, rel, edge, third, thirdPost, vague, spoils, unit, each, ago, at } = word;
    const isRelation =
      bound ?? boundPost ?? off ?? age ?? rel ?? edge ?? third ?? thirdPost ?? vague ?? spoils ?? unit ?? each ?? ago ?? at;
    return num !== undefined || isRelation !== undefined || (lead !== undefined && !word.prep);
  });
}

/** Characters between a holiday and a word that may change it. */
const NEAR = 16;

/** A holiday that the caller knows by name; whatever else the text says about time refuses it. */
function readHoliday(languages: Languages, folded: Folded, when: When, prefer: Prefer | undefined): Recognised | undefined {
  const named = findHoliday(folded, when);
  if (!named) return undefined;
  const { start, end } = named;
  const rest = `${folded.text.slice(0, start)}${'x'.repeat(end - start)}${folded.text.slice(end)}`;
  if (recognise(languages, { ...folded, text: rest, source: rest }, when, prefer).isTime) return { hit: undefined, isTime: true, steps: 0 };
  const lexicon = languages.lexicon(when.locale.language) ?? languages.plain();
  if (isRelated(lex({ ...folded, text: rest }, lexicon), start, end)) return { hit: undefined, isTime: true, steps: 0 };
  const { index, text } = sourceOf(folded, start, end);
  const tense = tenseOf(lexicon.tense, folded.source, index, index + text.length) ?? prefer;
  const [first, ...others] = chooseHoliday(when, holidaySpans(when, named), tense).map(asPeriod);
  return { hit: first && { ...first, others, start, end }, isTime: true, steps: 0 };
}

const wholeText = (range: Range | undefined, text: string): Range | undefined =>
  range && { ...range, text: text.trim(), index: text.length - text.trimStart().length };

function inOwnZone({ zone }: When, range: Range, source: string, { marks }: Zoned): Range {
  const { index, alternatives } = range;
  let end = index + range.text.length;
  for (const mark of marks)
    if (/^\s?[([]?$/.test(source.slice(end, mark.start))) end = source.charAt(mark.end) === ')' ? mark.end + 1 : mark.end;
  const moved = <T extends Interval>(interval: T): T => ({
    ...interval,
    start: interval.start?.withTimeZone(zone.id),
    end: interval.end?.withTimeZone(zone.id),
  });
  const text = source.slice(index, end);
  return alternatives ? { ...moved(range), text, alternatives: alternatives.map(moved) } : { ...moved(range), text };
}

interface Recognised {
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
  const read = readPhrases(folded, english, inEnglish(when), prefer);
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
  return languages.lexicon(locale.language) !== undefined || !areOwnNames(phrase, locale.tag);
}

const CUE =
  /(?<![a-z])(?:last|next|this|past|previous|until|since|before|after|between|through|end of|start of|early|late|every|ago|not)(?![a-z])/;
const lengthOf = ({ hit }: Recognised): number => (hit ? hit.end - hit.start : 0);

function recogniseOwn(languages: Languages, folded: Folded, when: When, prefer: Prefer | undefined): Recognised {
  const lexicon = languages.lexicon(when.locale.language);
  if (lexicon) return readPhrases(folded, lexicon, when, prefer);
  const { hit, steps, isTime } = findRelative(folded, when, prefer ?? 'future');
  const [first, ...others] = (hit?.spans ?? []).map(asPeriod);
  if (hit && first) return { hit: { ...first, others, start: hit.start, end: hit.end }, isTime, steps };
  if (isTime) return { hit: undefined, isTime, steps };
  // Dates in figures need no language.
  const figures = readPhrases(folded, languages.plain(), when, prefer);
  return { ...figures, steps: steps + figures.steps };
}

function readPhrases(folded: Folded, lexicon: Lexicon, when: When, prefer: Prefer | undefined): Recognised {
  const items = lex(folded, lexicon);
  const written = folded.from ? folded.text : folded.source;
  const reader: Reader = {
    items,
    text: folded.text,
    written,
    when,
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

function rangeOf(when: When, folded: Folded, hit: Hit): Range | undefined {
  const { index, text } = sourceOf(folded, hit.start, hit.end);
  const interval = intervalOf(when, hit);
  if (!interval) return undefined;
  const alternatives: Interval[] = [];
  for (const other of hit.others) {
    const reading = intervalOf(when, other);
    if (reading && ![interval, ...alternatives].some((known) => isSame(known, reading))) alternatives.push(reading);
  }
  return alternatives.length === 0 ? { ...interval, text, index } : { ...interval, text, index, alternatives };
}

const asPeriod = (span: Span): Reading => ({ span, kind: 'period' });

const isSame = (a: Interval, b: Interval): boolean =>
  a.start?.epochMilliseconds === b.start?.epochMilliseconds && a.end?.epochMilliseconds === b.end?.epochMilliseconds;
