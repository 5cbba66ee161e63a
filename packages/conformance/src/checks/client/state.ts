/** SEP-1655 on clients: what they keep, and to whom they return it. */
import { expect, NotApplicable } from '../../check.js';
import { type Received, STATE_KEPT, TOKEN } from '../../scenarios/server.js';
import { at, equal, isObject, short } from '../../wire/json.js';
import {
  calls,
  type ClientCheck,
  type ClientTrial,
  expectSent,
  http,
  metaOf,
  modern,
  questions,
  requests,
  stateSent,
  stdio,
} from './trial.js';

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

async function nothingKept(trial: ClientTrial, scenario: string): Promise<void> {
  for (const one of await calls(trial, scenario, 'check_meta')) {
    const sent = stateSent(one, 'session') ?? stateSent(one, 'server');
    expectSent(sent === undefined, `the server at ${scenario} got its state back: ${short(sent)}`, one, 'params', '_meta');
  }
  if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
}

/** State of a scope with at least one name. That empty keys are not sent is a rule of its own. */
function something(one: Received, scope: 'session' | 'server'): unknown {
  const sent = stateSent(one, scope);
  return isObject(sent) && Object.keys(sent).length === 0 ? undefined : sent;
}

/** The call to the first server after the other one. A client that skips the steps fails the check. */
async function again(trial: ClientTrial): Promise<Received> {
  const both = await calls(trial, 'servers', 'check_meta', 2);
  const one = both.findLast(({ server }) => server === 'first');
  expect(one !== undefined, 'scenario servers: the client did not connect to the first server again');
  return one;
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
    faults: ['state-only-calls', 'state-one-scope', 'state-assigns-names'],
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
    proves: ['STATE-37', 'IX-11'],
    title: 'The capability is not declared where nothing may be kept',
    faults: ['state-on-loopback', 'state-declared-on-loopback'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(at(one.declared, 'state') === undefined, 'the capability is declared to 127.0.0.1', one, 'params');
      if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
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
    id: 'state:other-server',
    proves: ['STATE-30', 'STATE-34', 'STATE-39'],
    title: 'State goes to no other server, also to none that the same program starts from another file',
    faults: ['state-one-drawer'],
    run: async (trial) => {
      for (const one of (await requests(trial, 'servers')).filter(({ server }) => server === 'other')) {
        const sent = something(one, 'session') ?? something(one, 'server');
        expectSent(sent === undefined, `another server got ${short(sent)}`, one, 'params', '_meta');
      }
      await again(trial);
    },
  },
  {
    ...stdio,
    id: 'state:session-ends',
    proves: ['STATE-20', 'STATE-23'],
    title: 'Session state ends with the session',
    faults: ['state-session-survives'],
    run: async (trial) => {
      const one = await again(trial);
      const session = something(one, 'session');
      expectSent(session === undefined, `on a new session with the server ${short(session)} came back`, one, 'params', '_meta');
    },
  },
  {
    ...stdio,
    id: 'state:server-stays',
    proves: ['STATE-21'],
    title: 'Server state stays when the session has ended',
    faults: ['state-server-forgotten', 'state-one-scope'],
    run: async (trial) => {
      const one = await again(trial);
      const server = stateSent(one, 'server');
      expectSent(
        equal(server, STATE_KEPT[0]?.server),
        `kept ${short(STATE_KEPT[0]?.server)}, sent ${short(server)}`,
        one,
        'params',
        '_meta',
      );
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
  {
    ...http,
    id: 'state:localhost',
    proves: ['STATE-32', 'STATE-33', 'STATE-36'],
    title: 'Nothing is kept for localhost, a name that no registry controls',
    faults: ['state-on-loopback', 'state-on-localhost'],
    run: (trial) => nothingKept(trial, 'localhost'),
  },
  {
    ...http,
    id: 'state:address',
    proves: ['STATE-35'],
    title: 'Nothing is kept for an IP address in another spelling',
    faults: ['state-on-loopback', 'state-on-odd-address'],
    run: (trial) => nothingKept(trial, 'address'),
  },
];
