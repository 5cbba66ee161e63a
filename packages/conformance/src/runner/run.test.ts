import { describe, expect, it } from 'vitest';
import { type Check, NotApplicable, type CheckOutcome } from '../check.js';
import { fold } from '../report/fold.js';
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
  const outcomes: CheckOutcome[] = [];
  const none = new Set<string>();
  await runChecks(
    checks,
    { place: { revision: MODERN, transport: 'http' }, trial: undefined },
    {
      ...{ expected: new Set(expected), only: none, requirement: none, wire: 'current', timeout: 5000 },
      onOutcome: (one) => outcomes.push(one),
    },
  );
  return outcomes.map(({ check: id, verdict, observed }) => `${id} ${verdict}: ${observed}`);
}

it('a concern that is expected and missing fails the run, even if its rule is a SHOULD', () => {
  const outcome = {
    check: 'language:expected',
    proves: ['LANG-01'],
    revision: MODERN,
    transport: 'http',
    verdict: 'fail',
    observed: '',
  } as const;
  expect(fold('x', [{ ...outcome, demanded: true }], false).summary.fail).toBe(1);
  expect(fold('x', [outcome], false).summary.warn).toBe(1);
});

describe('--expect', () => {
  it('fails once for a concern without any check that applies, with what was observed', async () => {
    const checks = [check('language:one', nothing('no report')), check('language:two', nothing('no tools')), check('trace:one')];
    expect((await outcomesOf(checks, ['language', 'trace'])).slice(3)).toEqual([
      'language:expected fail: expected to take part, but no report',
    ]);
  });

  it('is satisfied by one check that applies', async () => {
    const checks = [check('language:one', nothing('no report')), check('language:two')];
    expect(await outcomesOf(checks, ['language', 'state'])).toHaveLength(2);
  });
});
