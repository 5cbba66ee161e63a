/** Rules of the protocol itself that the five concerns stand on, for clients: what they make of answers. */
import { REQUEST_STATE } from '../../../scenarios/data.js';
import { at, short } from '../../../wire/json.js';
import { MODERN } from '../../../wire/keys.js';
import { calls, type ClientCheck, expectSent, failedCall, questions } from '../trial.js';

export const answerChecks: readonly ClientCheck[] = [
  {
    id: 'protocol:result-type',
    proves: ['BASE-15'],
    title: 'A result of an unknown type is invalid, and the call fails',
    faults: ['takes-any-type'],
    revisions: [MODERN],
    run: async (trial) => {
      const { one, failed } = await failedCall(trial, 'results', 'check_type');
      expectSent(failed, 'the result had the type "waybill_unknown", and the call succeeded', one);
    },
  },
  {
    id: 'protocol:unknown-meta',
    proves: ['TRACE-04'],
    title: 'Unknown _meta keys of a result do not make a client fail',
    faults: ['refuses-unknown-meta'],
    run: async (trial) => {
      const { one, failed } = await failedCall(trial, 'results', 'check_keys');
      expectSent(!failed, 'the result had the key "com.example/conformance" in _meta, and the call failed', one);
    },
  },
  {
    id: 'protocol:retry',
    proves: ['BASE-14'],
    title: 'The answer to a question returns the request state as it came, with an id of its own',
    faults: ['changes-request-state', 'reuses-id'],
    revisions: [MODERN],
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
    id: 'protocol:recovery',
    proves: ['IX-13'],
    title: 'A call that is refused for its headers is sent again once at most',
    faults: ['retries-refused'],
    revisions: [MODERN],
    transports: ['http'],
    run: async (trial) => {
      const sent = await calls(trial, 'refused', 'check_refused');
      const last = sent.at(-1);
      if (last !== undefined) expectSent(sent.length <= 2, `the refused call was sent ${sent.length} times`, last);
    },
  },
];
