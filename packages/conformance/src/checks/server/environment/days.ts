/** SEP-1809 on servers: days and hours at which clocks change. */
import { NotApplicable } from '../../../check.js';
import { resultOf } from '../../../runner/servers.js';
import { at } from '../../../wire/json.js';
import type { ServerCheck } from '../trial.js';
import { callRange, carry, expectRange, NEITHER } from './range.js';

export const dayChecks: readonly ServerCheck[] = [
  {
    id: 'environment:changed-days',
    proves: ['CTX-24'],
    title: 'A day on which clocks change has its real length, and begins when its date does',
    faults: ['environment-24-hours', 'environment-midnight', ...NEITHER],
    run: async (trial) => {
      for (const [timezone, currentTimestamp, start, end] of [
        ['Europe/Vienna', '2025-10-26T12:00:00+01:00', '2025-10-25T22:00:00Z', '2025-10-26T23:00:00Z'],
        ['Europe/Vienna', '2026-03-29T12:00:00+02:00', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
        ['Australia/Lord_Howe', '2026-04-05T12:00:00+10:30', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
        // Here midnight does not exist.
        ['Africa/Cairo', '2025-04-25T12:00:00+03:00', '2025-04-24T22:00:00Z', '2025-04-25T21:00:00Z'],
        ['America/Havana', '2026-03-08T12:00:00-04:00', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
      ] as const)
        await expectRange(trial, { context: { timezone, currentTimestamp }, start, end });
    },
  },
  {
    id: 'environment:next-day',
    proves: ['CTX-24'],
    title: 'Tomorrow is the next date, also if that is not 24 hours away',
    faults: ['environment-adds-24-hours', 'environment-24-hours', ...NEITHER],
    run: async (trial) => {
      const timezone = 'Europe/Vienna';
      const long = { timezone, currentTimestamp: '2025-10-26T00:30:00+02:00' };
      await expectRange(trial, { context: long, phrase: 'tomorrow', start: '2025-10-26T23:00:00Z', end: '2025-10-27T23:00:00Z' });
      const short = { timezone, currentTimestamp: '2026-03-30T00:30:00+02:00' };
      await expectRange(trial, { context: short, phrase: 'yesterday', start: '2026-03-28T23:00:00Z', end: '2026-03-29T22:00:00Z' });
    },
  },
  {
    id: 'environment:repeated-hour',
    proves: ['CTX-25'],
    title: 'In an hour that the clock shows twice, the offset of the timestamp tells which one it is',
    faults: ['environment-forgets-offset', 'environment-own-clock'],
    run: async (trial) => {
      const phrase = 'this hour';
      const context = { timezone: 'Europe/Vienna', currentTimestamp: '2025-10-26T02:30:00+02:00' };
      const known = resultOf(await callRange(trial, phrase, carry(trial, context)));
      if (known === undefined || at(known, 'isError') === true) throw new NotApplicable(`check_range does not know the phrase "${phrase}"`);
      await expectRange(trial, { context, phrase, start: '2025-10-26T00:00:00Z' });
      const later = { ...context, currentTimestamp: '2025-10-26T02:30:00+01:00' };
      await expectRange(trial, { context: later, phrase, start: '2025-10-26T01:00:00Z' });
    },
  },
];
