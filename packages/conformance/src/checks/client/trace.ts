/** SEP-414 on clients: the format of what they send. */
import { isObject } from '../../wire/json.js';
import { traceProblem } from '../../wire/trace.js';
import { type ClientCheck, expectSent, metaOf, requests } from './trial.js';

export const traceChecks: readonly ClientCheck[] = [
  {
    id: 'trace:format',
    proves: ['TRACE-01', 'TRACE-02'],
    title: 'Trace context has bare keys and W3C values',
    faults: ['trace-upper-case', 'trace-prefixed', 'trace-state-spaces', 'trace-baggage-spaces'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const meta = metaOf(one);
        const problem = traceProblem(isObject(meta) ? meta : {});
        expectSent(problem === undefined, problem ?? '', one, 'params', '_meta');
      }
    },
  },
];
