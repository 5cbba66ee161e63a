/** `Accept-Language` (RFC 9110 section 12.5.4): language ranges with weights (LANG-02). */
import { quote } from '../check.js';
import { isWellFormedTag, MAX_VALUE_LENGTH, MAX_TAGS } from './tag.js';
import { trimBlanks } from '../blanks.js';
import { keep } from '../memo.js';

/** One range of an `Accept-Language` value, with its weight. */
export interface LanguageRange {
  /** An RFC 4647 basic range in its original spelling: `fr-CH` or `*`. */
  readonly range: string;
  /** 0 (excluded) to 1. */
  readonly q: number;
}

export interface LanguagePreference {
  // LANG-42
  /** The value exactly as it was sent: it must equal the header character by character. */
  readonly text: string;
  /** The ranges by weight, then by position. Never empty. */
  readonly ranges: readonly LanguageRange[];
}

/** One member and its end. Every repetition is followed by a character it cannot contain, so matching takes linear time. */
const MEMBER = /(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)[ \t]*(?:;[ \t]*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?(?:,|$)/y;
const SEPARATORS = /[ \t,]*/y;

// LANG-11, LANG-16
/**
 * Parses the value strictly. Returns undefined if it is malformed, which counts as absent; a list with too many members is malformed,
 * too. Empty members are skipped, so `''` and `','` give an empty list: no preference.
 */
export function parseAcceptLanguage(text: string): LanguageRange[] | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined;
  const ranges: LanguageRange[] = [];
  let last = 1;
  let inOrder = true;
  for (let at = skip(text, 0); at < text.length; at = skip(text, MEMBER.lastIndex)) {
    MEMBER.lastIndex = at;
    const member = MEMBER.exec(text);
    if (member === null || ranges.length >= MAX_TAGS) return undefined;
    const q = member[2] === undefined ? 1 : Number(member[2]);
    if (q > last) inOrder = false;
    last = q;
    ranges.push({ range: member[1] as string, q });
  }
  // The sort is stable: position decides among equals (LANG-15).
  return inOrder ? ranges : ranges.sort((a, b) => b.q - a.q);
}

function skip(text: string, at: number): number {
  SEPARATORS.lastIndex = at;
  SEPARATORS.test(text);
  return SEPARATORS.lastIndex;
}

const preferences = new Map<string, LanguagePreference | 'none' | 'malformed'>();

// LANG-16
/** Parses a value once for each spelling. `none` means that it expresses no preference. */
export function preferenceOf(text: string): LanguagePreference | 'none' | 'malformed' {
  if (text.length > MAX_VALUE_LENGTH) return 'malformed';
  const known = preferences.get(text);
  if (known !== undefined) return known;
  const ranges = parseAcceptLanguage(text);
  if (ranges === undefined) return keep(preferences, text, 'malformed');
  if (ranges.length === 0) return keep(preferences, text, 'none');
  return keep(preferences, text, Object.freeze({ text, ranges: Object.freeze(ranges.map((range) => Object.freeze(range))) }));
}

// LANG-12
/**
 * Writes a list of tags, best first, as a value: `fr-CH,fr;q=0.9,en;q=0.8`. Each weight is lower than the one before, for a list of any
 * length. Only the given tags are written, each once: the caller decides what the preference reveals.
 */
export function formatAcceptLanguage(tags: readonly string[]): string {
  const kept = new Map<string, string>();
  tags.forEach((tag, at) => {
    if (tag !== '*' && !isWellFormedTag(tag)) throw new RangeError(`languages[${at}]: expected a BCP 47 language tag, got ${quote(tag)}`);
    if (!kept.has(tag.toLowerCase())) kept.set(tag.toLowerCase(), tag);
  });
  if (kept.size > MAX_TAGS) throw new RangeError(`languages: expected at most ${MAX_TAGS} tags`);
  const step = Math.min(100, Math.floor(1000 / kept.size));
  const text = [...kept.values()].map((tag, at) => (at === 0 ? tag : `${tag};q=${(1000 - at * step) / 1000}`)).join(',');
  if (text.length > MAX_VALUE_LENGTH) throw new RangeError(`languages: expected at most ${MAX_VALUE_LENGTH} characters`);
  return text;
}

// LANG-16
/**
 * Removes empty members and outer blanks from a caller's text: they may be read but must not be sent. A header loses outer blanks on
 * its way, and would then disagree with the body. Everything else stays.
 */
export function tidy(text: string): string {
  const members = text.split(',').map(trimBlanks);
  return members.includes('') || trimBlanks(text) !== text ? members.filter((member) => member !== '').join(',') : text;
}

/** A caller's preference as text, from a list of tags, best first, or an `Accept-Language` text. Throws if it is neither. */
export function languagePreference(input: string | readonly string[]): LanguagePreference | undefined {
  const text = typeof input === 'string' ? tidy(input) : formatAcceptLanguage(input);
  const preference = preferenceOf(text);
  if (preference === 'malformed') throw new RangeError(`language: expected an Accept-Language value, got ${quote(text)}`);
  return preference === 'none' ? undefined : preference;
}
