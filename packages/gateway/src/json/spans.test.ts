import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, editValue, removeMember, setMember, textAt } from './spans.js';

const TEXT = '{ "id" : 12345678901234567890, "params": {"a":1.0 ,"_meta":{"x":[1,{"y":"}"}],"z":"\\u0041\\"" } } }';

describe('edits of JSON text', () => {
  test.each([
    ['a number beyond 2^53, 1.0 and blanks survive', [setMember(['params', '_meta', 'x'], null)], TEXT.replace('[1,{"y":"}"}]', 'null')],
    ['a member is removed with its comma', [removeMember(['params', '_meta', 'x'])], TEXT.replace('"x":[1,{"y":"}"}],', '')],
    [
      'the last member is removed with the comma before it',
      [removeMember(['params', '_meta', 'z'])],
      TEXT.replace(',"z":"\\u0041\\""', ''),
    ],
    ['a new member comes last', [setMember(['params', '_meta', 'n'], 1)], TEXT.replace('"z":"\\u0041\\"" }', '"z":"\\u0041\\"" ,"n":1}')],
    ['missing objects are made', [setMember(['p', 'q', 'r'], true)], TEXT.replace(/ }$/, ' ,"p":{"q":{"r":true}}}')],
    ['what is not there is not removed', [removeMember(['params', 'nothing', 'here'])], TEXT],
  ])('%s', (_, edits, expected) => {
    expect(applyEdits(TEXT, edits)).toBe(expected);
    expect(() => JSON.parse(expected)).not.toThrow();
  });

  test('a value in the way of a path gives way to an object', () => {
    expect(applyEdits('{"params":[1]}', [setMember(['params', '_meta', 'k'], 'v')])).toBe('{"params":{"_meta":{"k":"v"}}}');
  });

  test('a name that occurs twice, or is spelled with escapes, leaves no second value behind', () => {
    expect(applyEdits('{"a":1,"\\u0061":2,"b":3}', [removeMember(['a'])])).toBe('{"b":3}');
    expect(applyEdits('{"p":{"a":1},"b":0,"p":{"a":2}}', [setMember(['p', 'a'], 9)])).toBe('{"b":0,"p":{"a":9}}');
  });

  test('the text of a member is found as it was written', () => {
    expect(textAt(TEXT, ['id'])).toBe('12345678901234567890');
    expect(textAt(TEXT, ['params', '_meta', 'x'])).toBe('[1,{"y":"}"}]');
    expect(textAt(TEXT, ['params', 'nothing'])).toBeUndefined();
  });
});

const name = fc.constantFrom('a', 'b', '_meta', '__proto__', 'é"\\', '');
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true });
const blanks = fc.constantFrom(undefined, 1, '\t');

test('property: an edit of the text is the same edit of the value, and touches no other member', () => {
  fc.assert(
    fc.property(
      object,
      blanks,
      fc.array(fc.tuple(path, fc.option(fc.jsonValue(), { nil: undefined })), { maxLength: 4 }),
      (value, space, changes) => {
        const edits = changes.map(([at, to]) => (to === undefined ? removeMember(at) : setMember(at, to)));
        const expected = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        for (const edit of edits) editValue(expected, edit);
        const text = applyEdits(JSON.stringify(value, undefined, space), edits);
        expect(JSON.parse(text)).toEqual(expected);
        expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(expected));
      },
    ),
    { numRuns: 500 },
  );
});
