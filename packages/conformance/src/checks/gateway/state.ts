/** SEP-1655 at gateways: state of one caller stays with this caller. */
import { NotApplicable } from '../../check.js';
import { expectResult, stateIn } from '../../runner/servers.js';
import { at, short } from '../../wire/json.js';
import { STATE_KEYS } from '../../wire/keys.js';
import { expectArrived, type GatewayCheck, metaOf, pass } from './trial.js';

export const stateChecks: readonly GatewayCheck[] = [
  {
    id: 'state:callers',
    proves: ['STATE-44'],
    title: 'State of one caller reaches neither another caller nor the requests of another',
    faults: ['state-shared'],
    run: async (trial) => {
      const capabilities = { state: {} };
      const { exchange } = await pass(trial, 'check_state', { capabilities });
      const found = stateIn(at(exchange.answer, 'result'));
      expectResult(exchange, 'check_state');
      const others = await pass(trial, 'check_meta', { capabilities }, trial.other);
      const sent = [...STATE_KEYS.session, ...STATE_KEYS.server]
        .map((key) => metaOf(others.arrived, key))
        .find((value) => value !== undefined);
      expectArrived(sent === undefined, `a caller without state was sent with ${short(sent)}`, others);
      if (found.length === 0) throw new NotApplicable('no state of the upstream reaches the caller, and none is shared');
    },
  },
];
