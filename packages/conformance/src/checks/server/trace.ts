/** SEP-414 on servers: a server may ignore trace context, but nothing about it may break a call. */
import { expect } from '../../check.js';
import { codeOf, dataOf, expectResult, inWords, metasOf, resultOf } from '../../runner/servers.js';
import { at, type Message, short } from '../../wire/json.js';
import { TRACE_ID, TRACEPARENT, traceProblem } from '../../wire/trace.js';
import type { HeaderLine } from '../../wire/exchange.js';
import { expectSameList, quietCall, type ServerCheck, type ServerTrial, skipWithout } from './trial.js';

/** Tells whether lists and, if one is known, a harmless call answer as they do without trace context. */
async function expectUndisturbed(trial: ServerTrial, meta: Message, headers: readonly HeaderLine[] = []): Promise<void> {
  await expectSameList(trial, {}, { meta, headers }, short(meta));
  const [[bare], [called]] = [await quietCall(trial), await quietCall(trial, { meta, headers })];
  if (bare === undefined || called === undefined) return;
  const alike = called.answer !== undefined && (resultOf(called) !== undefined || codeOf(bare) === codeOf(called));
  const name = short(at(called.sent.message, 'params', 'name'));
  expect(alike, `${name} with ${short(meta)}: ${inWords(called)}; without: ${inWords(bare)}`, called, ['answer']);
}

export const traceChecks: readonly ServerCheck[] = [
  {
    id: 'trace:accepted',
    proves: ['TRACE-01', 'TRACE-03'],
    title: 'Trace context on a request disturbs nothing',
    faults: ['trace-refuses', 'trace-refuses-on-calls'],
    run: (trial) =>
      expectUndisturbed(trial, { traceparent: TRACEPARENT, tracestate: 'vendor=1,tenant@system=2', baggage: 'user=a%20b;p=1,k=v' }),
  },
  {
    id: 'trace:malformed',
    proves: ['TRACE-09'],
    title: 'Malformed trace context is ignored, and the request goes on',
    faults: ['trace-refuses', 'trace-refuses-on-calls', 'trace-refuses-malformed'],
    run: async (trial) => {
      for (const traceparent of ['nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `ff-${TRACE_ID}-b7ad6b7169203331-01`, ''])
        await expectUndisturbed(trial, { traceparent, tracestate: '=,=', baggage: '%%%' });
    },
  },
  {
    id: 'trace:no-text',
    proves: ['TRACE-09'],
    title: 'Trace context that is not text is ignored, and the request goes on',
    faults: ['trace-refuses', 'trace-refuses-on-calls', 'trace-refuses-malformed', 'trace-refuses-numbers'],
    run: async (trial) => {
      for (const traceparent of [7, null, [TRACEPARENT], { traceparent: TRACEPARENT }])
        await expectUndisturbed(trial, { traceparent, tracestate: 7, baggage: ['user=alice'] });
    },
  },
  {
    id: 'trace:later-version',
    proves: ['TRACE-09'],
    title: 'A later version of traceparent disturbs nothing',
    faults: ['trace-refuses', 'trace-refuses-on-calls', 'trace-refuses-later'],
    run: (trial) => expectUndisturbed(trial, { traceparent: `cc-${TRACE_ID}-b7ad6b7169203331-01-what-comes-later` }),
  },
  {
    id: 'trace:per-request',
    proves: ['BASE-02'],
    title: 'The trace of an earlier request is not the one of a later request',
    faults: ['trace-sticky'],
    run: async (trial) => {
      skipWithout(trial, 'check_meta');
      await trial.peer.call('check_meta', {}, { meta: { traceparent: TRACEPARENT } });
      const called = await trial.peer.call('check_meta');
      expectResult(called, 'check_meta');
      const received = at(dataOf(called), 'traceparent');
      const own = !String(received).includes(TRACE_ID);
      expect(own, `sent no traceparent, the tool received ${short(received)}`, called, ['answer', 'result', 'structuredContent']);
    },
  },
  {
    id: 'trace:independent',
    proves: ['TRACE-08'],
    title: 'A traceparent header may differ from the one in _meta',
    faults: ['trace-refuses', 'trace-refuses-on-calls', 'trace-demands-agreement'],
    transports: ['http'],
    run: (trial) =>
      expectUndisturbed(trial, { traceparent: TRACEPARENT }, [['traceparent', '00-11111111111111111111111111111111-2222222222222222-00']]),
  },
  {
    id: 'trace:delivered',
    proves: ['TRACE-11'],
    title: 'A tool receives the trace of its request',
    faults: ['trace-refuses', 'trace-refuses-on-calls', 'trace-lost'],
    run: async (trial) => {
      skipWithout(trial, 'check_meta');
      const called = await trial.peer.call('check_meta', {}, { meta: { traceparent: TRACEPARENT } });
      expectResult(called, 'check_meta');
      const received = at(dataOf(called), 'traceparent');
      expect(String(received).includes(TRACE_ID), `sent ${TRACEPARENT}, the tool received ${short(received)}`, called, [
        'answer',
        'result',
        'structuredContent',
      ]);
    },
  },
  {
    id: 'trace:long',
    proves: ['TRACE-10'],
    title: 'Long trace context within the limits of W3C disturbs nothing',
    faults: ['trace-refuses', 'trace-refuses-on-calls', 'trace-refuses-long'],
    run: (trial) => {
      const tracestate = Array.from({ length: 32 }, (_, index) => `tenant${index}@system=${'x'.repeat(10)}`).join(',');
      const baggage = Array.from({ length: 64 }, (_, index) => `key${index}=${'v'.repeat(100)}`).join(',');
      return expectUndisturbed(trial, { traceparent: TRACEPARENT, tracestate: `${tracestate},`, baggage });
    },
  },
  {
    id: 'trace:written',
    proves: ['TRACE-02'],
    title: 'Trace context that the server writes has bare keys and W3C values',
    faults: ['trace-writes-malformed', 'trace-writes-prefixed'],
    run: async (trial) => {
      const meta = { traceparent: TRACEPARENT };
      for (const answered of [await trial.peer.request('tools/list', { meta }), ...(await quietCall(trial, { meta }))]) {
        const problem = metasOf(answered)
          .map(traceProblem)
          .find((one) => one !== undefined);
        expect(problem === undefined, problem ?? '', answered, ['answer', 'result', '_meta']);
      }
    },
  },
];
