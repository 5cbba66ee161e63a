import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexTags, covers, lookupAt } from './lookup.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const lookup = (tags: readonly string[], range: string): string | undefined => tags[lookupAt(indexTags(tags), range, new Set())];

describe('covers', () => {
  it.each<[string, string, string, boolean]>([
    ['a language covers its regions', 'de', 'de-de', true],
    ['a region covers what continues it', 'de-de', 'de-de-1996', true],
    ['a subtag is not a prefix of another', 'de-d', 'de-de', false],
    ['a region does not cover its language', 'de-de', 'de', false],
    ['a star covers everything', '*', 'en', true],
  ])('LANG-08: %s', (_, range, tag, expected) => {
    expect(covers(range, tag)).toBe(expected);
  });
});

describe('lookup', () => {
  it.each<[string, string[], string, string | undefined]>([
    ['shortens the range until a tag is found', ['en', 'zh', 'zh-Hant'], 'zh-hant-tw', 'zh-Hant'],
    ['takes the longest, not the first', ['zh', 'zh-Hant'], 'zh-hant-tw', 'zh-Hant'],
    ['removes a singleton with what it introduced', ['zh-Hant-CN-x', 'zh-Hant-CN'], 'zh-hant-cn-x-a', 'zh-Hant-CN'],
    ['never gives a tag longer than the range', ['de-CH-1996'], 'de-ch', undefined],
    ['gives the tag as it is spelled', ['FR-ch'], 'fr-ch', 'FR-ch'],
    ['gives nothing where nothing matches', ['en'], 'de-at', undefined],
    ['gives nothing where there is nothing', [], 'fr', undefined],
  ])('LANG-08: %s', (_, tags, range, expected) => {
    expect(lookup(tags, range)).toBe(expected);
  });

  it('lookup is total and gives a tag or nothing', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.string({ unit: fc.constantFrom('a', 'b', '-', '*') }), (tags, range) => {
        const found = lookup(tags, range);
        expect(found === undefined || tags.includes(found)).toBe(true);
      }),
    );
  });
});
