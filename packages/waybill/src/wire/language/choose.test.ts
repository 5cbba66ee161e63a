import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languagePreference } from './accept.js';
import { languageChooser } from './choose.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

type Row = [rule: string, header: string | undefined, languages: string, expected: string, fallback?: string];
/** The choice, marked if it is the default and not a match. */
const choice = (header: string | undefined, languages: string, strategy: 'cldr' | 'rfc4647', fallback?: string): string => {
  const made = languageChooser(languages.split(' '), { strategy, ...(fallback !== undefined && { default: fallback }) }).choose(header);
  return made.matched ? made.language : `(${made.language})`;
};

const both: Row[] = [
  ['the heaviest range wins', 'en;q=0.5, fr', 'en fr', 'fr'],
  ['position decides among equals', 'de, fr', 'fr de', 'de'],
  ['a range is shortened until something is found', 'fr-CH', 'en fr', 'fr'],
  ['case does not matter, and the server’s spelling is reported', 'PT-br', 'en pt-br', 'pt-br'],
  ['a later range counts if an earlier one finds nothing', 'xno, sux;q=0.9, fr;q=0.1', 'en fr', 'fr'],
  ['an excluded tag is not chosen', 'en;q=0, fr;q=0.1', 'en fr', 'fr'],
  ['an exclusion covers what continues it', 'en;q=0, *;q=0.1', 'en-GB fr', 'fr'],
  ['an exclusion is not widened', 'fr-CH;q=0, fr', 'fr-CH fr', 'fr'],
  ['an exclusion is not widened to what the server has', 'fr-CH;q=0, *', 'fr', 'fr'],
  ['the most specific range decides: it may save a tag', 'fr;q=0, fr-CH', 'fr fr-CH', 'fr-CH'],
  ['the most specific range decides: it may exclude a tag', 'fr, fr-CH;q=0', 'en fr-CH', '(en)'],
  ['a lookup does not end at an excluded tag', 'fr-CH, fr;q=0, en;q=0.5', 'fr en', 'en'],
  ['the same range twice: the heavier one counts', 'en;q=0.9, es;q=0.8, en;q=0.7', 'es en', 'en'],
  ['if exclusion leaves nothing, the default is used although it was excluded', 'en;q=0', 'en', '(en)'],
  ['a star stands for every language that no other range names', 'en;q=0.5, *', 'en fr', 'fr'],
  ['a star takes the default first', '*', 'en fr de', 'fr', 'fr'],
  ['a star takes the server’s order next', '*, fr;q=0.1', 'fr de it', 'de'],
  ['a star does not stand for what a range is shortened to', '*, fr-CH;q=0.1', 'fr de', 'de'],
  ['a star may outrank a range', '*;q=0.8, fr;q=0.3', 'fr en', 'en'],
  ['a star yields to a heavier range', 'fr;q=0.9, *;q=0.8', 'en fr', 'fr'],
  ['a star yields to a named language of equal weight', '*, en', 'es en', 'en'],
  ['a range of low weight still counts if the star has nothing left', '*, fr;q=0.3', 'fr', 'fr'],
  ['a star of weight 0 adds nothing', '*;q=0', 'en', '(en)'],
  ['a star of weight 0 leaves the named languages', 'fr-CH, *;q=0', 'en fr', 'fr'],
  ['a star with a weight, and an exclusion', '*, en;q=0', 'en es', 'es'],
];

const cldrOnly: Row[] = [
  ['another region of the language is near', 'en-AU', 'fr en-GB', 'en-GB'],
  ['a language finds its regions', 'en', 'fr en-US', 'en-US'],
  ['script is understood', 'zh-TW', 'en zh-Hans zh-Hant', 'zh-Hant'],
  ['the wrong script is not near', 'zh-TW', 'en zh-Hans', '(en)'],
  ['a script that readers know is', 'sr-Latn', 'en sr', 'sr'],
  ['a script that readers know, romanised, is near', 'hi-Latn', 'en hi', 'hi'],
  ['a near language is near', 'nn-NO', 'en nb', 'nb'],
  ['a parent region is nearer', 'es-MX', 'es es-419', 'es-419'],
  ['a deprecated code means its successor', 'iw', 'en he', 'he'],
  ['the server’s own spelling is taken before its synonym', 'he', 'iw he', 'he'],
  ['a far match yields to a near one later in the list', 'eu, en;q=0.5', 'es en', 'en'],
  ['a legal range that Intl refuses still means its language', 'es-a, de', 'de es', 'es'],
  ['private tags match by name', 'x-pirate, en;q=0.5', 'en x-pirate', 'x-pirate'],
  ['private tags are shortened', 'x-pirate-old', 'en x-pirate', 'x-pirate'],
  ['a near match does not give its weight to a tag that has its own', 'en, en-GB;q=0.2, fr;q=0.5', 'en-GB fr', 'fr'],
  ['a tag of low weight is still better than the default', 'en, en-GB;q=0.2', 'fr en-GB', 'en-GB'],
  ['a tag of low weight does not outrank the star', 'en, *;q=0.5, en-GB;q=0.2', 'en-GB fr', 'fr'],
  ['a near language does not give its weight either', 'gsw, de;q=0.1, en;q=0.5', 'de en', 'en'],
  ['a more specific range does', 'es-MX, en;q=0.9, es;q=0.8', 'es-419 en', 'es-419'],
  [
    'many unknown ranges do not hide a known one',
    `${'akk sux egy gmh goh non orv phn xno yua zxx'.split(' ').join(',')},fr`,
    'en fr',
    'fr',
  ],
  ['a star of weight 0 refuses near languages', 'be, *;q=0', 'en ru', '(en)'],
  ['a star of weight 0 leaves other forms of the language', 'zh-TW, *;q=0', 'en zh-Hant', 'zh-Hant'],
  ['an excluded neighbour is skipped', 'en-AU, en-GB;q=0', 'fr en-GB en-US', 'en-US'],
  ['among equally near tags the default comes first', 'en-AU', 'en-IN en-ZA', 'en-ZA', 'en-ZA'],
];

const lookupOnly: Row[] = [
  ['a lookup never gives a longer tag', 'en', 'fr en-US', '(fr)'],
  ['a lookup knows no neighbours', 'nn-NO', 'en nb', '(en)'],
  ['a star of weight 0 asks for no other form of the language', 'fr-CH, *;q=0', 'en fr-CA', '(en)'],
  ['a lookup knows no scripts', 'zh-TW', 'en zh-Hant zh', 'zh'],
];

describe('the choice of a language', () => {
  for (const strategy of ['cldr', 'rfc4647'] as const) {
    it.each(both)(`LANG-08, LANG-15, D-10 (${strategy}): %s`, (_, header, languages, expected, fallback) => {
      expect(choice(header, languages, strategy, fallback)).toBe(expected);
    });

    it.each([undefined, '', ',', 'en;q=2', 'not a header', 'fr\r\nX: 1', 'fr,'.repeat(1000), 'sux'])(
      `LANG-10, LANG-11, LANG-16 (${strategy}): %j gives the default, and is no match`,
      (header) => {
        expect(choice(header, 'en fr de', strategy, 'de')).toBe('(de)');
      },
    );

    it(`LANG-10: the choice is total (${strategy}): always one of the languages`, () => {
      const tags = ['en', 'en-GB', 'fr', 'zh-Hant', 'x-pirate', 'i-klingon', 'sr-Latn', 'de-1996'];
      const chooser = languageChooser(tags, { strategy });
      const range = fc.oneof(
        fc.constantFrom('*', 'en', 'en-US', 'zh-TW', 'fr-x-y', 'es-a', 'x-pirate', 'i-klingon', 'und', 'sr', 'EN-gb', 'de-u'),
        fc.stringMatching(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,3}$/),
      );
      const member = fc.tuple(range, fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.123', ';q=1', ';q=9')).map((parts) => parts.join(''));
      const header = fc.oneof(
        anyText,
        fc.array(member, { maxLength: 12 }).map((members) => members.join(',')),
      );
      fc.assert(
        fc.property(header, (text) => {
          const first = chooser.choose(text);
          expect(tags).toContain(first.language);
          expect(chooser.choose(text)).toEqual(first);
          expect(first.matched || first.language === 'en').toBe(true);
        }),
        { numRuns: 500 },
      );
    });

    it(`LANG-15: an excluded tag is never a match (${strategy})`, () => {
      const tags = ['en', 'en-GB', 'fr', 'fr-CA', 'de', 'nb', 'zh-Hant'];
      const chooser = languageChooser(tags, { strategy });
      const range = fc.constantFrom('*', 'en', 'en-GB', 'en-AU', 'fr', 'fr-CH', 'de-AT', 'nn', 'zh-TW', 'da');
      fc.assert(
        fc.property(fc.constantFrom(...tags), fc.array(range, { maxLength: 6 }), (out, ranges) => {
          const wanted = ranges.filter((text) => text.toLowerCase() !== out.toLowerCase());
          const made = chooser.choose([...wanted, `${out};q=0`].join(','));
          expect(made.matched && made.language === out).toBe(false);
        }),
      );
    });
  }

  it.each(cldrOnly)('D-10: by CLDR best fit, %s', (_, header, languages, expected, fallback) => {
    expect(choice(header, languages, 'cldr', fallback)).toBe(expected);
  });

  it.each(lookupOnly)('D-10: by pure RFC 4647, %s', (_, header, languages, expected, fallback) => {
    expect(choice(header, languages, 'rfc4647', fallback)).toBe(expected);
  });

  it('D-10: your own strategy sees the ranges in order, and must return one of the languages', () => {
    const seen: unknown[] = [];
    const chooser = languageChooser(['en', 'fr'], {
      strategy: (ranges, languages) => {
        seen.push(ranges, languages);
        return ranges[0]?.range === 'de' ? 'tlh' : 'FR';
      },
    });
    expect(chooser.choose('it;q=0.1, es')).toEqual({ language: 'fr', matched: true });
    expect(() => chooser.choose('de')).toThrow('strategy: returned "tlh": expected one of en, fr, or undefined');
    expect(seen.slice(0, 2)).toEqual([
      [
        { range: 'es', q: 1 },
        { range: 'it', q: 0.1 },
      ],
      ['en', 'fr'],
    ]);
  });

  it.each([undefined, null])('a strategy that returns %s leaves the default', (given) => {
    expect(languageChooser(['en', 'fr'], { strategy: () => given as never }).choose('fr')).toEqual({ language: 'en', matched: false });
  });

  it('D-10: a choice is remembered by the raw text, and the memo is bounded', () => {
    let calls = 0;
    const chooser = languageChooser(['en', 'fr'], { strategy: () => (calls++, 'fr') });
    for (let i = 0; i < 3; i++) chooser.choose('fr, en;q=0.5');
    expect(calls).toBe(1);
    chooser.choose('fr,en;q=0.5');
    expect(calls).toBe(2);
    for (let i = 0; i < 600; i++) chooser.choose(`fr, en;q=0.${i}`);
    calls = 0;
    chooser.choose('fr, en;q=0.5');
    expect(calls).toBe(1);
  });

  it('a parsed preference works like its text, and nothing is carried from one request to the next', () => {
    const chooser = languageChooser(['en', 'fr']);
    expect(chooser.choose(languagePreference(['fr-CH', 'en']))).toEqual({ language: 'fr', matched: true });
    expect(chooser.choose(undefined)).toEqual({ language: 'en', matched: false });
  });

  it('LANG-28: the choice is the server’s tag, never an echo of the request', () => {
    expect(languageChooser(['en', 'fr']).choose('fr-CH').language).toBe('fr');
  });

  it.each<[string, () => unknown, RegExp]>([
    ['a bad tag', () => languageChooser(['en', 'de_AT']), /languages\[1\].*"de_AT"/],
    ['a tag that is no string', () => languageChooser(['en', 7 as never]), /languages\[1\].*got 7/],
    ['no language', () => languageChooser([]), /languages: expected at least one tag/],
    ['a default that is not among them', () => languageChooser(['en'], { default: 'fr' }), /default: expected one of en, got "fr"/],
    [
      'an unknown strategy',
      () => languageChooser(['en'], { strategy: 'best' as never }),
      /strategy: expected 'cldr', 'rfc4647' or a function, got "best"/,
    ],
  ])('%s is a RangeError at construction that names the path', (_, construct, message) => {
    expect(construct).toThrow(RangeError);
    expect(construct).toThrow(message);
  });
});
