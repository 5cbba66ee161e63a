/** SEP-1809 at gateways. */
import { NotApplicable } from '../../check.js';
import { expectResult } from '../../runner/servers.js';
import { at, short } from '../../wire/json.js';
import { CLIENT_CONTEXT } from '../../wire/keys.js';
import { arrivedOf, expectArrived, type GatewayCheck, metaOf, pass } from './trial.js';

const CONTEXT = { timezone: 'Europe/Vienna', currentTimestamp: '2024-02-29T12:00:00+01:00', locale: 'de-AT' };

export const environmentChecks: readonly GatewayCheck[] = [
  {
    id: 'environment:undisturbed',
    proves: ['CTX-14'],
    title: 'A call with client context goes through',
    faults: ['environment-refused'],
    run: async (trial) =>
      void expectResult((await pass(trial, 'check_meta', { meta: { [CLIENT_CONTEXT]: CONTEXT } })).exchange, 'with client context'),
  },
  {
    id: 'environment:forwarded',
    proves: ['CTX-31'],
    title: 'Members of the client context pass unchanged or are dropped whole; the timestamp stays',
    faults: ['environment-restamps', 'environment-refused'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: { [CLIENT_CONTEXT]: CONTEXT } });
      const got = metaOf(arrivedOf(passed), CLIENT_CONTEXT);
      if (got === undefined) throw new NotApplicable('the gateway drops the client context');
      for (const [member, value] of Object.entries(CONTEXT)) {
        const its = at(got, member);
        expectArrived(its === undefined || its === value, `${member} ${short(value)} arrived as ${short(its)}`, passed);
      }
    },
  },
];
