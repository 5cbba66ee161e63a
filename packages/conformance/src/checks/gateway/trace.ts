/** SEP-414 at gateways: a trace goes on behind a gateway, whether it takes part or passes it on. */
import { NotApplicable } from '../../check.js';
import { isObject, short } from '../../wire/json.js';
import { membersOf, TRACE_ID, TRACEPARENT, traceProblem } from '../../wire/trace.js';
import type { Ask } from '../../wire/session.js';
import { arrivedOf, expectArrived, freshLanguage, type GatewayCheck, type GatewayTrial, metaOf, pass, passList } from './trial.js';

const TRACE = { traceparent: TRACEPARENT, tracestate: 'vendor=1,other=2', baggage: 'tenant=a%20b;ttl=5,plan=free' };

const continued: readonly GatewayCheck[] = (
  [
    ['call', 'a call', (trial: GatewayTrial, ask: Ask) => pass(trial, 'check_meta', ask)],
    ['list', 'a list', (trial: GatewayTrial, ask: Ask) => passList(trial, { ...ask, language: freshLanguage() })],
  ] as const
).flatMap(([kind, what, send]): GatewayCheck[] => [
  {
    id: `trace:${kind}`,
    proves: ['TRACE-11'],
    title: `The trace of ${what} goes on behind the gateway`,
    faults: ['trace-lost', `trace-lost-on-${kind}`],
    run: async (trial) => {
      const passed = await send(trial, { meta: { traceparent: TRACEPARENT, tracestate: 'vendor=1' } });
      if (passed.arrived === undefined) throw new NotApplicable('the gateway answered by itself');
      const got = metaOf(passed.arrived, 'traceparent');
      expectArrived(String(got).includes(TRACE_ID), `sent ${TRACEPARENT}, the upstream got ${short(got)}`, passed);
    },
  },
]);

export const traceChecks: readonly GatewayCheck[] = [
  ...continued,
  {
    id: 'trace:format',
    proves: ['TRACE-01', 'TRACE-02'],
    title: 'Trace context towards the upstream has bare keys and W3C values',
    faults: ['trace-malformed'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: TRACE });
      const got = metaOf(arrivedOf(passed));
      const problem = traceProblem(isObject(got) ? got : {});
      expectArrived(problem === undefined, problem ?? '', passed);
    },
  },
  {
    id: 'trace:independent',
    proves: ['TRACE-08'],
    title: 'A traceparent header may differ from the one in _meta, which goes on',
    faults: ['trace-demands-agreement', 'trace-from-header', 'trace-lost', 'trace-lost-on-call'],
    run: async (trial) => {
      const headers = [['traceparent', '00-11111111111111111111111111111111-2222222222222222-00']] as const;
      const passed = await pass(trial, 'check_meta', { meta: { traceparent: TRACEPARENT }, headers });
      const got = metaOf(arrivedOf(passed), 'traceparent');
      expectArrived(String(got).includes(TRACE_ID), `sent ${TRACEPARENT} and another header, the upstream got ${short(got)}`, passed);
    },
  },
  {
    id: 'trace:state',
    proves: ['TRACE-11'],
    title: 'The trace state keeps the entries of the caller',
    faults: ['trace-lost', 'trace-lost-on-call', 'trace-state-lost'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: { traceparent: TRACEPARENT, tracestate: 'vendor=1,other=2' } });
      const got = metaOf(arrivedOf(passed), 'tracestate');
      expectArrived(
        typeof got === 'string' && got.endsWith('vendor=1,other=2'),
        `sent vendor=1,other=2, the upstream got ${short(got)}`,
        passed,
      );
    },
  },
  {
    id: 'trace:long',
    proves: ['TRACE-10'],
    title: 'A trace state of 32 members keeps its members and their order',
    faults: ['trace-lost', 'trace-lost-on-call', 'trace-state-lost', 'trace-cuts-state'],
    run: async (trial) => {
      const sent = Array.from({ length: 31 }, (_, index) => `tenant${index}@system=${'x'.repeat(6)}`);
      const passed = await pass(trial, 'check_meta', { meta: { traceparent: TRACEPARENT, tracestate: sent.join(',') } });
      const got = membersOf(metaOf(arrivedOf(passed), 'tracestate'));
      const kept = got.slice(-sent.length).join() === sent.join();
      expectArrived(kept, `sent ${sent.length} members, the upstream got ${short(got)}`, passed);
    },
  },
  {
    id: 'trace:baggage',
    proves: ['TRACE-12'],
    title: 'Members of the baggage pass whole, properties included, or are removed; the gateway adds none about the caller',
    faults: ['baggage-adds', 'baggage-bare'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { meta: TRACE });
      const sent = membersOf(TRACE.baggage);
      const added = membersOf(metaOf(arrivedOf(passed), 'baggage')).filter((member) => !sent.includes(member));
      expectArrived(added.length === 0, `the upstream got ${short(added)}, which the caller did not send`, passed);
    },
  },
  {
    id: 'trace:cache',
    proves: ['TRACE-14'],
    title: 'A cached list serves a request of another trace too',
    faults: ['trace-in-cache-key'],
    run: async (trial) => {
      const ask = { language: freshLanguage(), meta: { traceparent: TRACEPARENT } };
      await passList(trial, ask);
      if ((await passList(trial, ask)).arrived !== undefined) throw new NotApplicable('the gateway asks for a list each time');
      const other = await passList(trial, { ...ask, meta: { traceparent: TRACEPARENT.replace(TRACE_ID, '1'.repeat(32)) } });
      expectArrived(other.arrived === undefined, 'a cached list was asked for again, because the trace was another one', other);
    },
  },
];
