/** Rules of the protocol itself that the five concerns stand on: lists, and what caches may keep of them. */
import { expect } from '../../../check.js';
import { expectResult, resultOf, sameAnswer, inWords } from '../../../runner/servers.js';
import type { Exchange } from '../../../wire/exchange.js';
import { at, equal, short } from '../../../wire/json.js';
import { FORM, MODERN } from '../../../wire/keys.js';
import { listOf, quietCall, type ServerCheck, skipWithout } from '../trial.js';

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
/** More pages of one list than this are not looked at. */
const MAX_PAGES = 5;
const CACHEABLE = ['ttlMs', 'cacheScope'];

/** Both hints, well formed. Returns the scope. */
function expectHints(answered: Exchange, what: string): unknown {
  const { ttlMs, cacheScope } = expectResult(answered, what);
  const lasts = Number.isInteger(ttlMs) && (ttlMs as number) >= 0;
  expect(lasts, `${what}: ttlMs is ${short(ttlMs)}`, answered, ['answer', 'result', 'ttlMs']);
  const scoped = cacheScope === 'public' || cacheScope === 'private';
  expect(scoped, `${what}: cacheScope is ${short(cacheScope)}`, answered, ['answer', 'result', 'cacheScope']);
  return cacheScope;
}

export const listChecks: readonly ServerCheck[] = [
  {
    id: 'protocol:cache-hints',
    proves: ['BASE-10'],
    title: 'Discovery, lists and reads carry ttlMs and cacheScope, with one scope for all pages of a list',
    faults: ['no-cache-hints', 'no-hints-on-discovery', 'no-hints-on-reads', 'scope-by-page'],
    revisions: [MODERN],
    run: async ({ peer }) => {
      expectHints(await peer.request('server/discover'), 'server/discover');
      for (const method of LISTS) {
        const scopes = new Set();
        let cursor: unknown;
        for (let page = 0; page < MAX_PAGES && (page === 0 || typeof cursor === 'string'); page++) {
          const listed = await peer.request(method, page === 0 ? {} : { params: { cursor } });
          if (page === 0 && at(listed.answer, 'error') !== undefined) break;
          scopes.add(expectHints(listed, method));
          const path = ['answer', 'result', 'cacheScope'];
          expect(scopes.size === 1, `${method}: the pages have the scopes ${[...scopes].join(' and ')}`, listed, path);
          cursor = at(resultOf(listed), 'nextCursor');
        }
      }
      const uri = at(resultOf(await peer.request('resources/list')), 'resources', 0, 'uri');
      if (typeof uri !== 'string') return;
      const read = await peer.request('resources/read', { params: { uri } });
      if (at(resultOf(read), 'contents') !== undefined) expectHints(read, 'resources/read');
    },
  },
  {
    id: 'protocol:question-hints',
    proves: ['BASE-10'],
    title: 'A question carries no hints for caches',
    faults: ['hints-on-question', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      skipWithout(trial, 'check_ask');
      const asked = await trial.peer.call('check_ask', {}, { capabilities: FORM });
      const result = expectResult(asked, 'check_ask');
      expect(result['resultType'] === 'input_required', `check_ask gave ${inWords(asked)}`, asked, ['answer', 'result', 'resultType']);
      const hint = CACHEABLE.find((name) => name in result);
      expect(hint === undefined, `the question has ${hint ?? ''}`, asked, ['answer', 'result', hint ?? '']);
    },
  },
  {
    id: 'protocol:order',
    proves: ['BASE-13'],
    title: 'Tools are listed in the same order every time',
    faults: ['shuffles-tools'],
    run: async (trial) => {
      const names = async () => {
        const listed = await listOf(trial);
        const tools = expectResult(listed, 'tools/list')['tools'];
        return { listed, names: Array.isArray(tools) ? tools.map((tool: unknown) => at(tool, 'name')) : [] };
      };
      const first = await names();
      for (let round = 0; round < 2; round++) {
        const again = await names();
        expect(equal(first.names, again.names), `first ${short(first.names)}, then ${short(again.names)}`, again.listed, [
          'answer',
          'result',
          'tools',
        ]);
      }
    },
  },
  {
    id: 'protocol:steady-lists',
    proves: ['BASE-12'],
    title: 'A list is the same on another connection and after other requests',
    faults: ['list-grows'],
    run: async (trial) => {
      const before = await listOf(trial);
      await quietCall(trial);
      await trial.peer.close();
      const after = await trial.peer.request('tools/list');
      expect(sameAnswer(before, after), `first ${inWords(before)}, then ${inWords(after)}`, after, ['answer', 'result', 'tools']);
    },
  },
];
