/** SEP-1655 on clients: what they keep, and what they return of it. */
import { NotApplicable } from '../../../check.js';
import { STATE_KEPT, TOKEN } from '../../../scenarios/server.js';
import { at, equal, isObject, short } from '../../../wire/json.js';
import { calls, type ClientCheck, type ClientTrial, expectSent, metaOf, modern, questions, requests, stateSent, stdio } from '../trial.js';

/** The state that the client returns after a step of scenario `state`. */
async function kept(trial: ClientTrial, step: 1 | 2 | 3) {
  const all = await calls(trial, 'state', 'check_meta', 3);
  const one = all[step - 1] ?? all[0];
  if (one === undefined) throw new NotApplicable('no call');
  return {
    one,
    expected: STATE_KEPT[step - 1] ?? { session: {}, server: {} },
    session: stateSent(one, 'session'),
    server: stateSent(one, 'server'),
  };
}

export const keepingChecks: readonly ClientCheck[] = [
  {
    ...stdio,
    id: 'state:declared',
    proves: ['STATE-01'],
    title: 'A client that keeps state declares the capability on every request',
    faults: ['state-undeclared'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(isObject(at(one.declared, 'state')), `${short(one.message['method'])} does not declare state`, one, 'params', '_meta');
    },
  },
  {
    ...stdio,
    id: 'state:returned',
    proves: ['STATE-08', 'STATE-04'],
    title: 'Everything kept goes on every request, values unchanged',
    faults: ['state-only-calls', 'state-one-scope', 'state-assigns-names'],
    run: async (trial) => {
      const all = await requests(trial, 'state');
      const from = all.findIndex((one) => at(one.message, 'params', 'name') === 'check_state');
      const listed = all.find((one, index) => index > from && one.message['method'] === 'tools/list');
      const { one, expected } = await kept(trial, 1);
      for (const request of [listed ?? one, one])
        for (const scope of ['session', 'server'] as const) {
          const sent = stateSent(request, scope);
          expectSent(equal(sent, expected[scope]), `kept ${short(expected[scope])}, sent ${short(sent)}`, request);
        }
    },
  },
  {
    ...stdio,
    id: 'state:delete',
    proves: ['STATE-05'],
    title: 'Null deletes a name; null inside a value is data',
    faults: ['state-keeps-null'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(!(isObject(session) && Object.hasOwn(session, 'colour')), `colour was deleted, and ${short(session)} came back`, one);
    },
  },
  {
    ...stdio,
    id: 'state:additive',
    proves: ['STATE-06'],
    title: 'Names that a result does not mention stay',
    faults: ['state-replaces-all', 'state-one-scope'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(at(session, 'twice') === 'session', `"twice" was set and not mentioned again, and ${short(session)} came back`, one);
    },
  },
  {
    ...stdio,
    id: 'state:overwrite',
    proves: ['STATE-07'],
    title: 'A name that is set again loses its whole old value',
    faults: ['state-deep-merge'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(
        equal(at(session, 'cart'), { tea: null }),
        `cart was set to {"tea":null}, and ${short(at(session, 'cart'))} came back`,
        one,
      );
    },
  },
  {
    ...stdio,
    id: 'state:rubbish',
    proves: ['STATE-05'],
    title: 'A scope that is not a dictionary changes nothing',
    faults: ['state-takes-rubbish', 'state-one-scope'],
    run: async (trial) => {
      const { one, expected, session } = await kept(trial, 3);
      const names = isObject(session) ? Object.keys(session) : [];
      expectSent(
        names.every((name) => name in expected.session || name === 'colour'),
        `after a list as session state, ${short(session)} came back`,
        one,
      );
    },
  },
  {
    ...stdio,
    id: 'state:scopes',
    proves: ['STATE-22'],
    title: 'One name lives in both scopes independently',
    faults: ['state-one-scope'],
    run: async (trial) => {
      const { one, session, server } = await kept(trial, 1);
      const both = at(session, 'twice') === 'session' && at(server, 'twice') === 'server';
      expectSent(both, `"twice" came back as ${short(at(session, 'twice'))} and ${short(at(server, 'twice'))}`, one);
    },
  },
  {
    ...stdio,
    id: 'state:empty',
    proves: ['STATE-09'],
    title: 'Without anything kept no state key is sent',
    faults: ['state-sends-empty'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const sent = [stateSent(one, 'session'), stateSent(one, 'server')].find((value) => value !== undefined);
        expectSent(sent === undefined, `nothing was set, and ${short(sent)} was sent`, one);
      }
    },
  },
  {
    ...stdio,
    id: 'state:names',
    proves: ['STATE-04', 'STATE-42'],
    title: 'A name such as __proto__ is a name like any other',
    faults: ['state-assigns-names', 'state-replaces-all'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(equal(at(session, '__proto__'), { odd: true }), `"__proto__" was set, and ${short(session)} came back`, one);
    },
  },
  {
    ...stdio,
    id: 'state:baggage',
    proves: ['IX-12'],
    title: 'State is not copied into baggage, which travels on to others',
    faults: ['state-in-baggage'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state')) {
        const baggage = metaOf(one, 'baggage');
        expectSent(!String(baggage).includes(TOKEN), `the baggage is ${short(baggage)}`, one, 'params', '_meta', 'baggage');
      }
    },
  },
  {
    ...stdio,
    ...modern,
    id: 'state:question',
    proves: ['IX-08'],
    title: 'State that comes with a question goes on the request that answers it',
    faults: ['state-missed-on-retry'],
    run: async (trial) => {
      const [, second] = await questions(trial);
      const session = stateSent(second, 'session');
      expectSent(at(session, 'asked') === true, `the question set "asked", and ${short(session)} came back`, second, 'params', '_meta');
    },
  },
  {
    ...stdio,
    id: 'state:order',
    proves: ['IX-10'],
    title: 'Of two answers that set one name, the one that arrives last holds',
    faults: ['state-by-request-order'],
    run: async (trial) => {
      const [first, second] = await calls(trial, 'order', 'check_order', 2);
      const log = await requests(trial, 'order');
      const value = at(first?.message, 'params', 'arguments', 'value');
      const inTurn = second !== undefined && at(stateSent(second, 'session'), 'order') !== undefined;
      if (value !== 'first' || inTurn) throw new NotApplicable('the client does not send two calls at once');
      const last = log.at(-1);
      const session = last && stateSent(last, 'session');
      if (last !== undefined)
        expectSent(at(session, 'order') === 'first', `the answer "first" came last, and ${short(session)} came back`, last);
    },
  },
];
