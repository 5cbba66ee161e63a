import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterBaggage, parseBaggage, type BaggageMember } from './baggage.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const plain = (key: string, value: string): BaggageMember => ({ key, value, properties: [] });
const keys = (text: string | string[]): string[] => parseBaggage(text).map(({ key }) => key);
const list = (count: number, value = 'v'): string => Array.from({ length: count }, (_, i) => `k${i}=${value}`).join(',');

/** Members as a header carries them. */
const written = (members: readonly BaggageMember[]): string =>
  members
    .map((one) =>
      [one, ...one.properties].map(({ key, value }) => (value === undefined ? key : `${key}=${encodeURIComponent(value)}`)).join(';'),
    )
    .join(',');

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/);
const text = fc.string({ unit: 'binary-ascii', maxLength: 20 });
const unicode = fc.string({ unit: 'grapheme', maxLength: 8 });
const property = fc.oneof(fc.record({ key: token }), fc.record({ key: token, value: fc.oneof(text, unicode) }));
const member = fc.record({ key: token, value: fc.oneof(text, unicode), properties: fc.array(property, { maxLength: 3 }) });

describe('parseBaggage', () => {
  it.each<[string, string | string[], BaggageMember[]]>([
    ['nothing', '', []],
    ['one member', 'user=alice', [plain('user', 'alice')]],
    [
      'white space around every part',
      ' a \t=\t 1 ; p = 2 ; q , b=3',
      [{ key: 'a', value: '1', properties: [{ key: 'p', value: '2' }, { key: 'q' }] }, plain('b', '3')],
    ],
    ['an empty value', 'a=', [plain('a', '')]],
    ['equals signs in a value', 'a=b=c==', [plain('a', 'b=c==')]],
    ['percent-encoded UTF-8', 'who=Am%C3%A9lie%2C%20%22x%22', [plain('who', 'Amélie, "x"')]],
    ['percent-encoded property values', 'a=1;p=%C3%A9', [{ key: 'a', value: '1', properties: [{ key: 'p', value: 'é' }] }]],
    ['a key with a percent sign, which is not decoded', 'a%20b=1', [plain('a%20b', '1')]],
    ['repeated keys in order', 'a=1,a=2', [plain('a', '1'), plain('a', '2')]],
    ['several lines as one list', ['a=1', 'b=2,c=3'], [plain('a', '1'), plain('b', '2'), plain('c', '3')]],
    ['names of Object.prototype', '__proto__=1,constructor=2', [plain('__proto__', '1'), plain('constructor', '2')]],
    ['a byte order mark', 'a=%EF%BB%BFx%FF', [plain('a', '\ufeffx\ufffd')]],
  ])('TRACE-10: %s', (_, lines, expected) => {
    expect(parseBaggage(lines)).toEqual(expected);
  });

  it.each([
    ['without an equals sign', 'alone'],
    ['without a key', '=1'],
    ['with a blank in its key', 'a b=1'],
    ['with a separator in its key', 'a:b=1'],
    ['with a key outside ASCII', 'é=1'],
    ['with a blank in its value', 'a=1 2'],
    ['with a quote in its value', 'a="1"'],
    ['with a backslash in its value', 'a=\\1'],
    ['with a value outside ASCII', 'a=é'],
    ['with a line break', 'a=1\r\nx-evil: 1'],
    ['with a percent sign and no digits', 'a=100%'],
    ['with a percent sign and letters', 'a=%zz'],
    ['that is cut within a percent sequence', 'a=%E0%A4%A'],
    ['that is empty', ' '],
    ['of more than 4096 bytes', `a=${'x'.repeat(4096)}`],
  ])('TRACE-10: a member %s is dropped, the others stay', (_, bad) => {
    expect(parseBaggage(`ok=1,${bad},too=2`)).toEqual([plain('ok', '1'), plain('too', '2')]);
  });

  it('TRACE-10: bytes that are not UTF-8 become U+FFFD, and the rest of the value stays', () => {
    expect(parseBaggage('a=x%FFy,b=%ED%A0%80,c=%C3')).toEqual([
      plain('a', 'x\ufffdy'),
      plain('b', '\ufffd\ufffd\ufffd'),
      plain('c', '\ufffd'),
    ]);
  });

  it('a malformed property is dropped alone, and an empty one is ignored', () => {
    expect(parseBaggage('a=1;;p q;=2;ok;v=%;w="3";x=4')).toEqual([
      { key: 'a', value: '1', properties: [{ key: 'ok' }, { key: 'x', value: '4' }] },
    ]);
  });

  it('TRACE-10: 64 members and 8192 bytes are guaranteed; above the limits whole members are dropped at the end', () => {
    expect(keys(list(64, 'v'.repeat(120)))).toHaveLength(64);
    expect(keys(list(500))).toHaveLength(180);
    expect(keys([list(100), list(100)])).toHaveLength(180);
    const members = Array.from({ length: 128 }, () => `a=${'x'.repeat(62)}`);
    expect(keys(members.join(','))).toHaveLength(126); // 126 times 64 and 125 commas are 8189
    expect(keys(members)).toHaveLength(126);
  });

  it('parsing ends for huge and hostile texts', () => {
    expect(parseBaggage(','.repeat(1_000_000))).toEqual([]);
    expect(parseBaggage('a=1;'.repeat(500_000))).toEqual([]);
    expect(parseBaggage(`${' '.repeat(1_000_000)}a=1`)).toEqual([]);
    expect(keys(`a=1${';p'.repeat(2000)}`)).toEqual(['a']);
  });

  it('any text gives members with a token for a key', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: fc.constantFrom('a', '=', '1', ';', ',', ' ', '%', 'F', '\t') })), (lines) => {
        expect(keys(lines).every((key) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(key))).toBe(true);
      }),
    );
  });
});

describe('filterBaggage', () => {
  it.each([
    ['keeps members on the list, unchanged', 'a=%41;p , secret=1,b = 2', ['a', 'b'], 'a=%41;p,b = 2'],
    ['keeps nothing if the list is empty', 'a=1,b=2', [], undefined],
    ['compares keys by case', 'A=1', ['a'], undefined],
    ['drops malformed members, even if their key is on the list', 'a=1 2,a=3', ['a'], 'a=3'],
    ['drops a property with a line feed, and keeps its member', 'a=1;p\nX-Evil: 1;q=2 , b=2', ['a', 'b'], 'a=1;q=2,b=2'],
    ['drops every malformed property', 'a=1;;p q;=2;ok;v=%;w="3";x=4', ['a'], 'a=1;ok;x=4'],
    ['knows no names but those given', '__proto__=1,toString=2', ['a'], undefined],
  ])('TRACE-12: %s', (_, lines, allow, expected) => {
    expect(filterBaggage(lines, allow)).toBe(expected);
  });

  it('TRACE-02: a header can carry every text that passes', () => {
    const hostile = fc.string({ unit: fc.constantFrom('a', '=', '1', ';', ',', ' ', '%', '\n', '\r', '\0', '\x7f', 'ü') });
    fc.assert(
      fc.property(hostile, (text) => {
        expect(filterBaggage(text, ['a', '1', '11', 'aa']) ?? '').toMatch(/^[\t\x20-\x7e]*$/);
      }),
    );
  });

  it('TRACE-12: no member that is not on the list passes', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 8 }), fc.array(token, { maxLength: 4 }), (members, others) => {
        const allow = [...others, ...members.slice(0, 2).map(({ key }) => key)];
        const kept = parseBaggage(filterBaggage(written(members), allow) ?? '');
        expect(kept).toEqual(members.filter(({ key }) => allow.includes(key)));
      }),
    );
  });
});
