/** SEP-1655 on clients: to whom they return state, and for how long. */
import { expect, NotApplicable } from '../../../check.js';
import type { Received } from '../../../scenarios/received.js';
import { STATE_KEPT } from '../../../scenarios/data.js';
import { at, equal, isObject, short } from '../../../wire/json.js';
import { LEGACY } from '../../../wire/keys.js';
import { calls, type ClientCheck, type ClientTrial, expectSent, requests, stateSent } from '../trial.js';

async function nothingKept(trial: ClientTrial, scenario: string): Promise<void> {
  await calls(trial, scenario, 'check_meta');
  for (const one of await requests(trial, scenario)) {
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

/** The request carries all server state of scenario `servers`. */
function expectServerState(one: Received): void {
  const [kept, sent] = [STATE_KEPT[0]?.server, stateSent(one, 'server')];
  expectSent(equal(sent, kept), `kept ${short(kept)}, sent ${short(sent)}`, one, 'params', '_meta');
}

const isOpening = ({ message }: Received): boolean => ['server/discover', 'initialize'].includes(String(message['method']));

export const ownerChecks: readonly ClientCheck[] = [
  {
    id: 'state:loopback',
    proves: ['STATE-32'],
    title: 'Nothing is kept for a server by IP address',
    faults: ['state-on-loopback'],
    transports: ['http'],
    run: (trial) => nothingKept(trial, 'state'),
  },
  {
    id: 'state:undeclared',
    proves: ['STATE-37', 'IX-11'],
    title: 'The capability is not declared where nothing may be kept',
    faults: ['state-on-loopback', 'state-declared-on-loopback'],
    transports: ['http'],
    run: async (trial) => {
      for (const one of await requests(trial, 'state'))
        expectSent(at(one.declared, 'state') === undefined, 'the capability is declared to 127.0.0.1', one, 'params');
      if (!trial.seen.has('state')) throw new NotApplicable('the client keeps no state');
    },
  },
  {
    id: 'state:localhost',
    proves: ['STATE-32', 'STATE-33', 'STATE-36'],
    title: 'Nothing is kept for localhost, a name that no registry controls',
    faults: ['state-on-loopback', 'state-on-localhost'],
    transports: ['http'],
    run: (trial) => nothingKept(trial, 'localhost'),
  },
  {
    id: 'state:address',
    proves: ['STATE-35'],
    title: 'Nothing is kept for an IP address in another spelling',
    faults: ['state-on-loopback', 'state-on-odd-address'],
    transports: ['http'],
    run: (trial) => nothingKept(trial, 'address'),
  },
  {
    id: 'state:other-server',
    proves: ['STATE-30', 'STATE-34', 'STATE-39'],
    title: 'State goes to no other server, also to none that the same program starts from another file',
    faults: ['state-one-drawer'],
    transports: ['stdio'],
    run: async (trial) => {
      for (const one of (await requests(trial, 'servers')).filter(({ server }) => server === 'other')) {
        const sent = something(one, 'session') ?? something(one, 'server');
        expectSent(sent === undefined, `another server got ${short(sent)}`, one, 'params', '_meta');
      }
      await again(trial);
    },
  },
  {
    id: 'state:session-ends',
    proves: ['STATE-20', 'STATE-23'],
    title: 'Session state ends with the session',
    faults: ['state-session-survives'],
    transports: ['stdio'],
    run: async (trial) => {
      const one = await again(trial);
      const session = something(one, 'session');
      expectSent(session === undefined, `on a new session with the server ${short(session)} came back`, one, 'params', '_meta');
    },
  },
  {
    id: 'state:server-stays',
    proves: ['STATE-21'],
    title: 'Server state stays when the session has ended',
    faults: ['state-server-forgotten', 'state-one-scope'],
    transports: ['stdio'],
    run: async (trial) => {
      expectServerState(await again(trial));
    },
  },
  {
    id: 'state:opening',
    proves: ['STATE-08'],
    title: 'Server state goes on the first request of a new session too',
    faults: ['state-missed-on-opening', 'state-server-forgotten', 'state-only-calls', 'state-one-scope'],
    transports: ['stdio'],
    run: async (trial) => {
      const { message } = await again(trial);
      const log = (await requests(trial, 'servers')).filter(({ server }) => server === 'first');
      const call = log.findIndex((one) => one.message === message);
      const opening = log.slice(0, call).findLast(isOpening);
      if (opening === undefined) throw new NotApplicable('the new session has no opening request');
      expectServerState(opening);
    },
  },
  {
    id: 'state:notifications',
    proves: ['STATE-10'],
    title: 'Notifications carry no state',
    faults: ['state-in-notifications'],
    revisions: [LEGACY],
    transports: ['stdio'],
    run: async (trial) => {
      await again(trial);
      const { received } = await trial.log('servers');
      const notices = received.filter(({ message }) => message['method'] !== undefined && message['id'] === undefined);
      if (notices.length === 0) throw new NotApplicable('the client sent no notification');
      for (const one of notices) {
        const sent = stateSent(one, 'session') ?? stateSent(one, 'server');
        expectSent(sent === undefined, `${short(one.message['method'])} carries ${short(sent)}`, one, 'params', '_meta');
      }
    },
  },
];
