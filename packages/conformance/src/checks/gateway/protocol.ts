/** Rules of the protocol itself that the five concerns stand on, for gateways. */
import { expect, NotApplicable } from '../../check.js';
import { dataOf, expectResult, told } from '../../runner/servers.js';
import { at, equal, short } from '../../wire/json.js';
import { MODERN, PROTOCOL_VERSION } from '../../wire/keys.js';
import { arrivedOf, expectArrived, freshLanguage, type GatewayCheck, metaOf, pass, passList } from './trial.js';

export const protocolChecks: readonly GatewayCheck[] = [
  {
    id: 'protocol:headers',
    proves: ['BASE-09'],
    title: 'A request whose headers and body differ is refused',
    faults: ['ignores-headers'],
    revisions: [MODERN],
    run: async ({ peer }) => {
      const sent = await peer.request('tools/list', { headers: [['Mcp-Method', 'prompts/list']] });
      expect((sent.status ?? 0) >= 400, `Mcp-Method said prompts/list, the body tools/list, and the gateway answered ${told(sent)}`, sent, [
        'status',
      ]);
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
    faults: ['wrong-token'],
    run: async (trial) => {
      const { exchange } = await pass(trial, 'check_progress', { meta: { progressToken: 'of-the-caller' } });
      const progress = exchange.others.filter(({ method }) => method === 'notifications/progress');
      if (progress.length === 0) throw new NotApplicable('no progress came through');
      for (const one of progress) {
        const token = at(one, 'params', 'progressToken');
        expect(token === 'of-the-caller', `the token "of-the-caller" came back as ${short(token)}`, exchange, ['others', 0, 'params']);
      }
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
];
