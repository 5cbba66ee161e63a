import { quote } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { intlTag, isWellFormedTag } from '../../wire/language/tag.js';
import { same } from './catalog.js';
import type { CatalogOptions } from './catalogs.js';

/** Decides which language is tried next if an entry is missing: `zh-Hant-HK`, then `zh-Hant`, then the default. */
export type ChainOptions = Pick<CatalogOptions, 'default' | 'fallback'>;

/** The default language is the reference: entries that others lack are measured against it. */
export function requireDefault(options: unknown, maker: string): asserts options is ChainOptions {
  if (!isObject(options) || typeof options['default'] !== 'string')
    throw new TypeError(`${maker}: expected the default language, { default: "en" }, as the second argument`);
}

/**
 * For each language, the languages to look in: itself first, the default last. Throws if a fallback has no catalogue or runs in a circle.
 */
export function chainsOf(languages: readonly string[], options: ChainOptions): ReadonlyMap<string, readonly string[]> {
  const find = (tag: string): string | undefined => languages.find((language) => same(language, tag));
  const next = new Map<string, string>();
  for (const [from, to] of Object.entries(options.fallback ?? {})) {
    const [known, target] = [find(from), find(typeof to === 'string' ? to : '')];
    if (!isWellFormedTag(from) || known === undefined) throw new RangeError(`fallback.${from}: expected a language with a catalogue`);
    if (target === undefined) throw new RangeError(`fallback.${from}: expected a language with a catalogue, got ${quote(to)}`);
    next.set(known, target);
  }
  return new Map(languages.map((language) => [language, chainOf(language, next, find, options.default)]));
}

function chainOf(
  language: string,
  next: ReadonlyMap<string, string>,
  find: (tag: string) => string | undefined,
  last: string,
): readonly string[] {
  const chain: string[] = [];
  for (let at: string | undefined = language; at !== undefined; at = next.get(at) ?? parentIn(at, find)) {
    if (chain.includes(at)) throw new RangeError(`fallback.${language}: expected no circle, got ${[...chain, at].join(' → ')}`);
    chain.push(at);
  }
  const fallback = find(last);
  return fallback === undefined || chain.includes(fallback) ? chain : [...chain, fallback];
}

/**
 * The longest shorter tag with a catalogue, in the same script: Traditional Chinese does not fall back to Simplified. If the region implies
 * the script, the tag that names the script comes next: `zh-TW`, then `zh-Hant`.
 */
function parentIn(tag: string, find: (tag: string) => string | undefined): string | undefined {
  const subtags = tag.split('-');
  if (subtags.length === 1) return undefined;
  const { language, script } = likely(tag);
  while (subtags.length > 1) {
    subtags.pop();
    // A single letter introduces an extension and means nothing without it.
    if (subtags.at(-1)?.length === 1) continue;
    const parent = find(subtags.join('-'));
    if (parent === undefined) continue;
    if (likely(parent).script === script) return parent;
    break;
  }
  const spelled = find(`${language}-${script}`);
  return spelled === undefined || same(spelled, tag) ? undefined : spelled;
}

function likely(tag: string): Intl.Locale {
  return new Intl.Locale(intlTag(tag) ?? 'und').maximize();
}
