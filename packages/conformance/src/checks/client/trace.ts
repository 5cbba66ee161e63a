/** SEP-414 on clients: the format of what they send. */
import { NotApplicable } from '../../check.js';
import { isObject, short } from '../../wire/json.js';
import { traceProblem } from '../../wire/trace.js';
import { MODERN } from '../../wire/keys.js';
import { type ClientCheck, expectSent, metaOf, questions, requests } from './trial.js';

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
  {
    id: 'trace:retry',
    proves: ['IX-14'],
    title: 'The answer to a question has a span of its own within the trace of the request',
    faults: ['trace-same-span', 'trace-new-trace'],
    revisions: [MODERN],
    run: async (trial) => {
      const [first, second] = await questions(trial);
      const [one, other] = [first, second].map((leg) => metaOf(leg, 'traceparent'));
      if (typeof one !== 'string') throw new NotApplicable('the request carried no traceparent');
      const [, trace, span] = one.split('-');
      const [, itsTrace, itsSpan] = String(other).split('-');
      const goesOn = itsTrace === trace && itsSpan !== span;
      expectSent(goesOn, `the request has ${short(one)}, its retry ${short(other)}`, second, 'params', '_meta', 'traceparent');
    },
  },
];
