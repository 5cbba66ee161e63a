import { match } from '@formatjs/intl-localematcher';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedLanguages, bestMatch } from './list.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

describe('acceptedLanguages', () => {
  it.each<[string, string | undefined, string, string]>([
    ['by weight', 'en;q=0.5, fr', 'en fr de', 'fr en'],
    ['by position among equals', 'de, fr', 'fr de', 'de fr'],
    ['the exact tag before the tags it covers', 'en', 'en-US en en-GB', 'en en-US en-GB'],
    ['what a range is shortened to', 'fr-CH', 'en fr', 'fr'],
    ['by the weight of its own range', 'en-US, es;q=0.9, en;q=0.8', 'en es en-US', 'en-US es en'],
    ['by the most specific range', 'en, en-GB;q=0.2, fr;q=0.5', 'en-GB fr en-US', 'en-US fr en-GB'],
    ['a star last among equals', '*, en', 'es en fr', 'en es fr'],
    ['a star by its weight', 'en;q=0.5, *', 'en es fr', 'es fr en'],
    ['nothing that is excluded', '*, en;q=0', 'en en-US es', 'es'],
    ['languages that an exclusion does not cover', 'fr-CH;q=0, fr', 'fr-CH fr', 'fr'],
    ['everything without a header', undefined, 'en fr', 'en fr'],
    ['everything for a malformed header', 'en;q=9', 'en fr', 'en fr'],
    ['nothing where nothing fits', 'de', 'en fr', ''],
  ])('LANG-08, LANG-15: lists %s', (_, header, languages, expected) => {
    expect(acceptedLanguages(header, languages.split(' ')).join(' ')).toBe(expected);
  });

  it('acceptedLanguages is total and lists each language at most once', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('en', '-GB', '*', ',', ';q=0', '.5', 'fr', ' ') }), (header) => {
        const tags = ['en', 'en-GB', 'fr', 'de'];
        const found = acceptedLanguages(header, tags);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((tag) => tags.includes(tag))).toBe(true);
      }),
    );
  });
});

describe('bestMatch', () => {
  it.each<[string, string[], string[], string]>([
    ['a near region', ['en-AU'], ['en', 'en-GB'], 'en-GB'],
    ['a near language', ['gsw'], ['en', 'de'], 'de'],
    ['a grandfathered tag', ['en-GB-oed'], ['fr', 'en-Latn-US'], 'en-Latn-US'],
    ['a private tag by name', ['x-bork'], ['fr', 'x-bork'], 'x-bork'],
    ['the fallback for a private tag that no server has', ['x-piglatin'], ['fr', 'x-bork'], 'fr'],
    ['a supported tag that Intl refuses', ['tlh'], ['fr', 'i-klingon'], 'i-klingon'],
    ['the first of two spellings', ['he'], ['iw', 'he'], 'iw'],
    ['the fallback if nothing is near', ['ja'], ['fr', 'de'], 'fr'],
  ])('finds %s', (_, desired, supported, expected) => {
    expect(bestMatch(desired, supported)).toBe(expected);
  });

  it('bestMatch is total: malformed tags match nothing', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.array(anyText), (desired, supported) => {
        expect([...supported, 'nothing']).toContain(bestMatch(desired, supported, 'nothing'));
      }),
    );
  });

  it('agrees with the library on every pair of plain tags', () => {
    const plain = fc.constantFrom(
      ...'en en-GB en-AU en-US fr fr-CA de de-CH gsw es es-419 es-MX pt pt-PT pt-AO zh zh-TW zh-Hant zh-HK sr sr-Latn nb nn no da ru uk be'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 1, maxLength: 3 }),
        fc.uniqueArray(plain, { minLength: 1, maxLength: 5 }),
        (desired, supported) => {
          const theirs = match(desired, supported, supported[0] as string);
          // Ours ignores wishes without any match; the library counts them and so drops far matches of later ones.
          fc.pre(desired.every((tag) => match([tag], supported, 'und-x-none') !== 'und-x-none'));
          expect(bestMatch(desired, supported)).toBe(theirs);
        },
      ),
    );
  });
});
