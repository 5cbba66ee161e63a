import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonFault } from './json.js';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ['{"a": "x",\n "b": }', 17],
  ['{"a": "x"', 9],
  ['{"a" "x"}', 5],
  ['{"a": "x",}', 10],
  ['[1 2]', 3],
  ['{"a": \'x\'}', 6],
  ['{"a": "x', 6],
  ['', 0],
  ['  ', 2],
  ['{} x', 3],
  ['[1,]', 3],
  [']', 0],
])('the fault in %j is at %d', (text, offset) => {
  expect(jsonFault(text)).toBe(offset);
});

it('jsonFault finds a fault exactly if JSON.parse refuses the text', () => {
  const near = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', ':', 'x', '[', '-', '0', '\\')).map(([text, at, bit]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + bit + text.slice(place + (at % 2));
  });
  fc.assert(
    fc.property(fc.oneof(near, fc.json()), (text) => {
      const offset = jsonFault(text);
      expect(offset === undefined).toBe(isJson(text));
    }),
    { numRuns: 500 },
  );
});
