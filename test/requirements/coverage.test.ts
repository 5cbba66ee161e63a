import { describe, expect, it } from 'vitest';
import { allCitations, citationsIn, coverage, families, levels, requirements } from './citations.mjs';
import type { Requirement } from './citations.mjs';

const rules = requirements();
const verdict = coverage({ requirements: rules, citations: allCitations() });

describe('the requirements', () => {
  it('each requirement has an id of a known family, a level, an actor, a place of proof and a sentence', () => {
    const bad = rules.filter(
      ({ id, level, who, rule }) =>
        !families.some((family) => id.startsWith(`${family}-`)) || !levels.has(level) || who === '' || !/^(?:[A-Z]|`).*\.$/su.test(rule),
    );
    expect(bad).toEqual([]);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  it('each binding requirement is cited by a test', () => {
    expect(verdict.uncited, 'cite the id in the title of the test that proves it, e.g. it("XYZ-42: …")').toEqual([]);
  });

  it('tests cite only ids of requirements', () => {
    expect(verdict.unknown).toEqual([]);
  });
});

describe('the scan for citations', () => {
  const cases: [name: string, source: string, ids: string[]][] = [
    ['the title of a test', `it('XX-1 and LANG-1: a rule', () => {})`, ['LANG-1']],
    ['the title of a group', `describe("LANG-1", () => { test(\`LANG-2: it\`, f) })`, ['LANG-1', 'LANG-2']],
    ['a title in pieces', 'it(`LANG-1 ${x} CTX-2` + "D-03", f)', ['LANG-1', 'CTX-2', 'D-03']],
    ['no comment', `/* LANG-1 */ it('a rule', () => { /* LANG-2 */ }) // LANG-3`, []],
    ['no body', `it('a rule', () => { expect('LANG-1').toBe('LANG-2') })`, []],
    ['the table of each', `it.each([['LANG-1: first', 'x'], ['LANG-2', 'see CTX-1']])('%s', f)`, ['LANG-1', 'LANG-2']],
    ['a named table', `const rows = [{ title: 'LANG-1: first' }]; it.each(rows)('$title', f)`, ['LANG-1']],
    ['a template table', 'it.each`title\n${"LANG-1: first"}`("$title", f)', ['LANG-1']],
    ['a loop over a table', `const t = [['LANG-1', 1]] as const; for (const [id, n] of t) it(\`\${id}: \${n}\`, f)`, ['LANG-1']],
    ['forEach over a table', `[{ id: 'LANG-1' }].forEach(({ id }) => { it(id, f) })`, ['LANG-1']],
    ['a loop whose titles are fixed', `for (const x of ['LANG-1']) it('always the same', f)`, []],
    ['a constant title', `const title = 'LANG-1: first'; it(title, f)`, ['LANG-1']],
    ['a conditional test', `it.skipIf(windows)('LANG-1: first', f); describe.runIf(x)('LANG-2', f)`, ['LANG-1', 'LANG-2']],
    ['no test that never runs', `it.skip('LANG-1', f); it.todo('LANG-2'); describe.skip('LANG-3', () => { it('LANG-4', f) })`, []],
    ['no longer name', `it('LANG-1x, XLANG-2, LANG-3-4, D-1', f)`, ['LANG-3']],
  ];
  it.each(cases)('the scan counts %s', (_, source, ids) => {
    expect([...citationsIn(source)]).toEqual(ids);
  });
});

describe('the coverage check', () => {
  const rule = (id: string, level: string): Requirement => ({ id, level, who: 'all', rule: 'So it is.' });
  const input = {
    requirements: [rule('LANG-1', 'MUST'), rule('LANG-2', 'MUST NOT'), rule('LANG-3', 'rule'), rule('LANG-4', 'MAY')],
    citations: [{ file: 'a.test.ts', ids: new Set(['LANG-1', 'LANG-2', 'LANG-3']) }],
  };

  it('coverage passes if every binding rule is cited', () => {
    expect(coverage(input)).toEqual({ uncited: [], unknown: [] });
  });
  it('coverage finds a binding rule without a citation', () => {
    expect(coverage({ ...input, citations: [] }).uncited).toEqual(['LANG-1', 'LANG-2', 'LANG-3']);
  });
  it('coverage finds an unknown id in a title', () => {
    expect(coverage({ ...input, citations: [...input.citations, { file: 'b.test.ts', ids: new Set(['LANG-9']) }] }).unknown).toEqual([
      'b.test.ts: LANG-9',
    ]);
  });
});
