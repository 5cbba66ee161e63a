/**
 * From a phrase to an interval: "last month" to exact instants, in the user's zone and language (SEP-1809, CTX-07). An unsupported
 * phrase is `undefined`, never a guess; a phrase with two readings lists the other.
 */
import type { Languages } from './languages/languages.js';
import { fold, sourceOf, type Folded } from './parse/fold.js';
import { lex } from './parse/lex.js';
import type { Lexicon } from './parse/lexicon.js';
import { findPhrase } from './parse/find.js';
import type { Reader } from './parse/reader.js';
import { findRelative } from './relative.js';
import { otherReadings } from './resolve.js';
import { isEmpty, periodOf, zonedEndOf, zonedStartOf, type Interval, type Kind, type Span } from './span.js';
import { readWhen, type When, type WhenOptions } from './when.js';
import { isWhole } from './whole.js';

export interface RangeOptions extends WhenOptions {
  /** The language of the phrase, the order of dates, week and weekend, and the calendar. */
  readonly locale: string;
  /** Which Monday is "Monday"? The next, or for "sales on Monday" the last. */
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

export interface Hit {
  readonly span: Span;
  readonly kind: Kind;
  readonly others: readonly Span[];
  /** Place in the folded text. */
  readonly start: number;
  readonly end: number;
}

const PREFERENCES: ReadonlySet<string> = new Set(['future', 'past']);

export type RangeFunction = (text: string, options: RangeOptions) => Range | undefined;

export const rangeIn =
  (languages: Languages): RangeFunction =>
  (text, options) => {
    if (typeof text !== 'string') throw new TypeError('text: not a string');
    const when = readWhen(options);
    const prefer = options.prefer ?? 'future';
    if (!PREFERENCES.has(prefer)) throw new RangeError(`prefer: ${prefer} is neither "future" nor "past"`);
    const folded = fold(text);
    const hit = recognise(languages, folded, when, prefer).hit;
    if (!hit || (options.whole === true && !isWhole(languages, when.locale.language, folded, hit))) return undefined;
    return rangeOf(when, folded, hit);
  };

/** The search itself, with the number of rules it tried: what the property test bounds. */
export function recognise(
  languages: Languages,
  folded: Folded,
  when: When,
  prefer: 'future' | 'past',
): { hit: Hit | undefined; steps: number } {
  const lexicon = languages.lexicon(when.locale.language);
  if (lexicon) return readPhrases(folded, lexicon, when, prefer);
  const { hit, steps } = findRelative(folded, when, prefer);
  const [span, ...others] = hit?.spans ?? [];
  if (hit && span) return { hit: { span, kind: 'period', others, start: hit.start, end: hit.end }, steps };
  // Dates in figures need no language.
  const figures = readPhrases(folded, languages.plain(), when, prefer);
  return { hit: figures.hit, steps: steps + figures.steps };
}

function readPhrases(folded: Folded, lexicon: Lexicon, when: When, prefer: 'future' | 'past'): { hit: Hit | undefined; steps: number } {
  const items = lex(folded, lexicon);
  const reader: Reader = { items, text: folded.text, when, end: 0, steps: items.length };
  const found = findPhrase(reader, prefer);
  const [first, last] = found ? [items[found.start], items[found.end - 1]] : [];
  if (!found || !first || !last) return { hit: undefined, steps: reader.steps };
  const others = found.fields ? otherReadings(when, found.fields) : [];
  return { hit: { span: found.span, kind: found.kind, others, start: first.start, end: last.end }, steps: reader.steps };
}

function rangeOf(when: When, folded: Folded, { span, kind, others, start, end }: Hit): Range | undefined {
  const { index, text } = sourceOf(folded, start, end);
  const { grain } = span;
  if (kind === 'until') return { start: undefined, end: zonedEndOf(when, span), grain, kind, text, index };
  if (isEmpty(when, span, kind)) return undefined;
  const range = { start: zonedStartOf(when, span), end: zonedEndOf(when, span), grain, kind, text, index };
  const alternatives: Interval[] = [];
  for (const other of others) {
    const period = periodOf(when, other);
    if (period && ![range, ...alternatives].some((known) => isSame(known, period))) alternatives.push(period);
  }
  return alternatives.length === 0 ? range : { ...range, alternatives };
}

const isSame = (a: Interval, b: Interval): boolean =>
  a.start?.epochMilliseconds === b.start?.epochMilliseconds && a.end.epochMilliseconds === b.end.epochMilliseconds;
