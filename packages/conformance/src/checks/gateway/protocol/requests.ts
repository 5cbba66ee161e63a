/** Rules of the protocol itself, for gateways: what reaches the upstream. */
import { expect, NotApplicable } from '../../../check.js';
import { inWords } from '../../../runner/servers.js';
import { at, equal, short } from '../../../wire/json.js';
import { LEGACY, MODERN, PROTOCOL_VERSION } from '../../../wire/keys.js';
import { arrivedOf, expectArrived, type GatewayCheck, metaOf, pass } from '../trial.js';

/** Headers of a call of check_meta that its body contradicts. */
const WRONG_HEADERS = [
  ['Mcp-Method', 'tools/list'],
  ['Mcp-Name', 'check_state'],
  ['MCP-Protocol-Version', LEGACY],
] as const;

export const requestChecks: readonly GatewayCheck[] = [
  {
    id: 'protocol:headers',
    proves: ['BASE-09'],
    title: 'A request whose headers and body differ is refused, or reaches the upstream with the same difference',
    faults: ['ignores-headers', 'ignores-method-header', 'ignores-name-header'],
    revisions: [MODERN],
    run: async (trial) => {
      for (const [name, value] of WRONG_HEADERS) {
        const { exchange, arrived } = await pass(trial, 'check_meta', { headers: [[name, value]] });
        if (exchange.answer !== undefined && (exchange.status ?? 0) >= 400) continue;
        // A gateway that hands on what it got leaves the refusal to the upstream.
        const handedOn = arrived !== undefined && equal(arrived.headers[name.toLowerCase()], [value]);
        const observed = `${name} said ${value}, the body something else, and the gateway answered ${inWords(exchange)}`;
        expect(handedOn, observed, exchange, ['status']);
      }
    },
  },
  {
    id: 'protocol:upstream-headers',
    proves: ['BASE-07'],
    title: 'Headers towards the upstream repeat the body',
    faults: ['wrong-upstream-headers'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta');
      const arrived = arrivedOf(passed);
      if (trial.upstream === 'stdio' || metaOf(arrived, PROTOCOL_VERSION) === undefined)
        throw new NotApplicable('the upstream hop has no such headers');
      for (const [name, value] of Object.entries({ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'check_meta' }))
        expectArrived(equal(arrived.headers[name], [value]), `${name} is ${short(arrived.headers[name])}, the body says ${value}`, passed);
    },
  },
  {
    id: 'protocol:unknown-meta',
    proves: ['D-21'],
    title: 'Keys that the gateway does not know pass untouched',
    faults: ['drops-unknown'],
    run: async (trial) => {
      const value = { nested: [1, null, '✓'] };
      const passed = await pass(trial, 'check_meta', { meta: { 'com.example/conformance': value } });
      const got = metaOf(arrivedOf(passed), 'com.example/conformance');
      expectArrived(equal(got, value), `sent ${short(value)}, the upstream got ${short(got)}`, passed);
    },
  },
  {
    id: 'protocol:arguments',
    proves: ['TRACE-05'],
    title: 'Arguments of a tool reach the upstream as they were sent',
    faults: ['arguments-as-text'],
    run: async (trial) => {
      const args = { n: 5, list: [1, null, 'x'], nested: { yes: true } };
      const passed = await pass(trial, 'check_meta', { params: { arguments: args } });
      const got = at(arrivedOf(passed).message, 'params', 'arguments');
      const same = Object.entries(args).every(([name, value]) => equal(at(got, name), value));
      expectArrived(same, `sent ${short(args)}, the upstream got ${short(got)}`, passed);
    },
  },
  {
    id: 'protocol:retry',
    proves: ['TRACE-05'],
    title: 'The answer to a question and its request state reach the upstream as they were sent',
    faults: ['drops-request-state', 'changes-responses'],
    revisions: [MODERN],
    run: async (trial) => {
      const params = {
        requestState: 'c3RhdGU.of=this+question/1 ',
        inputResponses: { colour: { action: 'accept', content: { colour: 'blau', shades: [1, 2.5] } } },
      };
      const passed = await pass(trial, 'check_meta', { params });
      const arrived = arrivedOf(passed);
      if (metaOf(arrived, PROTOCOL_VERSION) === undefined) throw new NotApplicable('the upstream is spoken in the older revision');
      const got = arrived.message['params'];
      for (const [name, value] of Object.entries(params))
        expectArrived(equal(at(got, name), value), `${name} ${short(value)} arrived as ${short(at(got, name))}`, passed);
    },
  },
];
