/** The data of the kit against the list of all rules, and against docs/conformance.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../packages/conformance/src/requirements.js';
import { SCENARIOS } from '../../packages/conformance/src/scenarios/scenarios.js';
import { UNCHECKED } from '../../packages/conformance/src/unchecked.js';
import { requirements } from '../requirements/citations.mjs';

const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
const listed = UNCHECKED.flatMap(({ ids }) => ids);
const judged = new Set(REQUIREMENTS.map(({ id }) => id));

describe('the rules of the kit', () => {
  it('each binding rule is judged, or listed once with the reason why not', () => {
    const binding = requirements().filter(({ id, level }) => !id.startsWith('D-') && /^(?:MUST|SHOULD|rule)/.test(level));
    expect(
      binding
        .map(({ id }) => id)
        .filter((id) => !judged.has(id))
        .sort(),
    ).toEqual([...listed].sort());
  });

  it('the guide lists the rules without a check', () => {
    for (const { reason, ids } of UNCHECKED)
      expect(page.split('\n').map((line) => line.replace(/\s+/g, ' '))).toContain(`| ${reason} | ${ids.join(', ')} |`);
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
