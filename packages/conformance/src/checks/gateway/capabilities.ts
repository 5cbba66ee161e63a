/** Capabilities at gateways: what the upstream sees, and what comes back. */
import { expect } from '../../check.js';
import { expectRefusal, expectResult } from '../../runner/servers.js';
import { at, equal, isObject, short } from '../../wire/json.js';
import { FORM, MISSING_CAPABILITY, MODERN, REQUIRED_CAPABILITIES } from '../../wire/keys.js';
import { arrivedOf, expectArrived, type GatewayCheck, pass, passList } from './trial.js';

export const capabilityChecks: readonly GatewayCheck[] = [
  {
    id: 'capabilities:declared',
    proves: ['CAP-25'],
    title: 'The upstream sees no capability that the caller did not declare',
    faults: ['capabilities-adds'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { capabilities: { roots: {} } });
      // State is the one capability that a gateway may add: it can keep state itself.
      const added = Object.keys(arrivedOf(passed).declared).filter(
        (name) => !['roots', 'state', 'extensions', 'experimental'].includes(name),
      );
      expectArrived(added.length === 0, `the caller declared roots, the upstream saw ${added.join(', ')}`, passed);
    },
  },
  {
    id: 'capabilities:annotation',
    proves: ['CAP-25'],
    title: 'Annotations of tools pass untouched',
    faults: ['capabilities-strips'],
    run: async (trial) => {
      const { exchange } = await passList(trial, { capabilities: FORM });
      const tools = expectResult(exchange, 'tools/list')['tools'];
      const asks = Array.isArray(tools) ? tools.findIndex((tool: unknown) => at(tool, 'name') === 'check_ask') : -1;
      expect(asks >= 0, 'check_ask is missing from the list', exchange, ['answer', 'result', 'tools']);
      const got = at(tools, asks, '_meta', REQUIRED_CAPABILITIES);
      expect(equal(got, FORM), `check_ask requires ${short(FORM)}, the caller sees ${short(got)}`, exchange, [
        'answer',
        'result',
        'tools',
        asks,
      ]);
    },
  },
  {
    id: 'capabilities:refusal',
    proves: ['CAP-03'],
    title: 'A refusal for a missing capability keeps its code, status and data',
    faults: ['capabilities-flattens', 'capabilities-status'],
    revisions: [MODERN],
    run: async (trial) => {
      const { exchange } = await pass(trial, 'check_ask');
      expectRefusal(exchange, [MISSING_CAPABILITY], 400, 'check_ask without elicitation');
      const missing: unknown = at(exchange.answer, 'error', 'data', 'requiredCapabilities');
      expect(isObject(missing) && isObject(missing['elicitation']), `data.requiredCapabilities is ${short(missing)}`, exchange, [
        'answer',
        'error',
      ]);
    },
  },
];
