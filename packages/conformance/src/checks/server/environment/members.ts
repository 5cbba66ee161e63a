/** SEP-1809 on servers: members that are malformed, or spelled in another way. */
import { expect } from '../../../check.js';
import { dataOf, expectResult } from '../../../runner/servers.js';
import { at, type Message, short } from '../../../wire/json.js';
import type { ServerCheck } from '../trial.js';
import { callRange, carry, expectSame, VIENNA, way } from './range.js';

/** Near midnight, so that another zone would give another day. */
const LATE = '2024-06-10T22:30:00+02:00';
const BAD_ZONES = ['Mars/Olympus', '+05:30', 'India Standard Time', 3];
const BAD_MEMBERS: readonly Message[] = [
  { locale: 'de_AT' },
  { locale: 7 },
  { userLocation: { country: 'Austria', coordinates: { latitude: 91, longitude: 0 } } },
];
const SPELLINGS = [
  ['Europe/Vienna', 'europe/vienna'],
  ['Asia/Kolkata', 'Asia/Calcutta'],
  // By the sign of this name, five hours behind UTC.
  ['America/Panama', 'Etc/GMT+5'],
] as const;

export const memberChecks: readonly ServerCheck[] = [
  {
    id: 'environment:no-object',
    proves: ['CTX-22'],
    title: 'A context that is not an object counts as none, and the call goes on',
    faults: ['environment-breaks-on-text'],
    run: async (trial) => {
      for (const context of ['Europe/Vienna', ['Europe/Vienna'], 7, null])
        expectResult(await callRange(trial, 'today', carry(trial, context, false)), `"today" with ${short(context)}`);
    },
  },
  {
    id: 'environment:bad-member',
    proves: ['CTX-22'],
    title: 'A bad member is dropped, the others hold, and the call goes on',
    faults: ['environment-refuses-bad', 'environment-drops-all', 'environment-reads-local-time', 'environment-reads-offset-zones'],
    run: async (trial) => {
      for (const bad of BAD_MEMBERS) await expectSame(trial, way(trial, VIENNA.context), way(trial, { ...VIENNA.context, ...bad }));
      for (const timezone of BAD_ZONES)
        await expectSame(trial, way(trial, { currentTimestamp: LATE }), way(trial, { timezone, currentTimestamp: LATE }));
      // Without a usable timestamp the clock of the server counts, and that is past 2019.
      for (const currentTimestamp of ['2019-03-05T10:00:00', '2019-03-05', 1551780000]) {
        const context = { timezone: 'UTC', currentTimestamp };
        const called = await callRange(trial, 'today', carry(trial, context));
        expectResult(called, `"today" with ${short(context)}`);
        const start = at(dataOf(called), 'start');
        const own = !String(start).startsWith('2019');
        expect(own, `${short(context)} has no usable timestamp, and today starts at ${short(start)}`, called, ['answer', 'result']);
      }
    },
  },
  {
    id: 'environment:spelling',
    proves: ['CTX-23'],
    title: 'Zone names are read without case, older names still work, and Etc/GMT+5 is behind UTC',
    faults: ['environment-case-sensitive', 'environment-etc-sign'],
    run: async (trial) => {
      for (const [timezone, other] of SPELLINGS)
        await expectSame(trial, way(trial, { ...VIENNA.context, timezone }), way(trial, { ...VIENNA.context, timezone: other }));
    },
  },
];
