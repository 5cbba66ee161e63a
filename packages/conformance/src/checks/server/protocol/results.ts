/** Rules of the protocol itself that the five concerns stand on: what results and notifications carry. */
import { expect, NotApplicable } from '../../../check.js';
import { expectResult, metasOf, resultOf } from '../../../runner/servers.js';
import { at, isObject, short } from '../../../wire/json.js';
import { keyProblem, MODERN } from '../../../wire/keys.js';
import type { Ask } from '../../../wire/session.js';
import { skipWithout, quietCall, type ServerCheck } from '../trial.js';

export const resultChecks: readonly ServerCheck[] = [
  {
    id: 'protocol:result-type',
    proves: ['BASE-15'],
    title: 'Every result has a resultType',
    faults: ['no-result-type', 'no-result-type-on-calls'],
    revisions: [MODERN],
    run: async (trial) => {
      const seen = [await trial.peer.request('server/discover'), await trial.peer.request('tools/list')];
      for (const answered of [...seen, ...(await quietCall(trial))]) {
        const result = resultOf(answered);
        if (!isObject(result)) continue;
        const { resultType } = result;
        expect(resultType === 'complete', `resultType is ${short(resultType)}`, answered, ['answer', 'result', 'resultType']);
      }
    },
  },
  {
    id: 'protocol:progress',
    proves: ['TRACE-06'],
    title: 'Progress comes with the token as it was sent, rises, and does not come without a token',
    faults: ['progress-token-as-text', 'progress-stands', 'progress-unasked'],
    run: async (trial) => {
      skipWithout(trial, 'check_language');
      const steps = { steps: 2 };
      const seen = async (ask: Ask) => {
        const called = await trial.peer.call('check_language', steps, ask);
        expectResult(called, 'check_language {"steps":2}');
        return { called, progress: called.others.filter(({ method }) => method === 'notifications/progress') };
      };
      const unasked = await seen({});
      expect(unasked.progress.length === 0, 'progress came for a request without a token', unasked.called, ['others', 0]);
      for (const token of ['7-a', 7]) {
        const { called, progress } = await seen({ meta: { progressToken: token } });
        if (progress.length === 0) throw new NotApplicable('the server sends no progress');
        const tokens = progress.map((one) => at(one, 'params', 'progressToken'));
        const kept = tokens.every((one) => one === token);
        expect(kept, `the token ${short(token)} came back as ${short(tokens)}`, called, ['others', 0, 'params']);
        const values = progress.map((one) => Number(at(one, 'params', 'progress')));
        const rises = values.every((value, index) => index === 0 || value > (values[index - 1] ?? NaN));
        expect(rises, `the progress is ${short(values)}`, called, ['others', 1, 'params']);
      }
    },
  },
  {
    id: 'protocol:keys',
    proves: ['BASE-05', 'BASE-06'],
    title: 'Keys that the server writes into _meta fit the grammar, and reserved prefixes are left to the protocol',
    faults: ['key-with-space', 'key-reserved-prefix'],
    run: async (trial) => {
      for (const exchange of [await trial.peer.request('tools/list'), ...(await quietCall(trial))]) {
        const problem = metasOf(exchange)
          .flatMap(Object.keys)
          .map(keyProblem)
          .find((one) => one !== undefined);
        expect(problem === undefined, problem ?? '', exchange, ['answer', 'result', '_meta']);
      }
    },
  },
];
