/** The data of the kit against the list of all rules, and against docs/reference/conformance.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../packages/conformance/src/requirements.js';
import { SCENARIOS } from '../../packages/conformance/src/scenarios/scenarios.js';
import { requirements } from '../requirements/citations.mjs';

const page = readFileSync(new URL('../../docs/reference/conformance.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## Rules without a check\n');
/** The rules in the last column of the table under that heading. */
const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/[A-Z]+-\d+(?=[, A-Z\d-]* +\|$)/gm)].map(([id]) => id);
const judged = new Set(REQUIREMENTS.map(({ id }) => id));

describe('the rules of the kit', () => {
  it('each binding rule is judged, or the guide lists it once with the reason why not', () => {
    const binding = requirements().filter(({ id, level }) => !id.startsWith('D-') && /^(?:MUST|SHOULD|rule)/.test(level));
    expect(
      binding
        .map(({ id }) => id)
        .filter((id) => !judged.has(id))
        .sort(),
    ).toEqual([...listed].sort());
  });
});

describe('the scenarios in the guide', () => {
  const sections = new Map(
    [...page.matchAll(/^### (\w+)\n\n(.+)\n\n```json\n([^`]+)```/gm)].map(([, name = '', about, steps = '']) => [
      name,
      { about, steps: JSON.parse(steps) as unknown },
    ]),
  );

  it('are those of the data, in the same order', () => {
    expect([...sections.keys()]).toEqual(SCENARIOS.map(({ name }) => name));
  });

  it.each(SCENARIOS.map(({ name, about, steps }) => ({ name, about, steps })))('$name has the steps of the data', ({ name, ...rest }) => {
    expect(sections.get(name)).toEqual(rest);
  });
});
