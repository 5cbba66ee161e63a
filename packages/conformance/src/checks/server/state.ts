/** SEP-1655 on servers: what a result may ask a client to keep. */
import { expect, NotApplicable } from '../../check.js';
import { expectResult, inWords, resultOf, stateIn } from '../../runner/servers.js';
import { type Exchange, header } from '../../wire/exchange.js';
import { at, canonical, equal, isObject, short } from '../../wire/json.js';
import { MODERN, SERVER_STATE, SESSION_STATE } from '../../wire/keys.js';
import { expectSameList, needTool, type ServerCheck, type ServerTrial, skipWithout } from './trial.js';

const capabilities = { state: {} };
const META = ['answer', 'result', '_meta'] as const;

async function setState(trial: ServerTrial, name: string, value: unknown): Promise<Exchange> {
  needTool(trial, 'check_state', 'the check needs a tool that sets state');
  const called = await trial.peer.call('check_state', { name, value }, { capabilities });
  expectResult(called, `check_state ${short({ name, value })}`);
  return called;
}

/** Sets a value and finds exactly it in the result. */
async function expectState(trial: ServerTrial, name: string, value: unknown): Promise<void> {
  const called = await setState(trial, name, value);
  const found = stateIn(resultOf(called)).find(({ value: names }) => isObject(names) && Object.hasOwn(names, name));
  expect(found !== undefined, `${short(name)} is in no state key of the result`, called, META);
  const kept = at(found.value, name);
  expect(canonical(kept) === canonical(value), `set ${short(name)} to ${short(value)}, the result says ${short(kept)}`, called, [
    ...META,
    found.key,
    name,
  ]);
}

export const stateChecks: readonly ServerCheck[] = [
  {
    id: 'state:dictionary',
    proves: ['STATE-03'],
    title: 'State is a dictionary under a scope key, each scope spelled once',
    faults: ['state-list', 'state-two-spellings'],
    run: async (trial) => {
      const called = await setState(trial, 'theme', 'dark');
      const found = stateIn(resultOf(called));
      expect(found.length > 0, 'no state key in the result', called, META);
      for (const { key, value } of found) expect(isObject(value), `${key} holds ${short(value)}`, called, [...META, key]);
      const scopes = found.map(({ scope }) => scope);
      expect(new Set(scopes).size === scopes.length, `one scope under two keys: ${found.map(({ key }) => key).join(', ')}`, called, META);
    },
  },
  {
    id: 'state:values',
    proves: ['STATE-04'],
    title: 'A value is any JSON',
    faults: ['state-only-text', 'state-empty-deletes', 'state-list'],
    run: async (trial) => {
      for (const value of [{ items: ['tea', { n: 1, none: null }] }, [1, 2], 'dark', '', 0, false])
        await expectState(trial, 'Value', value);
    },
  },
  {
    id: 'state:names',
    proves: ['STATE-04'],
    title: 'A name is any string',
    faults: ['state-plain-names', 'state-assigns-names', 'state-list'],
    run: async (trial) => {
      for (const name of ['Cart Contents', ' padded ', 'Grüße ✓', 'constructor', '__proto__', '']) await expectState(trial, name, 'x');
    },
  },
  {
    id: 'state:delete',
    proves: ['STATE-05'],
    title: 'A name is deleted by null',
    faults: ['state-null-dropped', 'state-list'],
    run: (trial) => expectState(trial, 'gone', null),
  },
  {
    id: 'state:capability',
    proves: ['STATE-13'],
    title: 'State is set only for a request that declared the capability',
    faults: ['state-undeclared', 'state-remembers-capability'],
    run: async (trial) => {
      needTool(trial, 'check_state', 'the check needs a tool that sets state');
      const called = await trial.peer.call('check_state', { name: 'theme', value: 'dark' });
      const found = stateIn(resultOf(called));
      expect(found.length === 0, `the request declared nothing, the result sets ${found.map(({ key }) => key).join(', ')}`, called, META);
    },
  },
  {
    id: 'state:each-request',
    proves: ['BASE-02', 'STATE-13'],
    title: 'A capability declared earlier does not count later',
    faults: ['state-remembers-capability'],
    revisions: [MODERN],
    run: async (trial) => {
      if (trial.observed.state?.undeclared === true) throw new NotApplicable('the server sets state whether or not it was ever declared');
      await setState(trial, 'theme', 'dark');
      const called = await trial.peer.call('check_state', { name: 'theme', value: 'light' });
      const found = stateIn(resultOf(called));
      expect(
        found.length === 0,
        `the second request declared nothing, its result sets ${found.map(({ key }) => key).join(', ')}`,
        called,
        META,
      );
    },
  },
  {
    id: 'state:own-request',
    proves: ['BASE-02'],
    title: 'A result sets nothing that an earlier request asked for: the server keeps no state of its own',
    faults: ['state-remembers'],
    revisions: [MODERN],
    run: async (trial) => {
      await setState(trial, 'of-an-earlier-request', 'one');
      const called = await setState(trial, 'of-this-request', 'two');
      const found = stateIn(resultOf(called)).find(({ value }) => at(value, 'of-an-earlier-request') !== undefined);
      expect(found === undefined, `a request without any state got ${short(found?.value)}`, called, META);
    },
  },
  {
    id: 'state:lists',
    proves: ['IX-09'],
    title: 'A list is the same whatever state comes with the request',
    faults: ['state-in-lists'],
    run: (trial) => {
      const meta = { [SESSION_STATE]: { theme: 'dark' }, [SERVER_STATE]: { theme: 'dark' } };
      return expectSameList(trial, { capabilities }, { capabilities, meta }, 'state');
    },
  },
  {
    id: 'state:notifications',
    proves: ['STATE-10'],
    title: 'Notifications carry no state',
    faults: ['state-in-progress'],
    run: async (trial) => {
      skipWithout(trial, 'check_language');
      const called = await trial.peer.call('check_language', { steps: 2 }, { capabilities, meta: { progressToken: 'state' } });
      const index = called.others.findIndex((one) => stateIn(one['params']).length > 0);
      expect(index < 0, `a notification carries state`, called, ['others', index, 'params', '_meta']);
    },
  },
  {
    id: 'state:hostile',
    proves: ['STATE-12', 'STATE-43'],
    title: 'Malformed state in a request does not make the call fail',
    faults: ['state-trusts'],
    run: async (trial) => {
      for (const malformed of [[1], 'x', 7, null, { theme: { deep: [[[[]]]] } }, JSON.parse('{"__proto__":{"admin":true}}') as unknown]) {
        const meta = { [SESSION_STATE]: malformed, [SERVER_STATE]: malformed };
        const listed = await trial.peer.request('tools/list', { capabilities, meta });
        expectResult(listed, `tools/list with state ${short(malformed)}`);
        if (!trial.observed.tools.has('check_state')) continue;
        const called = await trial.peer.call('check_state', { name: 'theme', value: 1 }, { capabilities, meta });
        expect(
          resultOf(called) !== undefined && !equal(at(resultOf(called), 'isError'), true),
          `with state ${short(malformed)}: ${inWords(called)}`,
          called,
          ['answer'],
        );
      }
    },
  },
  {
    id: 'state:not-shared',
    proves: ['IX-09'],
    title: 'An answer that sets state is not for shared caches',
    faults: ['state-public', 'state-on-public-lists'],
    run: async (trial) => {
      const listed = await trial.peer.request('tools/list', { capabilities });
      for (const answered of [await setState(trial, 'theme', 'dark'), listed]) {
        if (stateIn(resultOf(answered)).length === 0) continue;
        const control = header(answered, 'cache-control') ?? '';
        const shared = /\b(public|s-maxage|max-age=[1-9])/i.test(control) && !/\b(private|no-store)\b/i.test(control);
        expect(!shared, `Cache-Control is ${short(control)}`, answered, ['headers', 'cache-control']);
        expect(at(resultOf(answered), 'cacheScope') !== 'public', 'cacheScope is "public"', answered, ['answer', 'result', 'cacheScope']);
      }
    },
  },
];
