/** Rules of the protocol itself that the five concerns stand on. */
import { expect, NotApplicable } from '../../check.js';
import { codeOf, expectRefusal, expectResult, metasOf, sameAnswer, told } from '../../runner/servers.js';
import type { Exchange } from '../../wire/exchange.js';
import { at, canonical, equal, short } from '../../wire/json.js';
import { CLIENT_CAPABILITIES, CLIENT_CONTEXT, HEADER_MISMATCH, INVALID_PARAMS, keyProblem, LEGACY, MODERN } from '../../wire/keys.js';
import { identifiers, type ServerCheck, toolsIn } from './trial.js';

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
/** Codes that the specification assigns in its own band, and its reserved ones of JSON-RPC. */
const ASSIGNED = new Set([-32020, -32021, -32022, -32042, -32600, -32601, -32602, -32603, -32700]);

export const protocolChecks: readonly ServerCheck[] = [
  {
    id: 'protocol:envelope',
    proves: ['BASE-01', 'CAP-05'],
    title: 'A request without client capabilities is refused with -32602',
    faults: ['accepts-no-envelope'],
    revisions: [MODERN],
    run: async ({ peer }) =>
      expectRefusal(
        await peer.request('tools/list', { without: [CLIENT_CAPABILITIES] }),
        [INVALID_PARAMS],
        400,
        'without clientCapabilities',
      ),
  },
  {
    id: 'protocol:headers',
    proves: ['BASE-08'],
    title: 'A header that differs from the body is refused with 400 and -32020',
    faults: ['ignores-headers'],
    revisions: [MODERN],
    transports: ['http'],
    run: async ({ peer }) =>
      expectRefusal(
        await peer.request('tools/list', { headers: [['Mcp-Method', 'prompts/list']] }),
        [HEADER_MISMATCH],
        400,
        'Mcp-Method: prompts/list on tools/list',
      ),
  },
  {
    id: 'protocol:cache-hints',
    proves: ['BASE-10'],
    title: 'Lists carry ttlMs and cacheScope',
    faults: ['no-cache-hints'],
    revisions: [MODERN],
    run: async ({ peer }) => {
      for (const method of LISTS) {
        const listed = await peer.request(method);
        if (at(listed.answer, 'error') !== undefined) continue;
        const { ttlMs, cacheScope } = expectResult(listed, method);
        expect(Number.isInteger(ttlMs) && (ttlMs as number) >= 0, `${method}: ttlMs is ${short(ttlMs)}`, listed, [
          'answer',
          'result',
          'ttlMs',
        ]);
        const scoped = cacheScope === 'public' || cacheScope === 'private';
        expect(scoped, `${method}: cacheScope is ${short(cacheScope)}`, listed, ['answer', 'result', 'cacheScope']);
      }
    },
  },
  {
    id: 'protocol:order',
    proves: ['BASE-13'],
    title: 'Tools are listed in the same order every time',
    faults: ['shuffles-tools'],
    run: async ({ peer }) => {
      const names = async () => {
        const listed = await peer.request('tools/list');
        if (codeOf(listed) === -32601) throw new NotApplicable('the server has no tools');
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
    id: 'protocol:result-type',
    proves: ['BASE-15'],
    title: 'Every result has a resultType',
    faults: ['no-result-type'],
    revisions: [MODERN],
    run: async ({ peer }) => {
      const listed = await peer.request('tools/list');
      const { resultType } = expectResult(listed, 'tools/list');
      expect(resultType === 'complete', `resultType is ${short(resultType)}`, listed, ['answer', 'result', 'resultType']);
    },
  },
  {
    id: 'protocol:codes',
    proves: ['BASE-04'],
    title: 'Codes in the band of the specification have the meaning it gives them',
    faults: ['invents-code'],
    run: async ({ peer }) => {
      const asked = await peer.request('waybill/nothing');
      const code = codeOf(asked);
      expect(typeof code === 'number', `an unknown method was answered with ${told(asked)}`, asked, ['answer']);
      const reserved = code <= -32000 && code >= -32768;
      expect(!reserved || ASSIGNED.has(code), `${code} is reserved and has no meaning`, asked, ['answer', 'error', 'code']);
    },
  },
  {
    id: 'protocol:unknown-meta',
    proves: ['TRACE-04'],
    title: 'Unknown _meta keys change nothing',
    faults: ['refuses-unknown-meta'],
    run: async ({ peer }) => {
      const plain = await peer.request('tools/list');
      const keyed = await peer.request('tools/list', { meta: { 'com.example/conformance': { nested: [1, null, '✓'] } } });
      expect(sameAnswer(plain, keyed), `without the key ${told(plain)}; with it ${told(keyed)}`, keyed, ['answer']);
    },
  },
  {
    id: 'protocol:client-context',
    proves: ['CTX-14'],
    title: 'The client context of a caller disturbs no server',
    faults: ['refuses-client-context', 'legacy-refuses-keys'],
    run: async ({ peer }) => {
      const plain = await peer.request('tools/list');
      const context = { timezone: 'Europe/Vienna', currentTimestamp: '2026-10-25T02:30:00+01:00', locale: 'de-AT' };
      const keyed = await peer.request('tools/list', { meta: { [CLIENT_CONTEXT]: context } });
      // Titles may follow a locale; what programs use may not.
      const used = (exchange: Exchange) => [
        codeOf(exchange),
        toolsIn(exchange.answer)
          .map((tool) => canonical(identifiers(tool)))
          .sort(),
      ];
      const same = keyed.answer !== undefined && equal(used(plain), used(keyed));
      expect(same, `without the context ${told(plain)}; with it ${told(keyed)}`, keyed, ['answer']);
    },
  },
  {
    id: 'protocol:keys',
    proves: ['BASE-05', 'BASE-06'],
    title: 'Keys that the server writes into _meta fit the grammar, and reserved prefixes are left to the protocol',
    faults: ['key-with-space', 'key-reserved-prefix'],
    run: async ({ peer, observed }) => {
      const { harmless } = observed;
      const seen = [await peer.request('tools/list'), ...(harmless ? [await peer.call(harmless.name, harmless.args)] : [])];
      for (const exchange of seen) {
        const problem = metasOf(exchange)
          .flatMap(Object.keys)
          .map(keyProblem)
          .find((one) => one !== undefined);
        expect(problem === undefined, problem ?? '', exchange, ['answer', 'result', '_meta']);
      }
    },
  },
  {
    id: 'protocol:steady-lists',
    proves: ['BASE-12'],
    title: 'A list is the same on another connection and after other requests',
    faults: ['list-grows'],
    run: async ({ peer, observed }) => {
      const before = await peer.request('tools/list');
      if (codeOf(before) === -32601) throw new NotApplicable('the server has no tools');
      const quiet = ['check_meta', 'check_language', 'check_range'].find((name) => observed.tools.has(name));
      const { name, args } = observed.harmless ?? { name: quiet, args: { phrase: 'today' } };
      if (name !== undefined) await peer.call(name, args);
      await peer.close();
      const after = await peer.request('tools/list');
      expect(sameAnswer(before, after), `first ${told(before)}, then ${told(after)}`, after, ['answer', 'result', 'tools']);
    },
  },
  {
    id: 'protocol:extensions',
    proves: ['BASE-17'],
    title: 'An extension of the client that the server does not know changes nothing',
    faults: ['refuses-extensions'],
    run: async ({ peer }) => {
      const plain = await peer.request('tools/list');
      const extended = await peer.request('tools/list', { capabilities: { extensions: { 'com.example/none': {} } } });
      expect(sameAnswer(plain, extended), `without the extension ${told(plain)}; with it ${told(extended)}`, extended, ['answer']);
    },
  },
  {
    id: 'protocol:legacy',
    proves: ['IX-19'],
    title: 'On 2025-11-25 the keys of the proposals need no envelope beside them',
    faults: ['legacy-refuses-keys'],
    revisions: [LEGACY],
    run: async ({ peer }) => {
      const meta = {
        [CLIENT_CONTEXT]: { timezone: 'Europe/Vienna' },
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      };
      expectResult(await peer.request('tools/list', { language: 'en', meta }), 'tools/list with a language, a context and a trace');
    },
  },
];
