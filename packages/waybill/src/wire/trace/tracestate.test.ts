import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTracestate, parseTracestate, prependTracestate, isTracestateMember } from './tracestate.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const list = (count: number): string => Array.from({ length: count }, (_, i) => `k${i}=${i}`).join(',');
const key = fc.stringMatching(/^[a-z0-9][a-z0-9_*/@-]{0,20}$/);
const value = fc.stringMatching(/^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,20}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/);
const members = fc.array(fc.tuple(key, value), { maxLength: 32 });

describe('parseTracestate', () => {
  it.each([
    ['nothing', '', []],
    ['empty members', ' ,\t,', []],
    ['one member', 'rojo=00f0', [['rojo', '00f0']]],
    [
      'order, and white space around members',
      ' b=2\t,\t a=1 ',
      [
        ['b', '2'],
        ['a', '1'],
      ],
    ],
    [
      'empty members between',
      'a=1,, ,b=2,',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['leading blanks of a value', 'a=  x', [['a', '  x']]],
    [
      'blanks within a value',
      'a=x y ,b=1',
      [
        ['a', 'x y'],
        ['b', '1'],
      ],
    ],
    [
      'a repeated key',
      'a=1,a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a tenant and a system', 'fw529a3039@dt=x', [['fw529a3039@dt', 'x']]],
    ['any number of @', 'a@@b@=x', [['a@@b@', 'x']]],
    ['a key that starts with a digit', '0a=x', [['0a', 'x']]],
  ])('TRACE-10: %s is kept', (_, text, expected) => {
    expect(parseTracestate(text)).toEqual(expected);
  });

  it.each([
    ['a member without a value', 'a=1,b'],
    ['more behind a tab', 'a=1\tb'],
    ['more behind a tab and a blank', 'a=1\t b'],
    ['a value that begins with a tab', 'a=\tb'],
    ['an empty value', 'a=,b=1'],
    ['a blank value', 'a=  ,b=1'],
    ['an empty key', '=1'],
    ['an upper-case key', 'A=1'],
    ['a key that starts with @', '@a=1'],
    ['a blank before the equals sign', 'a =1'],
    ['a second equals sign', 'a=1=2'],
    ['a tab within a value', 'a=1\t2'],
    ['a line break behind a value', 'a=1\n'],
    ['a carriage return and another header', 'a=1\r\nx-evil: 1'],
    ['NUL', 'a=\0'],
    ['a letter outside ASCII', 'a=é'],
    ['such a letter in a key', 'é=1'],
    ['a no-break space around a member', 'a=1,\u00a0b=2'],
  ])('TRACE-10: with %s the whole value is dropped', (_, text) => {
    expect(parseTracestate(text)).toBeUndefined();
  });

  it('TRACE-10: 32 members are kept; a list of 33 is dropped as a whole', () => {
    expect(parseTracestate(list(32))).toHaveLength(32);
    expect(parseTracestate(list(33))).toBeUndefined();
  });

  it('TRACE-10: keys and values have up to 256 characters, so far more than 512 are kept', () => {
    const longest = Array.from({ length: 32 }, (_, i) => `${String(i).padEnd(256, 'k')}=${'v'.repeat(256)}`).join(',');
    expect(parseTracestate(longest)).toHaveLength(32);
    expect(parseTracestate(`${'k'.repeat(257)}=v`)).toBeUndefined();
    expect(parseTracestate(`k=${'v'.repeat(257)}`)).toBeUndefined();
    expect(parseTracestate(' '.repeat(10_000_000))).toBeUndefined();
  });

  it('members that are valid one by one form a valid list, with any separators between them', () => {
    fc.assert(
      fc.property(members, fc.constantFrom(',', ' , ', ',\t', ',,'), (pairs, comma) => {
        const text = pairs.map((pair) => pair.join('=')).join(comma);
        expect(parseTracestate(text)).toEqual(pairs);
        expect(pairs.every(([name, content]) => isTracestateMember(name, content))).toBe(true);
      }),
    );
  });

  it('TRACE-10: counts members and characters alike whether or not they are kept', () => {
    const texts = [
      list(32),
      list(33),
      'a=1,'.repeat(31) + 'a=1',
      'a=1,'.repeat(32) + 'a=1',
      `${'k'.repeat(254)}=v`,
      `${'k'.repeat(257)}=v`,
    ];
    expect(texts.map(isTracestate)).toEqual([true, false, true, false, true, false]);
    expect(texts.map((text) => parseTracestate(text) !== undefined)).toEqual(texts.map(isTracestate));
  });

  it('any text is a list or not, and a list could stand in a header', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: fc.constantFrom('a', '=', '1', ',', ' ', '\t', '\n', '@') })), (text) => {
        const parsed = parseTracestate(text);
        expect(isTracestate(text)).toBe(parsed !== undefined);
        if (parsed !== undefined) expect(text).toMatch(/^[\t\x20-\x7e]*$/);
      }),
    );
  });
});

describe('isTracestateMember', () => {
  it.each([
    ['a', 'x', true],
    ['a', ' x', true],
    ['a', 'x ', false],
    ['a', '', false],
    ['a', 'x,b=y', false],
    ['a', 'x=y', false],
    ['a,', 'x', false],
    ['b=y,a', 'x', false],
    [' a', 'x', false],
    ['', 'x', false],
    ['a'.repeat(256), 'x'.repeat(256), true],
    ['a'.repeat(257), 'x', false],
  ])('%j=%j', (name, content, valid) => {
    expect(isTracestateMember(name, content)).toBe(valid);
  });
});

describe('prependTracestate', () => {
  it.each([
    ['nothing', undefined, 'me=1'],
    ['others', 'b=2, a=1', 'me=1,b=2,a=1'],
    ['an older entry of ours', 'b=2,me=0,a=1', 'me=1,b=2,a=1'],
    ['a key that begins with ours', 'me2=2', 'me=1,me2=2'],
    ['a full list', list(32), `me=1,${list(31)}`],
    ['a full list with ours in it', `${list(31)},me=0`, `me=1,${list(31)}`],
  ])('TRACE-10: our entry goes before %s', (_, text, expected) => {
    expect(prependTracestate(text, ['me', '1'])).toBe(expected);
  });

  it('an entry that could not travel is a mistake of the program', () => {
    expect(() => prependTracestate('a=1', ['Me', '1'])).toThrow(TypeError);
    expect(() => prependTracestate('a=1', ['me', '1,b=2'])).toThrow(TypeError);
  });

  it('the result is always a list with our entry first', () => {
    fc.assert(
      fc.property(members, key, value, (pairs, name, content) => {
        const result = parseTracestate(prependTracestate(pairs.map((pair) => pair.join('=')).join(','), [name, content]));
        expect(result).toEqual([[name, content], ...pairs.filter(([other]) => other !== name).slice(0, 31)]);
      }),
    );
  });
});
