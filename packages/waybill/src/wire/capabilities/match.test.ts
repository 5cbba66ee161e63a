import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextError, errorAnswer } from '../errors.js';
import type { Json, JsonObject } from '../json.js';
import { hasCapabilities, missingCapabilities, reaches, requireCapabilities } from './match.js';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;

type Row = [rule: string, required: JsonObject, declared: JsonObject, missing: JsonObject | undefined];

const rows: Row[] = [
  ['CAP-10: no requirement is met by nothing', {}, {}, undefined],
  ['CAP-12: a capability that is declared', { sampling: {} }, { sampling: {}, roots: {} }, undefined],
  ['CAP-12: a capability that is not declared', { sampling: {} }, { roots: {} }, { sampling: {} }],
  ['CAP-12: more than is required', { sampling: {} }, { sampling: { tools: {} } }, undefined],
  ['CAP-12: a part that is declared', { sampling: { tools: {} } }, { sampling: { tools: {} } }, undefined],
  ['CAP-12: a part that is not declared', { sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
  ['CAP-12: another part than the one declared', { sampling: { tools: {} } }, { sampling: { context: {} } }, { sampling: { tools: {} } }],
  ['CAP-13: both a capability and an extension', { sampling: {}, ...TASKS }, { sampling: {}, ...TASKS }, undefined],
  ['CAP-13: the capability without the extension', { sampling: {}, ...TASKS }, { sampling: {} }, TASKS],
  ['CAP-13: the extension without the capability', { sampling: {}, ...TASKS }, TASKS, { sampling: {} }],
  [
    'CAP-13: settings of an extension',
    { extensions: { 'a.b/c': { x: { y: {} } } } },
    { extensions: { 'a.b/c': { x: { y: {}, z: {} } } } },
    undefined,
  ],
  ['CAP-24: tasks, which have no settings', TASKS, { extensions: { 'io.modelcontextprotocol/tasks': {} } }, undefined],
  ['CAP-24: tasks beside other extensions only', TASKS, { extensions: { 'a.b/c': {} } }, TASKS],
  ['CAP-20: form, if any elicitation is declared', { elicitation: { form: {} } }, { elicitation: {} }, undefined],
  ['CAP-20: form, if only url is declared', { elicitation: { form: {} } }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['CAP-20: no mode means form', { elicitation: {} }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['CAP-20: no mode on either side', { elicitation: {} }, { elicitation: {} }, undefined],
  ['CAP-20: no mode, and form declared', { elicitation: {} }, { elicitation: { form: {}, url: {} } }, undefined],
  ['CAP-20: url, if no mode is declared', { elicitation: { url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
  ['CAP-20: no elicitation at all', { elicitation: {} }, {}, { elicitation: {} }],
  [
    'CAP-20: only the capability itself has modes',
    { extensions: { elicitation: {} } },
    { extensions: { elicitation: { url: {} } } },
    undefined,
  ],
  ['BASE-16: both modes, and none named', { elicitation: { form: {}, url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
  ['CAP-21: declared false', { sampling: {} }, { sampling: false }, { sampling: {} }],
  ['CAP-21: declared null', { sampling: {} }, { sampling: null }, { sampling: {} }],
  ['CAP-21: declared true', { sampling: {} }, { sampling: true }, undefined],
  ['CAP-21: a part of what is declared true', { sampling: { tools: {} } }, { sampling: true }, { sampling: { tools: {} } }],
  ['CAP-21: declared as a text', { sampling: {} }, { sampling: 'yes' }, { sampling: {} }],
  ['CAP-21: declared as a list', { sampling: {} }, { sampling: [] }, { sampling: {} }],
  ['CAP-21: required as true', { sampling: true }, { sampling: {} }, undefined],
  ['CAP-21: required as true, declared false', { sampling: true }, { sampling: false }, { sampling: true }],
  ['CAP-21: required as true, declared as 1', { sampling: true }, { sampling: 1 }, { sampling: true }],
  ['CAP-21: required as false asks for nothing', { sampling: false, roots: null }, {}, undefined],
  ['CAP-21: equal texts and numbers', { x: { s: 'a', n: 1 } }, { x: { s: 'a', n: 1 } }, undefined],
  ['CAP-21: other texts and numbers', { x: { s: 'a', n: 1, z: 0 } }, { x: { s: 'b', n: '1', z: 0 } }, { x: { s: 'a', n: 1 } }],
  [
    'CAP-21: a list with all elements, in any order',
    { x: { m: ['a', { b: 1, c: 2 }] } },
    { x: { m: [1, { c: 2, b: 1 }, 'a'] } },
    undefined,
  ],
  ['CAP-21: a list without one of them', { x: { m: ['a', 'b'] } }, { x: { m: ['a'] } }, { x: { m: ['a', 'b'] } }],
  ['CAP-21: a text for a list', { x: { m: ['a'] } }, { x: { m: 'a' } }, { x: { m: ['a'] } }],
  ['CAP-21: an empty list must still be declared', { x: { m: [] } }, { x: {} }, { x: { m: [] } }],
  ['CAP-21: a name nobody knows', { telepathy: {} }, { sampling: {} }, { telepathy: {} }],
  ['CAP-21: names of Object.prototype', { toString: {}, constructor: {} }, {}, { toString: {}, constructor: {} }],
  [
    'CAP-22: only what is missing, in its place',
    { a: { b: {}, c: { d: {}, e: {} } }, f: {} },
    { a: { b: {}, c: { d: {} } }, f: {} },
    { a: { c: { e: {} } } },
  ],
];

describe('missingCapabilities', () => {
  it.each(rows)('%s', (_, required, declared, missing) => {
    expect(missingCapabilities(required, declared)).toEqual(missing);
    expect(hasCapabilities(required, declared)).toBe(missing === undefined);
  });

  it('CAP-21: `__proto__` is a name like any other', () => {
    const required = parsed('{"__proto__":{"x":{}}}');
    const missing = missingCapabilities(required, {});
    expect(Object.keys(missing ?? {})).toEqual(['__proto__']);
    expect(missingCapabilities(required, parsed('{"__proto__":{"x":{}}}'))).toBeUndefined();
    expect(hasCapabilities(parsed('{"__proto__":{}}'), {})).toBe(false);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('CAP-05: no declaration at all has nothing, like an empty one', () => {
    expect(missingCapabilities({ sampling: {} }, undefined)).toEqual({ sampling: {} });
    expect(missingCapabilities({}, undefined)).toBeUndefined();
  });

  it('CAP-23: beyond the depth of any capability nothing is met, and no stack overflows', () => {
    const nested = (depth: number): JsonObject => parsed('{"a":'.repeat(depth) + '{}' + '}'.repeat(depth));
    expect(hasCapabilities(nested(16), nested(16))).toBe(true);
    expect(hasCapabilities(nested(17), nested(17))).toBe(false);
    expect(hasCapabilities(nested(1000), nested(1000))).toBe(false);
    const path = (depth: number): string[] => Array<string>(depth).fill('a');
    expect([reaches(path(16), nested(16)), reaches(path(17), nested(17))]).toEqual([true, false]);
    const list = (depth: number): Json => parsed(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(hasCapabilities({ x: list(5000) }, { x: list(5000) })).toBe(true);
  });

  it('CAP-23: long lists are compared in one pass', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => `v${i}`);
    expect(hasCapabilities({ x: many }, { x: [...many].reverse() })).toBe(true);
    expect(hasCapabilities({ x: [...many, 'w'] }, { x: many })).toBe(false);
  });
});

const leaf = fc.oneof(fc.boolean(), fc.constant(null), fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }), fc.constant({}));
const name = fc.constantFrom('a', 'b', 'elicitation', 'form', 'url', 'extensions', '__proto__', 'toString');
const { object } = fc.letrec<{ object: JsonObject; value: Json }>((tie) => ({
  object: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(leaf, { maxLength: 2 }), tie('object')),
}));

const chain = (path: readonly string[], end: Json): JsonObject =>
  path.reduceRight<Json>((inner, step) => ({ [step]: inner }), end) as JsonObject;

describe('properties of matching', () => {
  it('CAP-12: a client has what it declares', () => {
    fc.assert(fc.property(object, (required) => missingCapabilities(required, required) === undefined));
  });

  it('CAP-22: the missing part is never empty, is missing by itself, and is part of the requirement', () => {
    fc.assert(
      fc.property(object, object, (required, declared) => {
        const missing = missingCapabilities(required, declared);
        if (missing === undefined) return;
        expect(Object.keys(missing)).not.toEqual([]);
        expect(missingCapabilities(missing, declared)).toEqual(missing);
        expect(Object.keys(required)).toEqual(expect.arrayContaining(Object.keys(missing)));
      }),
    );
  });

  it('CAP-12: declaring more never makes a requirement unmet', () => {
    fc.assert(
      fc.property(object, object, object, (required, declared, more) => {
        fc.pre(hasCapabilities(required, declared));
        expect(hasCapabilities(required, { ...more, ...declared })).toBe(true);
      }),
    );
  });

  it('CAP-12, BASE-16: a path is met exactly if the requirement that it stands for is', () => {
    const paths = fc.array(name, { minLength: 1, maxLength: 4 });
    const tree = fc.tuple(paths, leaf).map(([path, end]) => chain(path, end));
    fc.assert(
      fc.property(paths, fc.oneof(object, tree), (path, declared) => {
        expect(reaches(path, declared)).toBe(hasCapabilities(chain(path, {}), declared));
      }),
      { numRuns: 2_000 },
    );
    expect([true, {}, { form: {} }, { url: {} }].map((given) => reaches(['elicitation'], { elicitation: given }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(reaches(['elicitation', 'form'], { elicitation: {} })).toBe(true);
    expect(reaches(['a'], undefined)).toBe(false);
  });

  it('CAP-23: a path that is longer than the bounds is never met', () => {
    const path = Array.from({ length: 200 }, () => 'a');
    expect(reaches(path, chain(path, {}))).toBe(false);
    expect(hasCapabilities(chain(path, {}), chain(path, {}))).toBe(false);
  });

  it('any JSON on either side is judged without a throw', () => {
    const any = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(any, any, (required, declared) => {
        expect(hasCapabilities(required, declared)).toBe(missingCapabilities(required, declared) === undefined);
      }),
    );
  });
});

describe('requireCapabilities', () => {
  it('BASE-03, CAP-03: requireCapabilities refuses with -32021, HTTP 400 and exactly the missing part as an object', () => {
    let thrown: unknown;
    try {
      requireCapabilities({ sampling: { tools: {} }, roots: {} }, { sampling: {}, roots: {} });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ContextError);
    const error = thrown as ContextError;
    expect([error.reason, error.code, error.status]).toEqual(['missing-capability', -32021, 400]);
    expect(errorAnswer(7, error)).toMatchObject({
      id: 7,
      error: { code: -32021, data: { requiredCapabilities: { sampling: { tools: {} } } } },
    });
  });

  it('CAP-15: requireCapabilities does nothing if everything is declared', () => {
    expect(() => requireCapabilities({ roots: {} }, { roots: {} })).not.toThrow();
  });
});
