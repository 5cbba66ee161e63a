import { describe, expect, it } from 'vitest';
import { type Check, NotApplicable, type Outcome } from '../check.js';
import { MODERN } from '../wire/keys.js';
import { runChecks } from './run.js';

const check = (id: string, run: Check<undefined>['run'] = () => undefined): Check<undefined> => ({
  id,
  run,
  proves: ['LANG-01'],
  title: id,
  faults: [],
});
const nothing = (why: string) => () => {
  throw new NotApplicable(why);
};

async function outcomesOf(checks: Check<undefined>[], expected: string[]): Promise<string[]> {
  const outcomes: Outcome[] = [];
  const bench = { place: { revision: MODERN, transport: 'http' }, trial: undefined, absent: () => undefined, taken: () => [] } as const;
  await runChecks(checks, { ...bench, expected: new Set(expected), recover: () => Promise.resolve() }, (one) => outcomes.push(one));
  return outcomes.map(({ check: id, verdict, observed }) => `${id} ${verdict}: ${observed}`);
}

describe('concerns that are expected', () => {
  it('of which nothing applies fail once, with what was observed', async () => {
    const checks = [check('language:one', nothing('no report')), check('language:two', nothing('no tools')), check('trace:one')];
    expect((await outcomesOf(checks, ['language', 'trace'])).slice(3)).toEqual([
      'language:expected fail: expected to take part, but no report',
    ]);
  });

  it('of which one check applies are taken part in', async () => {
    const checks = [check('language:one', nothing('no report')), check('language:two')];
    expect(await outcomesOf(checks, ['language', 'state'])).toHaveLength(2);
  });
});
