/** Rules of the protocol itself that the five concerns stand on, for gateways. */
import { expect, NotApplicable } from '../../check.js';
import { dataOf, expectResult, resultOf, told } from '../../runner/servers.js';
import type { Exchange } from '../../wire/exchange.js';
import { at, equal, short } from '../../wire/json.js';
import { LEGACY, MODERN, PROTOCOL_VERSION } from '../../wire/keys.js';
import { PRIVATE } from '../../upstream/server.js';
import { arrivedOf, expectArrived, freshLanguage, type GatewayCheck, metaOf, pass, passList } from './trial.js';

/** Headers of a call of check_meta that its body contradicts. */
const WRONG_HEADERS = [
  ['Mcp-Method', 'tools/list'],
  ['Mcp-Name', 'check_state'],
  ['MCP-Protocol-Version', LEGACY],
] as const;

export const protocolChecks: readonly GatewayCheck[] = [
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
        const observed = `${name} said ${value}, the body something else, and the gateway answered ${told(exchange)}`;
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
  {
    id: 'protocol:progress',
    proves: ['TRACE-06'],
    title: 'Progress comes back with the token of the caller',
    faults: ['wrong-token', 'token-as-number'],
    run: async (trial) => {
      const passed = [];
      for (const token of ['of-the-caller', 7, '7']) {
        const { exchange } = await pass(trial, 'check_progress', { meta: { progressToken: token } });
        passed.push({ token, exchange, tokens: progressIn(exchange).map((one) => at(one, 'params', 'progressToken')) });
      }
      if (passed.every(({ tokens }) => tokens.length === 0)) throw new NotApplicable('no progress came through');
      for (const { token, exchange, tokens } of passed) {
        const kept = tokens.every((one) => one === token);
        expect(kept, `the token ${short(token)} came back as ${short(tokens)}`, exchange, ['others', 0, 'params']);
      }
    },
  },
  {
    id: 'protocol:progress-callers',
    proves: ['TRACE-06', 'BASE-02'],
    title: 'Two callers that use the same token at once get their own progress',
    faults: ['progress-by-token'],
    run: async (trial) => {
      const both = [trial.peer, trial.other];
      const passed = await Promise.all(both.map((caller) => pass(trial, 'check_progress', { meta: { progressToken: 'same' } }, caller)));
      for (const { exchange } of passed) {
        const asked = at(exchange.sent.message, 'params', 'arguments', 'mark');
        const marks = progressIn(exchange).map((one) => at(one, 'params', 'message'));
        const own = marks.every((mark) => mark === `call ${String(asked)}`);
        expect(own, `call ${short(asked)} got the progress of ${short(marks)}`, exchange, ['others', 0, 'params']);
      }
      if (passed.every(({ exchange }) => progressIn(exchange).length === 0)) throw new NotApplicable('no progress came through');
    },
  },
  {
    id: 'protocol:callers',
    proves: ['BASE-02'],
    title: 'Parallel calls of two callers get their own answers',
    faults: ['mixes-answers'],
    run: async (trial) => {
      const both = [trial.peer, trial.other, trial.peer, trial.other];
      const passed = await Promise.all(both.map((caller) => pass(trial, 'check_meta', {}, caller)));
      for (const { exchange } of passed) {
        const asked = at(exchange.sent.message, 'params', 'arguments', 'mark');
        const got = at(dataOf(exchange), 'mark');
        expect(got === asked, `call ${short(asked)} got the answer of call ${short(got)}`, exchange, [
          'answer',
          'result',
          'structuredContent',
        ]);
      }
    },
  },
  {
    id: 'protocol:pages',
    proves: ['IX-01', 'BASE-11'],
    title: 'Each page of a list is its own: a cache tells cursors apart',
    faults: ['cursor-ignored'],
    run: async (trial) => {
      const language = freshLanguage();
      const first = await passList(trial, { language });
      const cursor = at(expectResult(first.exchange, 'tools/list'), 'nextCursor');
      if (typeof cursor !== 'string') throw new NotApplicable('the gateway passes no cursor of the upstream on');
      const { exchange } = await passList(trial, { language, params: { cursor } });
      const name = at(expectResult(exchange, 'the second page'), 'tools', 0, 'name');
      expect(name === 'check_page', `the second page begins with ${short(name)}`, exchange, ['answer', 'result', 'tools', 0]);
    },
  },
  {
    id: 'protocol:private',
    proves: ['IX-01', 'BASE-11'],
    title: 'A private list of one caller is not served to another',
    faults: ['shares-private'],
    revisions: [MODERN],
    run: async (trial) => {
      const language = `${freshLanguage()}-${PRIVATE}`;
      const ask = (who: string) => passList(trial, { language, headers: [['Authorization', `Bearer ${who}`]] });
      const [first, second] = [await ask('one'), await ask('two')];
      if (first.arrived === undefined) throw new NotApplicable(`no list of a caller with credentials is passed: ${told(first.exchange)}`);
      const scope = at(first.exchange.answer, 'result', 'cacheScope');
      if (scope !== 'private') throw new NotApplicable(`the gateway makes the scope of a private list ${short(scope)}`);
      const observed = `the private list for "Bearer one" was served for "Bearer two"`;
      expect(second.arrived !== undefined || resultOf(second.exchange) === undefined, observed, second.exchange, ['answer', 'result']);
    },
  },
];

const progressIn = ({ others }: Exchange) => others.filter(({ method }) => method === 'notifications/progress');
