/** Rules of the protocol itself that the five concerns stand on, for clients. */
import { NotApplicable } from '../../check.js';
import { REQUEST_STATE } from '../../scenarios/server.js';
import { at, equal, isObject, short } from '../../wire/json.js';
import { CLIENT_CAPABILITIES, keyProblem, MODERN, PROTOCOL_VERSION } from '../../wire/keys.js';
import { calls, type ClientCheck, expectSent, failedCall, http, metaOf, modern, questions, requests } from './trial.js';

const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

export const protocolChecks: readonly ClientCheck[] = [
  {
    ...modern,
    id: 'protocol:envelope',
    proves: ['BASE-01', 'CAP-01'],
    title: 'Every request names its revision and its capabilities',
    faults: ['no-envelope'],
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
    ...modern,
    ...http,
    id: 'protocol:headers',
    proves: ['BASE-07'],
    title: 'Headers repeat revision, method and name of the body',
    faults: ['wrong-headers'],
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
      const [first, second] = await calls(trial, 'order', 'check_order', 2);
      if (first === undefined || second === undefined) return;
      const [one, other] = [metaOf(first, 'progressToken'), metaOf(second, 'progressToken')];
      if (one === undefined || other === undefined) throw new NotApplicable('the calls carried no progress token');
      expectSent(!equal(one, other), `two calls at once have the token ${short(other)}`, second, 'params', '_meta', 'progressToken');
    },
  },
  {
    ...modern,
    id: 'protocol:result-type',
    proves: ['BASE-15'],
    title: 'A result of an unknown type is invalid, and the call fails',
    faults: ['takes-any-type'],
    run: async (trial) => {
      const { one, failed } = await failedCall(trial, 'results', 'check_type');
      expectSent(failed, 'the result had the type "waybill_unknown", and the call succeeded', one);
    },
  },
  {
    id: 'protocol:unknown-meta',
    proves: ['TRACE-04'],
    title: 'Unknown _meta keys of a result are no reason to fail',
    faults: ['refuses-unknown-meta'],
    run: async (trial) => {
      const { one, failed } = await failedCall(trial, 'results', 'check_keys');
      expectSent(!failed, 'the result had the key "com.example/conformance" in _meta, and the call failed', one);
    },
  },
  {
    ...modern,
    id: 'protocol:retry',
    proves: ['BASE-14'],
    title: 'The answer to a question returns the request state as it came, with an id of its own',
    faults: ['changes-request-state', 'reuses-id'],
    run: async (trial) => {
      const [first, second] = await questions(trial);
      const state = at(second.message, 'params', 'requestState');
      expectSent(
        state === REQUEST_STATE,
        `the request state ${REQUEST_STATE} came back as ${short(state)}`,
        second,
        'params',
        'requestState',
      );
      expectSent(second.message['id'] !== first.message['id'], 'the retry has the id of the first request', second, 'id');
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
  {
    ...modern,
    ...http,
    id: 'protocol:recovery',
    proves: ['IX-13'],
    title: 'A call that is refused for its headers is sent again once at most',
    faults: ['retries-refused'],
    run: async (trial) => {
      const sent = await calls(trial, 'refused', 'check_refused');
      const last = sent.at(-1);
      if (last !== undefined) expectSent(sent.length <= 2, `the refused call was sent ${sent.length} times`, last);
    },
  },
];
