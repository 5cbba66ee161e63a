/** Rules of the protocol itself that the five concerns stand on: which requests are refused, and what disturbs none. */
import { expect } from '../../../check.js';
import { codeOf, expectRefusal, expectResult, inWords } from '../../../runner/servers.js';
import type { Exchange } from '../../../wire/exchange.js';
import { canonical, equal } from '../../../wire/json.js';
import { CLIENT_CAPABILITIES, CLIENT_CONTEXT, HEADER_MISMATCH, INVALID_PARAMS, LEGACY, MODERN } from '../../../wire/keys.js';
import type { Ask } from '../../../wire/session.js';
import { TRACEPARENT } from '../../../wire/trace.js';
import { expectSameList, identifiers, type ServerCheck, toolsIn } from '../trial.js';

/** Codes that the specification assigns in its own band, and its reserved ones of JSON-RPC. */
const ASSIGNED = new Set([-32020, -32021, -32022, -32042, -32600, -32601, -32602, -32603, -32700]);

/** A tool that no server has: the headers of a call are wrong before anybody looks for it. */
const CALL = { name: 'no_such_tool', arguments: {} };
const WRONG_HEADERS: readonly (readonly [why: string, method: string, ask: Ask])[] = [
  ['Mcp-Method: prompts/list on tools/list', 'tools/list', { headers: [['Mcp-Method', 'prompts/list']] }],
  ['Mcp-Method in capitals', 'tools/list', { headers: [['Mcp-Method', 'TOOLS/LIST']] }],
  ['no Mcp-Method', 'tools/list', { without: ['mcp-method'] }],
  ['MCP-Protocol-Version unlike the body', 'tools/list', { headers: [['MCP-Protocol-Version', LEGACY]] }],
  ['no MCP-Protocol-Version', 'tools/list', { without: ['mcp-protocol-version'] }],
  ['Mcp-Name: other_tool on a call of no_such_tool', 'tools/call', { params: CALL, headers: [['Mcp-Name', 'other_tool']] }],
  ['no Mcp-Name on a call', 'tools/call', { params: CALL, without: ['mcp-name'] }],
];

export const requestChecks: readonly ServerCheck[] = [
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
    title: 'A header that is missing or differs from the body is refused with 400 and -32020',
    faults: ['ignores-headers', 'ignores-missing-headers', 'ignores-name-header', 'headers-without-case'],
    revisions: [MODERN],
    transports: ['http'],
    run: async ({ peer }) => {
      for (const [why, method, ask] of WRONG_HEADERS) expectRefusal(await peer.request(method, ask), [HEADER_MISMATCH], 400, why);
    },
  },
  {
    id: 'protocol:encoded-name',
    proves: ['BASE-08'],
    title: 'A name in Base64 in its header equals the name in the body',
    faults: ['reads-no-base64'],
    revisions: [MODERN],
    transports: ['http'],
    run: async ({ peer }) => {
      const name = 'größe';
      const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
      const called = await peer.request('tools/call', { params: { name, arguments: {} }, headers: [['Mcp-Name', encoded]] });
      const answered = called.answer !== undefined && codeOf(called) !== HEADER_MISMATCH;
      expect(answered, `${encoded} is ${name}, and the answer is ${inWords(called)}`, called, ['answer']);
    },
  },
  {
    id: 'protocol:codes',
    proves: ['BASE-04'],
    title: 'Codes in the band of the specification have the meaning it gives them',
    faults: ['invents-code', 'invents-code-for-tools'],
    run: async ({ peer }) => {
      const asked = await peer.request('waybill/nothing');
      expect(typeof codeOf(asked) === 'number', `an unknown method was answered with ${inWords(asked)}`, asked, ['answer']);
      for (const answered of [asked, await peer.request('tools/call', { params: CALL })]) {
        expect(answered.answer !== undefined, inWords(answered), answered);
        const code = Number(codeOf(answered) ?? 0);
        const reserved = code <= -32000 && code >= -32768;
        expect(!reserved || ASSIGNED.has(code), `${code} is reserved and has no meaning`, answered, ['answer', 'error', 'code']);
      }
    },
  },
  {
    id: 'protocol:unknown-meta',
    proves: ['TRACE-04'],
    title: 'Unknown _meta keys change nothing',
    faults: ['refuses-unknown-meta'],
    run: (trial) =>
      expectSameList(trial, {}, { meta: { 'com.example/conformance': { nested: [1, null, '✓'] } } }, 'the key com.example/conformance'),
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
      expect(same, `without the context ${inWords(plain)}; with it ${inWords(keyed)}`, keyed, ['answer']);
    },
  },
  {
    id: 'protocol:extensions',
    proves: ['BASE-17'],
    title: 'An extension of the client that the server does not know changes nothing',
    faults: ['refuses-extensions'],
    run: (trial) =>
      expectSameList(trial, {}, { capabilities: { extensions: { 'com.example/none': {} } } }, 'the extension com.example/none'),
  },
  {
    id: 'protocol:legacy',
    proves: ['IX-19'],
    title: 'On 2025-11-25 the keys of the proposals need no envelope beside them',
    faults: ['legacy-refuses-keys'],
    revisions: [LEGACY],
    run: async ({ peer }) => {
      const meta = { [CLIENT_CONTEXT]: { timezone: 'Europe/Vienna' }, traceparent: TRACEPARENT };
      expectResult(await peer.request('tools/list', { language: 'en', meta }), 'tools/list with a language, a context and a trace');
    },
  },
];
