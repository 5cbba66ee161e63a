/** SEP-1809 on servers: zone and timestamp of the caller decide what a relative day is. */
import { expect } from '../../../check.js';
import { dataOf, expectResult } from '../../../runner/servers.js';
import { equal, short } from '../../../wire/json.js';
import type { ServerCheck } from '../trial.js';
import { ANGELES, callRange, carry, expectRange, expectSame, FIXED, NEITHER, VIENNA } from './range.js';

export const readingChecks: readonly ServerCheck[] = [
  {
    id: 'environment:zone',
    proves: ['CTX-07', 'CTX-08'],
    title: 'A relative day is read in the zone of the caller',
    faults: NEITHER,
    run: async (trial) => {
      await expectRange(trial, VIENNA);
      await expectRange(trial, ANGELES);
    },
  },
  {
    id: 'environment:now',
    proves: ['CTX-09'],
    title: 'The timestamp of the caller is now',
    faults: ['environment-own-clock', 'environment-no-fractions'],
    run: async (trial) => {
      const context = { timezone: 'UTC', currentTimestamp: '2019-03-05T10:00:00Z' };
      await expectRange(trial, { context, start: '2019-03-05T00:00:00Z' });
      const exact = { timezone: 'UTC', currentTimestamp: '2018-03-05T23:59:59.999+00:00' };
      await expectRange(trial, { context: exact, start: '2018-03-05T00:00:00Z' });
      await expectRange(trial, { context, phrase: 'yesterday', start: '2019-03-04T00:00:00Z' });
    },
  },
  {
    id: 'environment:per-request',
    proves: ['BASE-02'],
    title: 'The context of an earlier request does not count later',
    faults: ['environment-sticky'],
    run: async (trial) => {
      const after = async ({ context }: typeof VIENNA | typeof ANGELES) => {
        await callRange(trial, 'today', carry(trial, context));
        const called = await callRange(trial, 'today', carry(trial, FIXED.context));
        expectResult(called, `"today" with ${short(FIXED.context)}`);
        return { called, day: dataOf(called) };
      };
      const [one, other] = [await after(VIENNA), await after(ANGELES)];
      const observed = `a call without a zone gave ${short(one.day)} after one from Vienna, ${short(other.day)} after one from Los Angeles`;
      expect(equal(one.day, other.day), observed, other.called, ['answer', 'result']);
    },
  },
  {
    id: 'environment:parallel',
    proves: ['CTX-07', 'CTX-08'],
    title: 'Calls that run at the same time keep their own context',
    faults: ['environment-global'],
    run: async (trial) => {
      const contexts = [VIENNA, ANGELES].map(({ context }) => context);
      const ask = async (context: (typeof contexts)[number]) => {
        const called = await callRange(trial, 'today', carry(trial, context));
        expectResult(called, `"today" with ${short(context)}`);
        return { called, day: dataOf(called) };
      };
      const alone = new Map<unknown, unknown>();
      for (const context of contexts) alone.set(context, (await ask(context)).day);
      const all = [...contexts, ...contexts];
      const together = await Promise.all(all.map(ask));
      together.forEach(({ called, day }, index) => {
        const before = alone.get(all[index]);
        const observed = `${short(all[index])} gave ${short(before)} alone, and ${short(day)} beside other calls`;
        expect(equal(day, before), observed, called, ['answer', 'result']);
      });
    },
  },
  {
    id: 'environment:offset',
    proves: ['CTX-26'],
    title: 'A timestamp without a zone gives its offset to the day',
    faults: ['environment-needs-zone', 'environment-own-clock', 'environment-offset-minutes', 'environment-sticky'],
    run: async (trial) => {
      await expectRange(trial, FIXED);
      await expectRange(trial, { context: { currentTimestamp: '2024-06-10T23:50:00-03:30' }, start: '2024-06-10T03:30:00Z' });
    },
  },
  {
    id: 'environment:disagree',
    proves: ['CTX-27'],
    title: 'An offset that disagrees with the zone is not an error: the instant stands, the zone draws the day',
    faults: ['environment-refuses-disagreement', ...NEITHER],
    run: (trial) =>
      expectRange(trial, { context: { timezone: 'Europe/Vienna', currentTimestamp: '2024-06-10T18:30:00-05:00' }, start: VIENNA.start }),
  },
  {
    id: 'environment:sibling',
    proves: ['CTX-21'],
    title: 'Context beside params is read too, and _meta wins over it',
    faults: ['environment-no-sibling', 'environment-beside-wins'],
    run: async (trial) => {
      const inMeta = [`with ${short(VIENNA.context)} in _meta`, carry(trial, VIENNA.context, false)] as const;
      await expectSame(trial, inMeta, ['beside params', carry(trial, VIENNA.context, true)]);
      await expectSame(trial, inMeta, ['and another context beside params', carry(trial, ANGELES.context, true, VIENNA.context)]);
    },
  },
];
