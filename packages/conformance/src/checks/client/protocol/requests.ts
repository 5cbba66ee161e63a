/** Rules of the protocol itself that the five concerns stand on, for clients: what requests carry. */
import { NotApplicable } from '../../../check.js';
import { at, equal, isObject, short } from '../../../wire/json.js';
import { CLIENT_CAPABILITIES, keyProblem, MODERN, PROTOCOL_VERSION } from '../../../wire/keys.js';
import { calls, type ClientCheck, expectSent, metaOf, requests } from '../trial.js';

const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

export const requestChecks: readonly ClientCheck[] = [
  {
    id: 'protocol:envelope',
    proves: ['BASE-01', 'CAP-01'],
    title: 'Every request names its revision and its capabilities',
    faults: ['no-envelope'],
    revisions: [MODERN],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        expectSent(metaOf(one, PROTOCOL_VERSION) === MODERN, `${short(one.message['method'])} names no revision`, one, 'params', '_meta');
        expectSent(
          isObject(metaOf(one, CLIENT_CAPABILITIES)),
          `${short(one.message['method'])} declares no capabilities`,
          one,
          'params',
          '_meta',
        );
      }
    },
  },
  {
    id: 'protocol:headers',
    proves: ['BASE-07'],
    title: 'Headers repeat revision, method and name of the body',
    faults: ['wrong-headers'],
    revisions: [MODERN],
    transports: ['http'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const method = String(one.message['method']);
        const name = NAMED[method];
        const expected = {
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          ...(name !== undefined && { 'mcp-name': at(one.message, 'params', name) }),
        };
        for (const [key, value] of Object.entries(expected)) {
          const sent = one.headers[key] ?? [];
          expectSent(sent.length === 1 && sent[0] === value, `${key} is ${short(sent)}, the body says ${short(value)}`, one);
        }
      }
    },
  },
  {
    id: 'protocol:progress-token',
    proves: ['TRACE-06'],
    title: 'A progress token is a string or an integer',
    faults: ['progress-token-object'],
    run: async (trial) => {
      const tokens = (await requests(trial, 'tools_call')).filter((one) => metaOf(one, 'progressToken') !== undefined);
      if (tokens.length === 0) throw new NotApplicable('no request carried a progress token');
      for (const one of tokens) {
        const token = metaOf(one, 'progressToken');
        expectSent(
          typeof token === 'string' || Number.isInteger(token),
          `the token is ${short(token)}`,
          one,
          'params',
          '_meta',
          'progressToken',
        );
      }
    },
  },
  {
    id: 'protocol:progress-apart',
    proves: ['TRACE-06'],
    title: 'Requests that are active at the same time have different progress tokens',
    faults: ['progress-token-object', 'progress-token-constant'],
    run: async (trial) => {
      const uses = (await requests(trial, 'tools_call')).some((one) => metaOf(one, 'progressToken') !== undefined);
      if (!uses) throw new NotApplicable('no request carried a progress token');
      const [first, second] = await calls(trial, 'order', 'check_order', 2);
      if (first === undefined || second === undefined) return;
      const [one, other] = [metaOf(first, 'progressToken'), metaOf(second, 'progressToken')];
      if (one === undefined || other === undefined) throw new NotApplicable('the calls carried no progress token');
      expectSent(!equal(one, other), `two calls at once have the token ${short(other)}`, second, 'params', '_meta', 'progressToken');
    },
  },
  {
    id: 'protocol:keys',
    proves: ['BASE-05', 'BASE-06'],
    title: 'Keys that the client writes into _meta fit the grammar, and reserved prefixes are left to the protocol',
    faults: ['key-with-space'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const meta = metaOf(one);
        const problem = Object.keys(isObject(meta) ? meta : {})
          .map(keyProblem)
          .find((found) => found !== undefined);
        expectSent(problem === undefined, problem ?? '', one, 'params', '_meta');
      }
    },
  },
  {
    id: 'protocol:params',
    proves: ['TRACE-05'],
    title: 'Metadata stays out of the params: arguments keep their types, and trace context stands in _meta only',
    faults: ['trace-in-params', 'arguments-as-text'],
    run: async (trial) => {
      for (const one of await calls(trial, 'tools_call', 'add_numbers')) {
        const args = at(one.message, 'params', 'arguments');
        const typed = at(args, 'a') === 5 && at(args, 'b') === 3;
        expectSent(typed, `the arguments {"a":5,"b":3} arrived as ${short(args)}`, one, 'params', 'arguments');
        const stray = ['traceparent', 'tracestate', 'baggage'].find((key) => at(one.message, 'params', key) !== undefined);
        expectSent(stray === undefined, `${stray ?? ''} stands in the params`, one, 'params');
      }
    },
  },
];
