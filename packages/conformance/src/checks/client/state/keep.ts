/** SEP-1655 on clients: what they keep, and what they return of it. */
import { NotApplicable } from '../../../check.js';
import { STATE_KEPT, TOKEN } from '../../../scenarios/data.js';
import type { Received } from '../../../scenarios/received.js';
import { at, equal, isObject, short } from '../../../wire/json.js';
import { MODERN } from '../../../wire/keys.js';
import { calls, type ClientCheck, type ClientTrial, expectSent, metaOf, questions, requests, stateSent } from '../trial.js';

/** The state that the client returns after a step of scenario `state`. */
async function kept(trial: ClientTrial, step: 1 | 2 | 3) {
  const one = (await calls(trial, 'state', 'check_meta', 3))[step - 1] as Received;
  return { one, session: stateSent(one, 'session'), server: stateSent(one, 'server') };
}

export const keepingChecks: readonly ClientCheck[] = [
  {
    id: 'state:declared',
    proves: ['STATE-01'],
    title: 'A client that keeps state declares the capability on every request',
    faults: ['state-undeclared'],
    transports: ['stdio'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(isObject(at(one.declared, 'state')), `${short(one.message['method'])} does not declare state`, one, 'params', '_meta');
    },
  },
  {
    id: 'state:returned',
    proves: ['STATE-08', 'STATE-04'],
    title: 'Everything kept goes on every request, values unchanged',
    faults: ['state-only-calls', 'state-one-scope', 'state-assigns-names'],
    transports: ['stdio'],
    run: async (trial) => {
      const all = await requests(trial, 'state');
      const from = all.findIndex((one) => at(one.message, 'params', 'name') === 'check_state');
      const listed = all.find((one, index) => index > from && one.message['method'] === 'tools/list');
      const { one } = await kept(trial, 1);
      for (const request of [listed ?? one, one])
        for (const scope of ['session', 'server'] as const) {
          const [expected, sent] = [STATE_KEPT[0]?.[scope], stateSent(request, scope)];
          expectSent(equal(sent, expected), `kept ${short(expected)}, sent ${short(sent)}`, request);
        }
    },
  },
  {
    id: 'state:delete',
    proves: ['STATE-05'],
    title: 'Null deletes a name; null inside a value is data',
    faults: ['state-keeps-null'],
    transports: ['stdio'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(!(isObject(session) && Object.hasOwn(session, 'colour')), `colour was deleted, and ${short(session)} came back`, one);
    },
  },
  {
    id: 'state:additive',
    proves: ['STATE-06'],
    title: 'Names that a result does not mention stay',
    faults: ['state-replaces-all', 'state-one-scope'],
    transports: ['stdio'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(at(session, 'twice') === 'session', `"twice" was set and not mentioned again, and ${short(session)} came back`, one);
    },
  },
  {
    id: 'state:overwrite',
    proves: ['STATE-07'],
    title: 'A name that is set again loses its whole old value',
    faults: ['state-deep-merge'],
    transports: ['stdio'],
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
    id: 'state:rubbish',
    proves: ['STATE-05'],
    title: 'A scope that is not a dictionary changes nothing',
    faults: ['state-takes-rubbish', 'state-one-scope'],
    transports: ['stdio'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 3);
      // Whether "colour" was deleted is a rule of its own.
      const known = ['colour', ...Object.keys(STATE_KEPT[2]?.session ?? {})];
      const alien = Object.keys(isObject(session) ? session : {}).find((name) => !known.includes(name));
      expectSent(alien === undefined, `after a list as session state, ${short(session)} came back`, one);
    },
  },
  {
    id: 'state:scopes',
    proves: ['STATE-22'],
    title: 'One name lives in both scopes independently',
    faults: ['state-one-scope'],
    transports: ['stdio'],
    run: async (trial) => {
      const { one, session, server } = await kept(trial, 1);
      const both = at(session, 'twice') === 'session' && at(server, 'twice') === 'server';
      expectSent(both, `"twice" came back as ${short(at(session, 'twice'))} and ${short(at(server, 'twice'))}`, one);
    },
  },
  {
    id: 'state:empty',
    proves: ['STATE-09'],
    title: 'Without anything kept no state key is sent',
    faults: ['state-sends-empty'],
    transports: ['stdio'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const sent = [stateSent(one, 'session'), stateSent(one, 'server')].find((value) => value !== undefined);
        expectSent(sent === undefined, `nothing was set, and ${short(sent)} was sent`, one);
      }
    },
  },
  {
    id: 'state:names',
    proves: ['STATE-04', 'STATE-42'],
    title: 'A name such as __proto__ is a name like any other',
    faults: ['state-assigns-names', 'state-replaces-all'],
    transports: ['stdio'],
    run: async (trial) => {
      const { one, session } = await kept(trial, 2);
      expectSent(equal(at(session, '__proto__'), { odd: true }), `"__proto__" was set, and ${short(session)} came back`, one);
    },
  },
  {
    id: 'state:baggage',
    proves: ['IX-12'],
    title: 'State is not copied into baggage, which travels on to others',
    faults: ['state-in-baggage'],
    transports: ['stdio'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state')) {
        const baggage = metaOf(one, 'baggage');
        expectSent(!String(baggage).includes(TOKEN), `the baggage is ${short(baggage)}`, one, 'params', '_meta', 'baggage');
      }
    },
  },
  {
    id: 'state:question',
    proves: ['IX-08'],
    title: 'State that comes with a question goes on the request that answers it',
    faults: ['state-missed-on-retry'],
    revisions: [MODERN],
    transports: ['stdio'],
    run: async (trial) => {
      const [, second] = await questions(trial);
      const session = stateSent(second, 'session');
      expectSent(at(session, 'asked') === true, `the question set "asked", and ${short(session)} came back`, second, 'params', '_meta');
    },
  },
  {
    id: 'state:order',
    proves: ['IX-10'],
    title: 'Of two answers that set one name, the one that arrives last holds',
    faults: ['state-by-request-order'],
    transports: ['stdio'],
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
