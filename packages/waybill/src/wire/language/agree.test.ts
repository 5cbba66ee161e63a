import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreeOnField, agreeOnRequest, agreeOnResponse, combineLines, type RequestAgreement, type ResponseAgreement } from './agree.js';

type Lines = string | string[] | undefined;

describe('agreement of a language header with the body', () => {
  it.each<[string, string | string[], string, boolean]>([
    ['outer blanks are no part of a field value', '  en ', 'en', true],
    ['nor are tabs', '\ten\t', 'en', true],
    ['repeated lines are joined with comma and blank', ['en-US', 'en;q=0.9'], 'en-US, en;q=0.9', true],
    ['and with nothing else', ['en-US', 'en;q=0.9'], 'en-US,en;q=0.9', false],
    ['each line loses its outer blanks', [' en-US ', '\ten;q=0.9'], 'en-US, en;q=0.9', true],
    ['the order of lines counts', ['en;q=0.9', 'en-US'], 'en-US, en;q=0.9', false],
    ['one line of an array is that line', ['en'], 'en', true],
    ['case counts', 'en-US', 'en-us', false],
    ['inner blanks count', 'en-US,en;q=0.9', 'en-US, en;q=0.9', false],
    ['the form of a weight counts', 'en;q=0.9', 'en;q=0.900', false],
    ['the body is not trimmed', 'en', ' en', false],
    ['not even if the header had the same blanks', ' en', ' en', false],
    ['the star that runtimes send', '*', 'fr', false],
    ['malformed values are compared like others', 'en;q=2', 'en;q=2', true],
    ['nothing is normalised', '\u00e9', 'e\u0301', false],
    ['a line break is no blank', 'en\n', 'en', false],
    ['a no-break space is no blank', '\u00a0en', 'en', false],
    ['an empty header equals an empty string', '', '', true],
    ['a blank header equals an empty string', ' \t ', '', true],
  ])('LANG-42: %s', (_, lines, meta, expected) => {
    expect(agreeOnField(meta, lines)).toBe(expected);
  });

  it('LANG-42, LANG-43: it is equality of the body with all lines, each without its outer blanks and tabs', () => {
    const part = fc.string({ unit: fc.constantFrom('e', 'n', '-', ',', ';', ' ', '\t', '\n', '\u00a0') });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), part, (lines, meta) => {
        const combined = lines.map((line) => line.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')).join(', ');
        expect(combineLines(lines)).toBe(combined);
        expect(agreeOnField(combined, lines)).toBe(true);
        expect(agreeOnField(meta, lines)).toBe(meta === combined);
      }),
    );
  });

  it.each<[string, unknown, Lines, RequestAgreement]>([
    ['LANG-45: a header alone makes no preference', undefined, 'fr', 'absent'],
    ['LANG-45: not even the star', undefined, '*', 'absent'],
    ['LANG-16: a number is absent', 7, 'fr', 'absent'],
    ['LANG-16: an array is absent', ['fr'], 'fr', 'absent'],
    ['LANG-16: an object is absent', {}, 'fr', 'absent'],
    ['LANG-16: null is absent', null, 'fr', 'absent'],
    ['LANG-16: absent beside an empty header', 7, '', 'absent'],
    ['nothing on either side', undefined, undefined, 'absent'],
    ['LANG-44: a missing header is no reason to refuse', 'fr', undefined, 'absent'],
    ['LANG-44: no lines are a missing header', 'fr', [], 'absent'],
    ['LANG-44: nor beside a malformed value', 'fr;q=9', undefined, 'absent'],
    ['equal values agree', 'fr', 'fr', 'agree'],
    ['different values do not', 'fr', 'de', 'disagree'],
    ['an empty header is a value, and differs', 'fr', '', 'disagree'],
    ['an empty line is a value too', 'fr', [''], 'disagree'],
    ['an empty header equals an empty body', '', '', 'agree'],
    ['LANG-47: malformed and equal agrees', 'fr;q=9', 'fr;q=9', 'agree'],
    ['LANG-47: malformed and different values disagree', 'fr;q=9', 'fr;q=8', 'disagree'],
    ['LANG-47: a malformed value and an empty header disagree', 'fr;q=9', '', 'disagree'],
  ])('request matrix: %s', (_, meta, lines, expected) => {
    expect(agreeOnRequest(meta, lines)).toBe(expected);
  });

  it.each<[string, unknown, Lines, ResponseAgreement, ResponseAgreement]>([
    ['set and equal', 'fr', 'fr', 'ok', 'ok'],
    ['set and different', 'fr', 'de', 'malformed', 'malformed'],
    ['set beside an empty header', 'fr', '', 'malformed', 'malformed'],
    ['set without a header', 'fr', undefined, 'unmirrored', 'ok'],
    ['absent beside a header', undefined, 'fr', 'ok', 'ok'],
    ['no string beside a header', 3, 'fr', 'ok', 'ok'],
    ['absent on both sides', undefined, undefined, 'ok', 'ok'],
  ])('response matrix: %s', (_, meta, lines, json, stream) => {
    expect(agreeOnResponse(meta, lines, 'json')).toBe(json);
    expect(agreeOnResponse(meta, lines, 'stream')).toBe(stream);
  });
});
