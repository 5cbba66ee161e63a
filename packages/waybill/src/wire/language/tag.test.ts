import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intlTag, isWellFormedTag, parseContentLanguage } from './tag.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const letters = (min: number, max: number) => fc.stringMatching(new RegExp(`^[A-Za-z]{${min},${max}}$`));
const word = (min: number, max: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${min},${max}}$`));
const maybe = (part: fc.Arbitrary<string>) => fc.option(part, { nil: '' });
const dashed = (part: fc.Arbitrary<string>) => part.map((text) => `-${text}`);
/** Tags built from the grammar: language, extended language, script, region, one variant, one extension, private use. */
const grammatical = fc
  .tuple(
    fc.oneof(
      fc.tuple(letters(2, 3), maybe(dashed(letters(3, 3)))).map((parts) => parts.join('')),
      letters(4, 8),
    ),
    maybe(dashed(letters(4, 4))),
    maybe(dashed(fc.oneof(letters(2, 2), fc.stringMatching(/^[0-9]{3}$/)))),
    maybe(dashed(fc.oneof(word(5, 8), fc.stringMatching(/^[0-9][A-Za-z0-9]{3}$/)))),
    maybe(fc.tuple(fc.stringMatching(/^[A-WY-Za-wy-z0-9]$/), word(2, 8)).map(([single, value]) => `-${single}-${value}`)),
    maybe(word(1, 8).map((text) => `-x-${text}`)),
  )
  .map((parts) => parts.join(''));

describe('isWellFormedTag', () => {
  it.each([
    ['a language', 'de'],
    ['a registered language of five to eight letters', 'enochian'],
    ['an extended language', 'zh-yue-HK'],
    ['three extended languages', 'zh-aaa-bbb-ccc'],
    ['script and region', 'zh-Hant-TW'],
    ['a region of digits', 'es-419'],
    ['variants', 'sl-rozaj-biske-1994'],
    ['several extensions', 'de-DE-u-co-phonebk-t-en'],
    ['an extension of a digit', 'de-7-ab'],
    ['private use', 'de-CH-x-phonebk'],
    ['a singleton that comes again in private use', 'de-u-co-x-u-co'],
    ['private use alone', 'x-whatever-1'],
    ['a grandfathered tag', 'i-klingon'],
    ['a grandfathered tag in other case', 'EN-gb-OED'],
  ])('LANG-21: accepts %s', (_, tag) => {
    expect(isWellFormedTag(tag)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['one letter', 'd'],
    ['nine letters', 'abcdefghi'],
    ['a digit first', '419-de'],
    ['an underscore', 'de_AT'],
    ['a range', '*'],
    ['a range inside', 'de-*'],
    ['a trailing hyphen', 'de-'],
    ['two hyphens', 'de--AT'],
    ['a region before the script', 'de-AT-Latn'],
    ['two scripts', 'de-Latn-latn'],
    ['two regions', 'de-AT-CH'],
    ['an extended language after a long language', 'abcd-efg'],
    ['four extended languages', 'zh-aaa-bbb-ccc-ddd'],
    ['a variant twice', 'de-1996-1996'],
    ['a variant twice in other case', 'sl-rozaj-ROZAJ'],
    ['an extension twice', 'de-u-co-ab-u-nu-cd'],
    ['an extension without a value', 'de-u'],
    ['an extension before another without a value', 'de-u-t-en'],
    ['private use without a value', 'de-x'],
    ['private use alone without a value', 'x'],
    ['a letter that only looks like ASCII', 'ıd'],
    ['the Kelvin sign, whose lower case is ASCII', '\u212Aa'],
    ['a blank', ' de'],
    ['NUL', 'de\0'],
    ['a line break', 'de\n'],
    ['a singleton that starts nothing', 'i-nothing'],
  ])('LANG-21: refuses %s', (_, tag) => {
    expect(isWellFormedTag(tag)).toBe(false);
  });

  it('every tag that the grammar builds is accepted, in any case', () => {
    fc.assert(
      fc.property(grammatical, (tag) => {
        expect(isWellFormedTag(tag)).toBe(true);
        expect(isWellFormedTag(tag.toUpperCase())).toBe(true);
      }),
    );
  });

  it('every tag that Intl accepts is accepted', () => {
    fc.assert(
      fc.property(grammatical, (tag) => {
        fc.pre(intlAccepts(tag));
        expect(isWellFormedTag(Intl.getCanonicalLocales(tag)[0] as string)).toBe(true);
      }),
    );
  });
});

function intlAccepts(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

describe('intlTag', () => {
  it.each([
    ['a tag in canonical form', 'fr-CH', 'fr-CH'],
    ['a tag in other case', 'ZH-hant-tw', 'zh-Hant-TW'],
    ['a deprecated language', 'iw', 'he'],
    ['a range that Intl refuses', 'es-a', 'es'],
    ['a range with a second region', 'en-au-xx', 'en-AU'],
    ['an extended language', 'zh-yue-HK', 'yue-HK'],
    ['a grandfathered tag with a replacement', 'i-lux', 'lb'],
    ['a grandfathered tag that looks like an extended language', 'zh-min-nan', 'nan'],
    ['a grandfathered tag without replacement', 'i-default', undefined],
    ['private use', 'x-pirate', undefined],
    ['a language of four letters, which Intl refuses', 'abcd', undefined],
    ['no tag at all', 'en_US!', undefined],
    ['endless variants: only the language is left', `de${'-abcde'.repeat(40)}`, 'de'],
  ])('intlTag gives a tag that can be compared: %s', (_, tag, expected) => {
    expect(intlTag(tag)).toBe(expected);
  });
});

describe('parseContentLanguage', () => {
  it.each<[string, string, string[] | undefined]>([
    ['one tag', 'fr', ['fr']],
    ['several tags with blanks and tabs', 'mi,\ten , de-AT', ['mi', 'en', 'de-AT']],
    ['empty members', ',fr,,', ['fr']],
    ['no tag at all', '', undefined],
    ['commas only', ', ,', undefined],
    ['a range', '*', undefined],
    ['a weight', 'fr;q=1', undefined],
    ['one bad tag among good ones', 'fr, de_AT', undefined],
    ['a second line', 'fr\r\nX-Evil: 1', undefined],
    ['a line break around a tag', 'fr,\nde', undefined],
    ['more tags than anybody has', 'fr,'.repeat(101), undefined],
    ['a very long value', `${' '.repeat(9000)}fr`, undefined],
  ])('LANG-21: reads %s', (_, text, expected) => {
    expect(parseContentLanguage(text)).toEqual(expected);
  });

  it('parseContentLanguage is total, and gives only well-formed tags', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...'deAT19-_*,;x \t\0'.split('')) })), (text) => {
        for (const tag of parseContentLanguage(text) ?? []) expect(isWellFormedTag(tag)).toBe(true);
      }),
    );
  });
});
