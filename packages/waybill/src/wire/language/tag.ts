/** Language tags of BCP 47 (RFC 5646 section 2.1). `Intl` cannot check them alone: it refuses grandfathered, extlang and private tags. */
import { trimBlanks } from '../blanks.js';
import { quote } from '../check.js';
import { nearest } from '../nearest.js';

/** The longest language text that is read. Servers commonly refuse larger header sections anyway. */
export const MAX_VALUE_LENGTH = 8192;
/** The number of members that a language list may have. Browsers send fewer than twenty. */
export const MAX_TAGS = 100;

/** Grandfathered tags that do not fit the grammar or are misleading, and the replacement of each, if any. */
const GRANDFATHERED: ReadonlyMap<string, string | undefined> = new Map([
  ['en-gb-oed', 'en-GB'],
  ['i-ami', 'ami'],
  ['i-bnn', 'bnn'],
  ['i-default', undefined],
  ['i-enochian', undefined],
  ['i-hak', 'hak'],
  ['i-klingon', 'tlh'],
  ['i-lux', 'lb'],
  ['i-mingo', undefined],
  ['i-navajo', 'nv'],
  ['i-pwn', 'pwn'],
  ['i-tao', 'tao'],
  ['i-tay', 'tay'],
  ['i-tsu', 'tsu'],
  ['no-bok', 'nb'],
  ['no-nyn', 'nn'],
  ['sgn-be-fr', 'sfb'],
  ['sgn-be-nl', 'vgt'],
  ['sgn-ch-de', 'sgg'],
  ['zh-min', undefined],
  ['zh-min-nan', 'nan'],
]);

const LANGUAGE = /^[a-z]{2,8}$/;
const EXTLANG = /^[a-z]{3}$/;
const SCRIPT = /^[a-z]{4}$/;
const REGION = /^(?:[a-z]{2}|[0-9]{3})$/;
const VARIANT = /^(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})$/;

/** True if the tag is well-formed and repeats no variant or extension. It does not check whether the subtags are registered. */
export function isWellFormedTag(tag: string): boolean {
  if (tag.length > MAX_VALUE_LENGTH || !/^[A-Za-z][A-Za-z0-9-]*$/.test(tag)) return false;
  const lower = tag.toLowerCase();
  if (GRANDFATHERED.has(lower)) return true;
  const subtags = lower.split('-');
  if (subtags.some((subtag) => subtag.length === 0 || subtag.length > 8)) return false;
  const end = subtags[0] === 'x' ? 0 : endOfExtensions(subtags, endOfVariants(subtags, endOfRegion(subtags)));
  return end >= 0 && (end === subtags.length || (subtags[end] === 'x' && end + 1 < subtags.length));
}

/** The index after language, extended language, script and region; -1 if the tag has no language. */
function endOfRegion(subtags: readonly string[]): number {
  const language = subtags[0] ?? '';
  if (!LANGUAGE.test(language)) return -1;
  let at = 1;
  if (language.length <= 3) while (at <= 3 && EXTLANG.test(subtags[at] ?? '')) at++;
  if (SCRIPT.test(subtags[at] ?? '')) at++;
  if (REGION.test(subtags[at] ?? '')) at++;
  return at;
}

function endOfVariants(subtags: readonly string[], start: number): number {
  if (start < 0) return -1;
  let at = start;
  while (VARIANT.test(subtags[at] ?? '')) at++;
  return new Set(subtags.slice(start, at)).size === at - start ? at : -1;
}

function endOfExtensions(subtags: readonly string[], start: number): number {
  if (start < 0) return -1;
  const seen = new Set<string>();
  let at = start;
  for (let singleton = subtags[at]; singleton?.length === 1 && singleton !== 'x'; singleton = subtags[at]) {
    if (seen.has(singleton)) return -1;
    seen.add(singleton);
    const first = ++at;
    while ((subtags[at]?.length ?? 0) > 1) at++;
    if (at === first) return -1;
  }
  return at;
}

/**
 * Makes a tag that `Intl` accepts: canonical, or reduced to language, script and region if `Intl` would refuse it. Returns undefined if nothing
 * is left, as with `x-pirate`. A range such as `es-a` is not a tag, but still means Spanish.
 */
export function intlTag(tag: string): string | undefined {
  if (tag.length > MAX_VALUE_LENGTH) return undefined;
  const lower = tag.toLowerCase();
  if (GRANDFATHERED.has(lower)) return GRANDFATHERED.get(lower);
  return (tag.length > LONGEST_FOR_INTL ? undefined : canonical(tag)) ?? canonical(reduce(lower));
}

/** Callers remember these tags, so a peer must not make endless ones with variants and extensions. */
const LONGEST_FOR_INTL = 64;

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Keeps language, script and region. An extended language replaces its prefix: `zh-yue-HK` is `yue-HK`. */
function reduce(lower: string): string {
  const subtags = lower.split('-');
  const [language, ...rest] = subtags.slice(0, Math.max(endOfRegion(subtags), 0));
  const extended = rest.find((subtag) => EXTLANG.test(subtag));
  return [extended ?? language, ...rest.filter((subtag) => !EXTLANG.test(subtag))].join('-');
}

// LANG-21
/** Parses `Content-Language` (RFC 9110 section 8.5): one or more tags; empty members are skipped. Undefined if it is malformed. */
export function parseContentLanguage(text: string): string[] | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined;
  const tags: string[] = [];
  for (const member of text.split(',')) {
    const tag = trimBlanks(member);
    if (tag === '') continue;
    if (tags.length >= MAX_TAGS || !isWellFormedTag(tag)) return undefined;
    tags.push(tag);
  }
  return tags.length > 0 ? tags : undefined;
}

/**
 * Checks a tag that a program wrote in its options. `german` is well-formed, but no registered language has more than three letters: the
 * program means `de`, and would otherwise never get it. Tags of peers are not checked like this.
 */
export function checkTag(tag: unknown, path: string): void {
  const language = typeof tag === 'string' ? (/^[a-z]{4,}/i.exec(tag)?.[0] ?? '') : '';
  if (language === '' && (tag === '*' || (typeof tag === 'string' && isWellFormedTag(tag)))) return;
  const meant = language === '' ? undefined : tagNamed(language);
  throw new RangeError(
    `${path}: expected a BCP 47 language tag, got ${quote(tag)}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  );
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Finds the two-letter tag of a language by its name, in English or in the language itself. Called only for an error. */
function tagNamed(name: string): string | undefined {
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const tags = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const table = new Map<string, string>();
  for (const tag of tags) {
    const called = english.of(tag);
    if (called === undefined) continue;
    const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag);
    for (const each of [called, own ?? called]) table.set(each.toLowerCase(), tag);
  }
  const near = nearest(name, table.keys());
  return near && table.get(near);
}
