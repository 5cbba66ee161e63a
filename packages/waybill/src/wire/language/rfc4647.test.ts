import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basicFilter, extendedFilter, lookup } from './rfc4647.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const german = ['de', 'de-DE', 'de-Latn-DE', 'de-Deva', 'de-DE-1996', 'de-x-DE', 'en'];

describe('basicFilter', () => {
  it.each<[string, string[], string[]]>([
    ['a language covers its regions and scripts', ['de'], german.slice(0, -1)],
    ['a region covers what continues it, without regard to case', ['DE-de'], ['de-DE', 'de-DE-1996']],
    ['a subtag is not a prefix of another', ['de-D'], []],
    ['a star covers everything', ['*'], german],
    [
      'the order of the ranges comes first, and each tag once',
      ['en', 'de-de', '*'],
      ['en', 'de-DE', 'de-DE-1996', 'de', 'de-Latn-DE', 'de-Deva', 'de-x-DE'],
    ],
  ])('LANG-08: %s', (_, ranges, expected) => {
    expect(basicFilter(german, ranges)).toEqual(expected);
  });
});

describe('extendedFilter', () => {
  it.each<[string, string, string[]]>([
    ['subtags may stand in between', 'de-DE', ['de-DE', 'de-Latn-DE', 'de-DE-1996']],
    ['a star inside stands for any number', 'de-*-DE', ['de-DE', 'de-Latn-DE', 'de-DE-1996']],
    ['a leading star stands for any language', '*-1996', ['de-DE-1996']],
    ['nothing is found past a singleton', 'de-x-DE', ['de-x-DE']],
    ['a range longer than the tag covers nothing', 'en-GB', []],
  ])('LANG-08: %s', (_, range, expected) => {
    expect(extendedFilter(german, [range])).toEqual(expected);
  });
});

describe('lookup', () => {
  it.each<[string, string[], string[], string | undefined]>([
    ['shortens the range until a tag is found', ['en', 'zh', 'zh-Hant'], ['zh-Hant-TW'], 'zh-Hant'],
    ['takes the longest, not the first', ['zh', 'zh-Hant'], ['zh-Hant-TW'], 'zh-Hant'],
    ['removes a singleton with what it introduced', ['zh-Hant-CN-x', 'zh-Hant-CN'], ['zh-Hant-CN-x-a'], 'zh-Hant-CN'],
    ['never gives a tag longer than the range', ['de-CH-1996'], ['de-CH'], undefined],
    ['goes by the order of the ranges', ['en', 'fr'], ['fr-CH', 'en'], 'fr'],
    ['gives the tag as it is spelled', ['FR-ch'], ['fr-CH'], 'FR-ch'],
    ['makes nothing of a lone star', ['de'], ['*'], undefined],
    ['drops a star inside', ['de-DE'], ['de-*-DE'], 'de-DE'],
    ['takes the first tag for a leading star', ['en', 'de-CH', 'fr-CH'], ['*-CH'], 'de-CH'],
    ['gives nothing where nothing matches', ['en'], ['fr', 'de-AT'], undefined],
    ['gives nothing if nothing fits', [], ['fr'], undefined],
  ])('LANG-08: %s', (_, tags, ranges, expected) => {
    expect(lookup(tags, ranges)).toBe(expected);
  });

  it('lookup is total and gives a tag or nothing', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '-', '*') })), (tags, ranges) => {
        const found = lookup(tags, ranges);
        expect(found === undefined || tags.includes(found)).toBe(true);
        expect(basicFilter(tags, ranges).every((tag) => tags.includes(tag))).toBe(true);
        expect(extendedFilter(tags, ranges).every((tag) => tags.includes(tag))).toBe(true);
      }),
    );
  });
});
