/** SEP-1655 on clients: what they keep, and to whom they return it. */
import { NotApplicable } from '../../check.js';
import { STATE_KEPT } from '../../scenarios/server.js';
import { at, equal, isObject, short } from '../../wire/json.js';
import { calls, type ClientCheck, type ClientTrial, expectSent, http, requests, stateSent, stdio } from './trial.js';

/** What the client returns after a step of scenario `state`. */
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

export const stateChecks: readonly ClientCheck[] = [
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
    faults: ['state-only-calls', 'state-one-scope'],
    run: async (trial) => {
      const all = await requests(trial, 'state');
      const from = all.findIndex((one) => at(one.message, 'params', 'name') === 'check_state');
      const listed = all.find((one, index) => index > from && one.message['method'] === 'tools/list');
      const { one, expected } = await kept(trial, 1);
      for (const request of [listed ?? one, one]) {
        expectSent(
          equal(stateSent(request, 'session'), expected.session),
          `kept ${short(expected.session)}, sent ${short(stateSent(request, 'session'))}`,
          request,
        );
        expectSent(
          equal(stateSent(request, 'server'), expected.server),
          `kept ${short(expected.server)}, sent ${short(stateSent(request, 'server'))}`,
          request,
        );
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
    title: 'A scope that is no dictionary changes nothing',
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
    ...http,
    id: 'state:loopback',
    proves: ['STATE-32'],
    title: 'Nothing is kept for a server by IP address',
    faults: ['state-on-loopback'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state')) {
        const sent = stateSent(one, 'session') ?? stateSent(one, 'server');
        expectSent(sent === undefined, `127.0.0.1 got its state back: ${short(sent)}`, one);
      }
      if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
    },
  },
  {
    ...http,
    id: 'state:undeclared',
    proves: ['STATE-37'],
    title: 'The capability is not declared where nothing may be kept',
    faults: ['state-on-loopback', 'state-declared-on-loopback'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(at(one.declared, 'state') === undefined, 'the capability is declared to 127.0.0.1', one, 'params');
      if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
    },
  },
];
