import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editsBetween } from './diff.js';
import { applyEdits } from './spans.js';

test('property: the edits turn the text of one object into that of the other', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(object, object, (before, after) => {
      const text = JSON.stringify(before);
      expect(JSON.parse(applyEdits(text, editsBetween(JSON.parse(text), after)))).toEqual(JSON.parse(JSON.stringify(after)));
    }),
  );
});

test.each([
  ['a changed member', '{"a": 1.0, "b": {"c": 2}}', { a: 1, b: { c: 3 } }, '{"a": 1.0, "b": {"c": 3}}'],
  ['a removed member', '{"a": 1.0, "b": 2}', { a: 1 }, '{"a": 1.0}'],
  ['an added member', '{"a": 1.0}', { a: 1, b: true }, '{"a": 1.0,"b":true}'],
  ['nothing', '{"a": 1.0}', { a: 1 }, '{"a": 1.0}'],
])('%s leaves the other bytes alone', (_, text, after, expected) => {
  expect(applyEdits(text, editsBetween(JSON.parse(text), after))).toBe(expected);
});

test('elements that are left out of a list leave the others as they came', () => {
  const text = '{"tools": [ {"n":1.0}, {"n":2.0}, {"n":3.0} ]}';
  const before = JSON.parse(text);
  const after = { tools: [before.tools[0], before.tools[2]] };
  expect(applyEdits(text, editsBetween(before, after))).toMatch(/^\{"tools": \[ \{"n":1\.0\}, +\{"n":3\.0\} \]\}$/);
});
