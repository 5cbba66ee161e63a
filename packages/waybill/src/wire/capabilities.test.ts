import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalCapabilities, capabilities, capabilitiesKey } from './capabilities.js';
import type { Issue } from './issue.js';
import type { JsonObject } from './json.js';

const KEY = 'io.modelcontextprotocol/clientCapabilities';
const OWN = 'dev.waybill/clientCapabilities';
const VERSION = 'io.modelcontextprotocol/protocolVersion';

function read(meta: Record<string, unknown>): { value: JsonObject | undefined; keys: string[] } {
  const issues: Issue[] = [];
  const value = capabilities.request.read(meta, (issue) => issues.push(issue), {});
  for (const issue of issues) expect(issue.concern).toBe('capabilities');
  return { value, keys: issues.map(({ key }) => key) };
}

describe('capabilities.read', () => {
  const deep: unknown = JSON.parse('{"a":'.repeat(1000) + '{}' + '}'.repeat(1000));
  const some = (length: number): JsonObject => Object.fromEntries(Array.from({ length }, (_, i) => [`c${i}`, {}]));
  const wide = some(100_000);

  it.each<[string, Record<string, unknown>, JsonObject | undefined, string[]]>([
    ['CAP-01: what this request declares', { [KEY]: { sampling: {} } }, { sampling: {} }, []],
    ['CAP-05: no declaration is not an empty one', {}, undefined, []],
    ['CAP-06: an empty declaration is legitimate', { [KEY]: {} }, {}, []],
    ['our own key, without the reserved one', { [OWN]: { roots: {} } }, { roots: {} }, []],
    ['the reserved key beats ours, which is then an issue', { [OWN]: { a: {} }, [KEY]: { b: {} } }, { b: {} }, [OWN]],
    ['our own key, if the reserved one is unusable', { [KEY]: [], [OWN]: { a: {} } }, { a: {} }, [KEY]],
    ['both unusable', { [KEY]: 'x', [OWN]: null }, undefined, [KEY, OWN]],
    [
      'D-04: a declared state is passed raw',
      { [KEY]: { state: {}, experimental: { state: {} } } },
      { state: {}, experimental: { state: {} } },
      [],
    ],
    ['CAP-21: false and null are kept: matching judges them', { [KEY]: { a: false, b: null } }, { a: false, b: null }, []],
    ['CAP-23: nesting without end', { [KEY]: deep }, undefined, [`${KEY}.a`]],
    ['CAP-23: names without end', { [KEY]: wide }, undefined, [KEY]],
    ['CAP-23, D-13: one member too many, which is dropped alone', { [KEY]: some(1024) }, some(1023), [`${KEY}.c1023`]],
    ['CAP-23: 10 MB', { [KEY]: { a: 'x'.repeat(10_000_000) } }, undefined, [`${KEY}.a`]],
    [
      'D-13: one member too large, between two that are not',
      { [KEY]: { elicitation: {}, a: deep, sampling: {} } },
      { elicitation: {}, sampling: {} },
      [`${KEY}.a`],
    ],
    [
      'D-13: one extension too large, between two that are not',
      { [KEY]: { sampling: {}, extensions: { 'a.b/c': {}, 'd.e/f': { x: 'x'.repeat(40_000) }, 'g.h/i': {} } } },
      { sampling: {}, extensions: { 'a.b/c': {}, 'g.h/i': {} } },
      [`${KEY}.extensions.d.e/f`],
    ],
    [
      'CAP-23: extensions without end',
      { [KEY]: { sampling: {}, extensions: wide } },
      { sampling: {}, extensions: {} },
      [`${KEY}.extensions`],
    ],
  ])('%s', (_, meta, value, keys) => {
    expect(read(meta)).toEqual({ value, keys });
  });

  it('CAP-02, BASE-02: nothing is remembered between two reads', () => {
    expect(read({ [KEY]: { sampling: {} } }).value).toEqual({ sampling: {} });
    expect(read({}).value).toBeUndefined();
  });

  it('only own properties are read', () => {
    expect(read(Object.create({ [KEY]: {} }) as Record<string, unknown>)).toEqual({ value: undefined, keys: [] });
  });

  it('any JSON gives an object or one issue for each key', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(KEY, OWN), fc.jsonValue()), (meta) => {
        const { value, keys } = read(meta);
        expect(keys.length + (value === undefined ? 0 : 1)).toBe(Object.keys(meta).length);
      }),
    );
  });
});

describe('capabilities.write', () => {
  it('reading returns what was written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }) as fc.Arbitrary<JsonObject>, (value) => {
        const written = capabilities.request.write(value, () => undefined, {});
        expect(read(written)).toEqual({ value, keys: [] });
      }),
    );
  });

  it('CAP-23: a value that a peer would drop is not written', () => {
    const issues: Issue[] = [];
    expect(capabilities.request.write({ a: 'x'.repeat(100_000) }, (issue) => issues.push(issue), {})).toEqual({});
    expect(issues).toHaveLength(1);
  });

  it('results, errors and notifications carry no capabilities', () => {
    expect([capabilities.result, capabilities.error, capabilities.notification]).toEqual([undefined, undefined, undefined]);
    expect(capabilities.keys({})).toEqual([KEY, OWN]);
  });
});

describe('capabilitiesKey', () => {
  it.each([
    ['the envelope is there', { [VERSION]: '2026-07-28' }, KEY],
    ['it is not', {}, OWN],
    ['only its prototype has it', Object.create({ [VERSION]: '2026-07-28' }) as Record<string, unknown>, OWN],
  ])('BASE-01: capabilitiesKey, if %s', (_, meta, key) => {
    expect(capabilitiesKey(meta)).toBe(key);
  });
});

describe('canonicalCapabilities', () => {
  it('IX-01: equal sets have the same text, and no declaration has a text of its own', () => {
    expect(canonicalCapabilities({ b: {}, a: { d: 1, c: [] } })).toBe(canonicalCapabilities({ a: { c: [], d: 1 }, b: {} }));
    expect(canonicalCapabilities({ a: {} })).not.toBe(canonicalCapabilities({ a: { b: {} } }));
    expect(canonicalCapabilities(undefined)).toBe('');
    expect(canonicalCapabilities({})).toBe('{}');
  });
});
