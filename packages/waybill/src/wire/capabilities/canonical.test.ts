import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json.js';
import { canonicalJson } from './canonical.js';

/** The same value with the members of every object in the opposite order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('canonicalJson', () => {
  it.each<[Json, string]>([
    [{}, '{}'],
    [[], '[]'],
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [{ b: 1, a: [true, { d: null, c: 'x' }] }, '{"a":[true,{"c":"x","d":null}],"b":1}'],
    [JSON.parse('{"b":1,"__proto__":2}') as Json, '{"__proto__":2,"b":1}'],
  ])('%j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('IX-01: equal values give equal texts in any order of names, and the text is the value', () => {
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(JSON.stringify(sorted(value)))));
      }),
    );
  });

  it('canonicalJson takes any depth', () => {
    const text = '{"a":['.repeat(50_000) + ']}'.repeat(50_000);
    let value: Json = [];
    for (let depth = 0; depth < 50_000; depth++) value = { a: depth === 0 ? [] : [value] };
    expect(canonicalJson(value)).toBe(text);
  });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as Json)]));
}
