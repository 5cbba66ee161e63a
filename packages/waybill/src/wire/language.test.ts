import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Facet } from './concern.js';
import type { Issue } from './issue.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE } from './keys.js';
import { language, parseAcceptLanguage, parseContentLanguage } from './language.js';

function read(facet: 'request' | 'result' | 'error' | 'notification', value: unknown) {
  const issues: Issue[] = [];
  const key = facet === 'request' ? ACCEPT_LANGUAGE : CONTENT_LANGUAGE;
  return { value: language[facet].read({ [key]: value, other: 1 }, (issue) => issues.push(issue), {}), issues };
}

function write(facet: 'request' | 'result', value: unknown) {
  const issues: Issue[] = [];
  return { meta: (language[facet] as Facet<unknown>).write(value, (issue) => issues.push(issue), {}), issues };
}

const NO_STRINGS = [null, 0, 7, true, {}, [], ['fr'], { text: 'fr' }];
/** A value that is too long has its own problem text. */
const problemOf = (value: unknown, what: string): string =>
  String(value).length > 8192 || String(value).split(',').length > 100
    ? 'has more than 100 members or 8192 characters'
    : `is not ${what}-Language value`;
const NO_HEADERS = [
  'fr;q=2',
  'de_AT',
  'fr\r\nX-Evil: 1',
  'fr\0',
  '\ud800',
  'x'.repeat(10_000_000),
  Array(101).fill('de').join(),
  '中文',
  '__proto__',
];

describe('the preference on a request', () => {
  it('LANG-02: a preference is read as text and ranges', () => {
    expect(read('request', 'en;q=0.5, fr-CA')).toEqual({
      value: {
        text: 'en;q=0.5, fr-CA',
        ranges: [
          { range: 'fr-CA', q: 1 },
          { range: 'en', q: 0.5 },
        ],
      },
      issues: [],
    });
  });

  it('LANG-13: a preference names languages, and says nothing about zone, currency, formats or location', () => {
    expect(Object.keys(read('request', 'de-CH').value ?? {})).toEqual(['text', 'ranges']);
  });

  it.each(NO_STRINGS.map((value) => [value]))('LANG-16, D-13: %j is absent, with one issue', (value) => {
    expect(read('request', value)).toEqual({
      value: undefined,
      issues: [{ concern: 'language', key: ACCEPT_LANGUAGE, problem: 'is not a string' }],
    });
  });

  it.each(NO_HEADERS.map((value) => [value.slice(0, 20), value]))(
    'LANG-11, D-13: %j is absent, with one issue and no error',
    (_, value) => {
      expect(read('request', value)).toEqual({
        value: undefined,
        issues: [{ concern: 'language', key: ACCEPT_LANGUAGE, problem: problemOf(value, 'an Accept') }],
      });
    },
  );

  it.each([undefined, '', ',', ' , ,'])('LANG-16: %j is no preference, and no issue', (value) => {
    expect(read('request', value)).toEqual({ value: undefined, issues: [] });
  });

  it('only own members of the message are read', () => {
    const inherited = Object.create({ [ACCEPT_LANGUAGE]: 'fr' }) as Record<string, unknown>;
    expect(language.request.read(inherited, () => undefined, {})).toBeUndefined();
  });

  it('a preference is written exactly as it was read, with empty members', () => {
    for (const text of ['fr-CH,  FR;Q=0.50', ' en ,,de;q=0.1 ']) {
      expect(write('request', read('request', text).value)).toEqual({ meta: { [ACCEPT_LANGUAGE]: text }, issues: [] });
    }
  });

  it('LANG-02: a preference is written from a text or from a list of tags', () => {
    expect(write('request', 'fr, en;q=0.5').meta).toEqual({ [ACCEPT_LANGUAGE]: 'fr, en;q=0.5' });
    expect(write('request', ['fr-CH', 'fr']).meta).toEqual({ [ACCEPT_LANGUAGE]: 'fr-CH,fr;q=0.9' });
    expect(write('request', ' fr,,en ').meta).toEqual({ [ACCEPT_LANGUAGE]: 'fr,en' });
    expect(write('request', []).meta).toEqual({});
  });

  it.each([['en;q=7'], [['en', 'de_AT']], [[7]], [null], [7], [{}], [{ text: 'a\r\nb: c' }]])(
    'LANG-02, D-13: an invalid preference is reported and not written: %j',
    (value) => {
      expect(write('request', value)).toEqual({
        meta: {},
        issues: [{ concern: 'language', key: ACCEPT_LANGUAGE, problem: 'is not an Accept-Language value' }],
      });
    },
  );

  it('LANG-02: read(write(x)) = x', () => {
    const range = fc.oneof(fc.constant('*'), fc.stringMatching(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,3}$/));
    const weight = fc.oneof(
      fc.constant(''),
      fc.integer({ min: 0, max: 999 }).map((q) => `; q=0.${String(q).padStart(3, '0')}`),
    );
    const text = fc
      .array(
        fc.tuple(range, weight).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 8 },
      )
      .map((members) => members.join(', '));
    fc.assert(
      fc.property(text, (text) => {
        const preference = { text, ranges: parseAcceptLanguage(text) ?? [] };
        expect(read('request', write('request', preference).meta[ACCEPT_LANGUAGE]).value).toEqual(preference);
      }),
    );
  });
});

describe('the language of an answer', () => {
  it.each([
    ['LANG-22: on a result', 'result'],
    ['LANG-23: on an error', 'error'],
    ['LANG-24: on a notification', 'notification'],
  ] as const)('%s: the language is one or more tags', (_, facet) => {
    expect(read(facet, 'fr, de-AT')).toEqual({ value: { text: 'fr, de-AT', tags: ['fr', 'de-AT'] }, issues: [] });
    expect(read(facet, undefined)).toEqual({ value: undefined, issues: [] });
  });

  it.each([...NO_HEADERS, '', ',', '*', 'fr;q=1'].map((value) => [value.slice(0, 20), value]))(
    'LANG-21, D-13: %j is absent, with one issue',
    (_, value) => {
      expect(read('result', value)).toEqual({
        value: undefined,
        issues: [{ concern: 'language', key: CONTENT_LANGUAGE, problem: problemOf(value, 'a Content') }],
      });
    },
  );

  it.each(NO_STRINGS.map((value) => [value]))('LANG-21, D-13: %j is absent, with one issue', (value) => {
    expect(read('notification', value).issues).toEqual([{ concern: 'language', key: CONTENT_LANGUAGE, problem: 'is not a string' }]);
  });

  it('LANG-21: the language is written from a tag or a list of tags; anything else is reported', () => {
    expect(write('result', 'fr').meta).toEqual({ [CONTENT_LANGUAGE]: 'fr' });
    expect(write('result', ['fr', 'de-AT']).meta).toEqual({ [CONTENT_LANGUAGE]: 'fr, de-AT' });
    for (const bad of ['', '*', 'de_AT', [], ['fr\r\n'], null, 7]) {
      expect(write('result', bad)).toEqual({
        meta: {},
        issues: [{ concern: 'language', key: CONTENT_LANGUAGE, problem: 'is not a Content-Language value' }],
      });
    }
  });

  it('LANG-21: read(write(x)) = x', () => {
    const tag = fc.stringMatching(/^[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/);
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 4 }), fc.constantFrom(',', ', ', ' ,\t'), (tags, comma) => {
        const text = tags.join(comma);
        const content = { text, tags: parseContentLanguage(text) };
        expect(read('result', write('result', content).meta[CONTENT_LANGUAGE]).value).toEqual(content);
      }),
    );
  });
});

describe('reading the language', () => {
  it('LANG-11, D-13: reading is total: any JSON in any place gives a value or one issue, never an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('request', 'result', 'error', 'notification'), (value, facet) => {
        const { value: found, issues } = read(facet, value);
        expect(issues.length).toBeLessThanOrEqual(1);
        if (found !== undefined) expect(issues).toEqual([]);
      }),
    );
  });
});
