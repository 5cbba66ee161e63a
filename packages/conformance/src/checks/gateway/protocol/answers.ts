/** Rules of the protocol itself, for gateways: what comes back to which caller. */
import { expect, NotApplicable } from '../../../check.js';
import { dataOf } from '../../../runner/servers.js';
import type { Exchange } from '../../../wire/exchange.js';
import { at, short } from '../../../wire/json.js';
import { type GatewayCheck, pass } from '../trial.js';

export const answerChecks: readonly GatewayCheck[] = [
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
];

const progressIn = ({ others }: Exchange) => others.filter(({ method }) => method === 'notifications/progress');
