/** Rules of the protocol itself, for gateways that keep lists. */
import { expect, NotApplicable } from '../../../check.js';
import { expectResult, resultOf, inWords } from '../../../runner/servers.js';
import { at, short } from '../../../wire/json.js';
import { MODERN } from '../../../wire/keys.js';
import { PRIVATE } from '../../../upstream/server.js';
import { freshLanguage, type GatewayCheck, passList } from '../trial.js';

export const listChecks: readonly GatewayCheck[] = [
  {
    id: 'protocol:pages',
    proves: ['IX-01', 'BASE-11'],
    title: 'Each page of a list is its own: a cache tells cursors apart',
    faults: ['cursor-ignored'],
    run: async (trial) => {
      const language = freshLanguage();
      const first = await passList(trial, { language });
      const cursor = at(expectResult(first.exchange, 'tools/list'), 'nextCursor');
      if (typeof cursor !== 'string') throw new NotApplicable('the gateway passes no cursor of the upstream on');
      const { exchange } = await passList(trial, { language, params: { cursor } });
      const name = at(expectResult(exchange, 'the second page'), 'tools', 0, 'name');
      expect(name === 'check_page', `the second page begins with ${short(name)}`, exchange, ['answer', 'result', 'tools', 0]);
    },
  },
  {
    id: 'protocol:private',
    proves: ['IX-01', 'BASE-11'],
    title: 'A private list of one caller is not served to another',
    faults: ['shares-private'],
    revisions: [MODERN],
    run: async (trial) => {
      const language = `${freshLanguage()}-${PRIVATE}`;
      const ask = (who: string) => passList(trial, { language, headers: [['Authorization', `Bearer ${who}`]] });
      const [first, second] = [await ask('one'), await ask('two')];
      if (first.arrived === undefined)
        throw new NotApplicable(`no list of a caller with credentials is passed: ${inWords(first.exchange)}`);
      const scope = at(first.exchange.answer, 'result', 'cacheScope');
      if (scope !== 'private') throw new NotApplicable(`the gateway makes the scope of a private list ${short(scope)}`);
      const observed = `the private list for "Bearer one" was served for "Bearer two"`;
      expect(second.arrived !== undefined || resultOf(second.exchange) === undefined, observed, second.exchange, ['answer', 'result']);
    },
  },
];
