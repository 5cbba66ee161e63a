import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../issue.js';
import type { JsonObject } from '../json.js';
import { chooseTools, offersTool, readRequirement, writeRequirement, type Requirement } from './tools.js';

const REQUIRED = 'io.modelcontextprotocol/requiredCapabilities';
const UNLESS = 'io.modelcontextprotocol/whenCapabilitiesUnavailable';
const deep = JSON.parse('{"a":'.repeat(1000) + '{}' + '}'.repeat(1000)) as JsonObject;
const wide = { extensions: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`a.b/c${i}`, {}])) };

function collect(): { issues: Issue[]; report: (issue: Issue) => void } {
  const issues: Issue[] = [];
  return { issues, report: (issue) => issues.push(issue) };
}
const never = (issue: Issue): never => {
  throw new Error(`unexpected issue: ${issue.key} ${issue.problem}`);
};

describe('readRequirement', () => {
  it.each<[string, unknown, Requirement]>([
    ['a tool without _meta', { name: 'a' }, {}],
    ['a tool with other keys', { _meta: { 'com.example/x': 1 } }, {}],
    ['what is no tool', null, {}],
    ['a _meta that is no object', { _meta: 'x' }, {}],
    ['a requirement', { _meta: { [REQUIRED]: { sampling: {} } } }, { required: { sampling: {} } }],
    ['a requirement of nothing', { _meta: { [REQUIRED]: {} } }, { required: {} }],
    ['a stand-in', { _meta: { [UNLESS]: { sampling: {} } } }, { unless: { sampling: {} } }],
    ['both', { _meta: { [REQUIRED]: { a: {} }, [UNLESS]: { b: {} } } }, { required: { a: {} }, unless: { b: {} } }],
  ])('CAP-10: %s', (_, tool, expected) => {
    expect(readRequirement(tool, never)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a list of names', ['sampling']],
    ['a text', 'sampling'],
    ['null', null],
    ['nesting without end', deep],
    ['names without end', wide],
    ['10 MB', { a: 'x'.repeat(10_000_000) }],
  ])('CAP-23: an annotation of %s is one issue and no annotation', (_, value) => {
    for (const key of [REQUIRED, UNLESS]) {
      const { issues, report } = collect();
      expect(readRequirement({ _meta: { [key]: value } }, report)).toEqual({});
      expect(issues.map((issue) => [issue.concern, issue.key])).toEqual([['capabilities', key]]);
    }
  });

  it.each([{}, { sampling: false }])(
    'CAP-36: a stand-in for %j, which everybody has, is an issue: it would be hidden from all',
    (unless) => {
      const { issues, report } = collect();
      expect(readRequirement({ _meta: { [UNLESS]: unless } }, report)).toEqual({});
      expect(issues).toHaveLength(1);
    },
  );

  it('readRequirement takes any JSON in any place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (required, unless) => {
        const { issues, report } = collect();
        const read = readRequirement({ _meta: { [REQUIRED]: required, [UNLESS]: unless } }, report);
        expect(Object.keys(read).length + issues.length).toBe(2);
      }),
    );
  });
});

describe('writeRequirement', () => {
  it('CAP-10: adds the annotation to a copy, and what is written is what is read', () => {
    const tool = Object.freeze({ name: 'ask', _meta: Object.freeze({ 'com.example/x': 1 }) });
    const requirement = { required: { elicitation: { form: {} } }, unless: { sampling: {} } };
    const written = writeRequirement(tool, requirement, never);
    expect(written).toEqual({ name: 'ask', _meta: { 'com.example/x': 1, [REQUIRED]: requirement.required, [UNLESS]: requirement.unless } });
    expect(readRequirement(written, never)).toEqual(requirement);
  });

  it('an annotation by the author of the tool wins, and a difference is reported', () => {
    const tool = { name: 'ask', _meta: { [REQUIRED]: { roots: {} } } };
    const issues: Issue[] = [];
    const report = (issue: Issue): void => void issues.push(issue);
    const written = writeRequirement(tool, { required: { sampling: {} }, unless: { tasks: {} } }, report);
    expect(written._meta).toEqual({ [REQUIRED]: { roots: {} }, [UNLESS]: { tasks: {} } });
    expect(writeRequirement(tool, { required: { sampling: {} } }, report)).toBe(tool);
    expect(issues.map(({ key }) => key)).toEqual([REQUIRED, REQUIRED]);
    expect(writeRequirement(tool, { required: { roots: {} } }, never)).toBe(tool);
  });

  it('CAP-11, CAP-18: a tool without a requirement stays as it is', () => {
    const tool = { name: 'hybrid' };
    expect(writeRequirement(tool, {}, never)).toBe(tool);
  });

  it('a requirement that a reader would drop is not written', () => {
    const { issues, report } = collect();
    const tool = { name: 'ask' };
    expect(writeRequirement(tool, { required: deep, unless: {} }, report)).toBe(tool);
    expect(issues.map(({ key }) => key)).toEqual([REQUIRED, UNLESS]);
  });

  it('a `_meta` that is not an object is left alone', () => {
    const { issues, report } = collect();
    const tool = { name: 'ask', _meta: 'text' };
    expect(writeRequirement(tool, { required: { sampling: {} } }, report)).toBe(tool);
    expect(issues).toHaveLength(1);
  });
});

describe('offersTool', () => {
  it.each<[Requirement, JsonObject | undefined, boolean]>([
    [{}, undefined, true],
    [{ required: { sampling: {} } }, { sampling: {} }, true],
    [{ required: { sampling: {} } }, {}, false],
    [{ required: { sampling: {} } }, undefined, false],
    [{ unless: { sampling: {} } }, { sampling: {} }, false],
    [{ unless: { sampling: {} } }, {}, true],
    [{ unless: { sampling: {}, roots: {} } }, { sampling: {} }, true],
    [{ required: { roots: {} }, unless: { sampling: {} } }, { roots: {} }, true],
    [{ required: { roots: {} }, unless: { sampling: {} } }, {}, false],
    [{ required: { roots: {} }, unless: { sampling: {} } }, { roots: {}, sampling: {} }, false],
  ])('D-15, CAP-36: %j to a client with %j: %s', (requirement, declared, offered) => {
    expect(offersTool(requirement, declared)).toBe(offered);
  });
});

describe('chooseTools', () => {
  const book = { name: 'book', _meta: { [REQUIRED]: { elicitation: { form: {} } } } };
  const link = { name: 'book_by_link', _meta: { [UNLESS]: { elicitation: { form: {} } } } };
  const look = { name: 'look' };
  const broken = { name: 'broken', _meta: { [REQUIRED]: 'all' } };
  const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);

  it.each<[string, JsonObject | undefined, boolean, string[]]>([
    ['CAP-14: tools with unmet requirements are left out', {}, false, ['book_by_link', 'look']],
    ['CAP-14: tools with met requirements are kept', { elicitation: {} }, false, ['book', 'book_by_link', 'look']],
    ['D-15: the stand-in is left out if the tool itself can be used', { elicitation: {} }, true, ['book', 'look']],
    ['D-15: the stand-in is offered if the tool cannot be used', { sampling: {} }, true, ['book_by_link', 'look']],
    ['CAP-02: nothing declared is nothing supported', undefined, true, ['book_by_link', 'look']],
  ])('%s', (_, declared, substitution, expected) => {
    expect(names(chooseTools([book, link, look], declared, never, { substitution }))).toEqual(expected);
  });

  it('CAP-18, CAP-23: a tool with an unreadable annotation is offered and reported', () => {
    const { issues, report } = collect();
    expect(names(chooseTools([broken], {}, report))).toEqual(['broken']);
    expect(issues).toHaveLength(1);
  });

  it('CAP-17, CAP-19, CAP-25: chooseTools only removes tools: the rest are the same objects, annotations untouched, in their order', () => {
    const declared = fc.dictionary(fc.constantFrom('elicitation', 'sampling', 'roots'), fc.constantFrom({}, { url: {} }, true, false));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([book, link, look]),
        declared as fc.Arbitrary<JsonObject>,
        fc.boolean(),
        (tools, own, substitution) => {
          const before = structuredClone(tools);
          const chosen = chooseTools(tools, own, never, { substitution });
          expect(chosen).toEqual(tools.filter((tool) => chosen.includes(tool)));
          expect(tools).toEqual(before);
        },
      ),
    );
  });
});
