import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAcceptLanguage, languagePreference, parseAcceptLanguage, preferenceOf } from './accept.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const r = (range: string, q = 1) => ({ range, q });
const text = fc.oneof(
  anyText,
  fc.string({ unit: fc.constantFrom(...'aZ09-*,;=qQ. \t'.split('')) }),
  fc.string({ unit: fc.constantFrom('en', '-US', '*', ',', ';q=', '0.', '5', '1', ' '), maxLength: 20 }),
);
const tag = fc.stringMatching(/^[a-z]{2,3}(-[A-Z]{2})?$/);

describe('parseAcceptLanguage', () => {
  it.each<[string, string, ReturnType<typeof r>[]]>([
    ['the example of the proposal', 'fr-CA,fr;q=0.9,en;q=0.5', [r('fr-CA'), r('fr', 0.9), r('en', 0.5)]],
    ['one range', 'en', [r('en')]],
    ['a star', '*', [r('*')]],
    ['a star with a weight', '*;q=0.1', [r('*', 0.1)]],
    ['blanks and tabs in every allowed place', ' \ten ; \tq=0.5 ,\tde\t', [r('de'), r('en', 0.5)]],
    ['an upper-case Q', 'en;Q=0.3', [r('en', 0.3)]],
    ['three decimals', 'en;q=0.123', [r('en', 0.123)]],
    ['a weight that ends with its point', 'en;q=0., de;q=1.', [r('de'), r('en', 0)]],
    ['one with zeros', 'en;q=1.000', [r('en')]],
    ['an exclusion', 'en;q=0', [r('en', 0)]],
    ['eight characters a subtag', 'abcdefgh-12345678', [r('abcdefgh-12345678')]],
    ['a range that is no tag', 'es-a', [r('es-a')]],
    ['the case as it was written', 'FR-ch', [r('FR-ch')]],
    ['the same range twice', 'en;q=0.9, en;q=0.7', [r('en', 0.9), r('en', 0.7)]],
  ])('LANG-02: reads %s', (_, header, expected) => {
    expect(parseAcceptLanguage(header)).toEqual(expected);
  });

  it('LANG-15: orders by weight, and by position among equals', () => {
    const order = parseAcceptLanguage('nl;q=0.5, fr, de;q=0.5, en, it;q=0.7')?.map(({ range }) => range);
    expect(order).toEqual(['fr', 'en', 'it', 'nl', 'de']);
  });

  it.each(['', ' ', ',', ', ,\t,'])('LANG-16: %j says nothing and is not malformed', (header) => {
    expect(parseAcceptLanguage(header)).toEqual([]);
  });

  it('LANG-16: empty members are skipped', () => {
    expect(parseAcceptLanguage(',en,, de;q=0.5 ,')).toEqual([r('en'), r('de', 0.5)]);
  });

  it.each([
    ['a weight above one', 'en;q=1.1'],
    ['one with a digit behind it', 'en;q=1.001'],
    ['four decimals', 'en;q=0.1234'],
    ['a weight without its zero', 'en;q=.5'],
    ['a negative weight', 'en;q=-0.1'],
    ['an exponent', 'en;q=1e0'],
    ['no weight behind q', 'en;q='],
    ['no q', 'en;'],
    ['blanks around the equals sign', 'en;q = 0.5'],
    ['another parameter', 'en;level=1'],
    ['a second parameter', 'en;q=0.5;x=1'],
    ['nine letters', 'abcdefghi'],
    ['nine characters in a subtag', 'en-123456789'],
    ['digits first', '12-en'],
    ['a trailing hyphen', 'en-'],
    ['an extended range', 'de-*-DE'],
    ['two stars', '**'],
    ['an underscore', 'en_US'],
    ['a blank inside', 'en US'],
    ['fullwidth digits', 'en;q=１'],
    ['another script', '中文'],
    ['one bad member among good ones', 'en, de;q=2, fr'],
    ['a second header', 'en\r\nX-Evil: 1'],
    ['a line break', 'en,\nde'],
    ['NUL', 'en\0'],
    ['a lone surrogate', 'en\ud800'],
    ['more ranges than anybody has', 'en,'.repeat(101)],
    ['ten megabytes', 'en,'.repeat(3_500_000)],
    ['ten megabytes of blanks', ' '.repeat(10_000_000)],
  ])('LANG-11: a value is malformed with %s', (_, header) => {
    expect(parseAcceptLanguage(header)).toBeUndefined();
  });

  it('LANG-11: parsing is total, and never gives a range or a weight outside the grammar', () => {
    fc.assert(
      fc.property(text, (header) => {
        for (const { range, q } of parseAcceptLanguage(header) ?? []) {
          expect(range).toMatch(/^(?:\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)$/);
          expect(q >= 0 && q <= 1 && Math.round(q * 1000) / 1000 === q).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('preferenceOf', () => {
  it('preferenceOf tells an empty preference from a malformed one', () => {
    expect(preferenceOf(', ,')).toBe('none');
    expect(preferenceOf('en;q=2')).toBe('malformed');
  });

  it('the same text gives the same frozen value, whatever was parsed in between', () => {
    const first = preferenceOf('fr-CH, fr;q=0.9');
    expect(preferenceOf('fr-CH, fr;q=0.9')).toBe(first);
    expect(Object.isFrozen(first) && typeof first === 'object' && Object.isFrozen(first.ranges)).toBe(true);
    for (let i = 0; i < 2000; i++) preferenceOf(`fr, en;q=0.${i % 1000}${','.repeat(i % 7)}`);
    expect(preferenceOf('fr-CH, fr;q=0.9')).toEqual(first);
  });
});

describe('formatAcceptLanguage', () => {
  it.each<[string, string[], string]>([
    ['no tag', [], ''],
    ['one tag', ['de'], 'de'],
    ['a few tags', ['fr-CH', 'fr', 'en'], 'fr-CH,fr;q=0.9,en;q=0.8'],
    ['a star at the end', ['fr', '*'], 'fr,*;q=0.9'],
    ['a tag twice', ['fr', 'FR', 'en'], 'fr,en;q=0.9'],
    [
      'ten tags',
      'aa ab ac ad ae af ag ah ai aj'.split(' '),
      'aa,ab;q=0.9,ac;q=0.8,ad;q=0.7,ae;q=0.6,af;q=0.5,ag;q=0.4,ah;q=0.3,ai;q=0.2,aj;q=0.1',
    ],
  ])('LANG-02: makes weights from the order of %s', (_, tags, expected) => {
    expect(formatAcceptLanguage(tags)).toBe(expected);
  });

  it('LANG-02: the written text reads back in the same order, with strictly falling weights', () => {
    fc.assert(
      fc.property(fc.uniqueArray(tag, { minLength: 1, maxLength: 100, selector: (text) => text.toLowerCase() }), (tags) => {
        const ranges = parseAcceptLanguage(formatAcceptLanguage(tags)) ?? [];
        expect(ranges.map(({ range }) => range)).toEqual(tags);
        expect(ranges.every(({ q }, at) => q >= 0.001 && (at === 0 ? q === 1 : q < (ranges[at - 1]?.q ?? 0)))).toBe(true);
      }),
    );
  });

  it.each<[string, string[], RegExp]>([
    ['an underscore', ['en', 'de_AT'], /languages\[1\].*"de_AT"/],
    ['a weight', ['en;q=0.5'], /languages\[0\]/],
    ['a second header', ['en', 'fr', 'x\r\nEvil: 1'], /languages\[2\]/],
    ['nothing', [''], /languages\[0\]/],
  ])('a tag with %s is a RangeError that names its place', (_, tags, message) => {
    expect(() => formatAcceptLanguage(tags)).toThrow(RangeError);
    expect(() => formatAcceptLanguage(tags)).toThrow(message);
  });

  it('formatAcceptLanguage throws a RangeError for too many tags: a reader would refuse the text', () => {
    const tags = Array.from({ length: 101 }, (_, at) => `de-x-a${at}`);
    expect(() => formatAcceptLanguage(tags)).toThrow(/at most 100/);
    expect(parseAcceptLanguage(formatAcceptLanguage(tags.slice(1)))).toHaveLength(100);
  });
});

describe('languagePreference', () => {
  it('languagePreference takes a list or a text', () => {
    expect(languagePreference(['fr', 'en'])).toEqual({ text: 'fr,en;q=0.9', ranges: [r('fr'), r('en', 0.9)] });
    expect(languagePreference('en;q=0.5, fr')).toEqual({ text: 'en;q=0.5, fr', ranges: [r('fr'), r('en', 0.5)] });
  });

  it('LANG-16: a caller’s empty members and outer blanks are not sent; everything else stays as written', () => {
    expect(languagePreference(' en ,, fr;q=0.50,')?.text).toBe('en,fr;q=0.50');
    expect(languagePreference('en,  FR ; Q=0.50')?.text).toBe('en,  FR ; Q=0.50');
  });

  it('no language at all is no preference; an invalid text is a RangeError', () => {
    expect([languagePreference([]), languagePreference(' , ')]).toEqual([undefined, undefined]);
    expect(() => languagePreference('en;q=7')).toThrow(/expected an Accept-Language value, got "en;q=7"/);
  });
});
