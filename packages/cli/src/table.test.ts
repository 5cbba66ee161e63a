import { expect, it } from 'vitest';
import { hanging, spacedJson, wrap, wrappedRows } from './table.js';

it.each([
  ['one two three', 7, ['one two', 'three']],
  ['one', 7, ['one']],
  ['', 7, ['']],
  ['abcdefghij kl', 4, ['abcd', 'efgh', 'ij', 'kl']],
  ['for €\u00a012 more', 6, ['for', '€\u00a012', 'more']],
  ['銷售情況日程', 8, ['銷售情況', '日程']],
])('wrap(%j, %i)', (text, width, due) => {
  expect(wrap(text, width)).toEqual(due);
});

it('wrapped rows keep the first column, share the rest, and take no more than they need', () => {
  const rows = wrappedRows(
    [
      ['  name', 'a long value here', 'short'],
      ['x', 'y', 'z'],
    ],
    40,
  );
  expect(rows).toEqual(['  name  a long value     short\n        here', 'x       y                z']);
  expect(wrappedRows([['a', 'a value of any length', 'b']], Infinity)).toEqual(['a  a value of any length  b']);
});

it('the lines below a label begin under its text', () => {
  expect(hanging('  name  ', 'one two three four', 20)).toBe('  name  one two\n        three four');
  expect(hanging('a ', 'b c', Infinity)).toBe('a b c');
});

it.each([
  [{ a: 1, b: [1, 2], c: {}, d: [] }, '{"a":1, "b":[1, 2], "c":{}, "d":[]}'],
  [{ text: 'one", \n "two": {' }, '{"text":"one\\", \\n \\"two\\": {"}'],
  ['plain', '"plain"'],
])('spacedJson(%j)', (value, due) => {
  expect(spacedJson(value)).toBe(due);
  expect(JSON.parse(spacedJson(value))).toEqual(value);
});
