import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { buildServer, textOf, text } from '../../../../../test/support/server-rig.js';
import { CLIENT_CAPABILITIES, CLIENT_INFO, OWN_CLIENT_CAPABILITIES, PROTOCOL_VERSION } from '../../wire/keys.js';
import { contextOf } from '../context.js';
import { serverContext } from '../server.js';
import { listCache } from './lists.js';

const DECLARED = { elicitation: { form: {} }, sampling: {}, roots: {}, state: {} };
const MODERN = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_INFO]: { name: 'x', version: '1' }, [CLIENT_CAPABILITIES]: DECLARED };
const LEGACY = { [OWN_CLIENT_CAPABILITIES]: DECLARED };
const OPTIONS = {
  tools: { book: { requires: { elicitation: { form: {} } }, otherwise: 'book_by_text' } },
  filter: 'declared',
} as const;

const TOOLS = {
  look: (extra: any) => {
    const { declared, usable, can } = withCan(contextOf(extra).capabilities);
    return text({ declared, usable, can });
  },
  insist: (extra: any) => (contextOf(extra).capabilities.requireCapability('elicitation.form'), text('asked')),
  book: () => text('booked'),
  book_by_text: () => text('in words'),
};

function withCan(capabilities: ReturnType<typeof contextOf>['capabilities']): Record<string, unknown> {
  const { declared, usable } = capabilities;
  return { declared, usable, can: capabilities.can('elicitation.form') && capabilities.can({ sampling: {} }) };
}

/** A server on a transport with these members, called with messages. */
async function connected(members: object): Promise<(method: string, params: object) => Promise<any>> {
  const answers = new Map<unknown, (answer: any) => void>();
  const transport: any = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (answer: any) => Promise.resolve(answers.get(answer.id)?.(answer)),
    ...members,
  };
  await serverContext(OPTIONS).attach(buildServer('v1', TOOLS)).connect(transport);
  let id = 0;
  return (method, params) =>
    new Promise((resolve) => {
      answers.set(++id, resolve);
      transport.onmessage({ jsonrpc: '2.0', id, method, params });
    });
}

const handleRequest = (): Promise<Response> => Promise.resolve(new Response());
const names = ({ result }: any): string[] => result.tools.map(({ name }: any) => name);

describe('D-29: a declared capability counts only if the connection can carry the question it needs', () => {
  const cases: [string, object, object, boolean][] = [
    ['not on HTTP without a session', { handleRequest }, LEGACY, false],
    ['not if the transport answers in JSON only', { handleRequest, sessionId: 's', _enableJsonResponse: true }, LEGACY, false],
    ['in a session over HTTP', { handleRequest, sessionId: 's' }, LEGACY, true],
    ['on a transport that we do not recognise', {}, LEGACY, true],
    ['on 2026-07-28, where a question is part of a result', { handleRequest }, MODERN, true],
  ];

  it.each(cases)('%s', async (_, members, _meta, isUsable) => {
    const ask = await connected(members);
    const call = (name: string): Promise<any> => ask('tools/call', { name, arguments: {}, _meta });
    expect(JSON.parse(textOf(await call('look')))).toEqual({
      declared: DECLARED,
      usable: isUsable ? DECLARED : { state: {} },
      can: isUsable,
    });
    expect(names(await ask('tools/list', { _meta }))).toEqual(['look', 'insist', isUsable ? 'book' : 'book_by_text']);
    for (const name of ['book', 'insist']) {
      const { error, result } = await call(name);
      if (isUsable) expect(result.content).toHaveLength(1);
      else {
        expect([error.code, error.data]).toEqual([-32021, { requiredCapabilities: { elicitation: { form: {} } } }]);
        expect(error.message).toBe(
          'Missing required client capability: elicitation.form (elicitation.form: declared, but this connection cannot carry a request back to the client)',
        );
      }
    }
  });

  it('capabilities of initialize count in the same way: a session whose transport answers in JSON only cannot ask', async () => {
    const ask = await connected({ handleRequest, sessionId: 's', _enableJsonResponse: true });
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: DECLARED, clientInfo: { name: 'x', version: '1' } });
    expect(JSON.parse(textOf(await ask('tools/call', { name: 'look', arguments: {} })))).toEqual({
      declared: DECLARED,
      usable: { state: {} },
      can: false,
    });
  });

  it('the refusal does not claim that an undeclared capability was declared', async () => {
    const ask = await connected({ handleRequest });
    const { error } = await ask('tools/call', { name: 'book', arguments: {}, _meta: { [OWN_CLIENT_CAPABILITIES]: {} } });
    expect(error.message).toBe('Missing required client capability: elicitation.form');
  });

  it('no filtered list is answered in front of a connection that is not known yet', async () => {
    const lists = listCache({ public: true });
    const waybill = serverContext({ ...OPTIONS, lists });
    let built = 0;
    const handler = waybill.http(
      createMcpHandler(
        waybill.attach(() => {
          built++;
          const server = new McpServer({ name: 's', version: '1' });
          for (const name of ['book', 'book_by_text']) server.registerTool(name, {}, () => text(name));
          return server;
        }),
      ),
    );
    const list = async (_meta: object, version: string): Promise<unknown> => {
      const headers = {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': version, 'mcp-method': 'tools/list' },
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
      const answer = await (await handler.fetch(new Request('http://s.test/', { method: 'POST', headers, body }))).text();
      return names(JSON.parse(answer.replace(/^[^{]*/, '')));
    };
    for (let time = 0; time < 3; time++) expect(await list(LEGACY, '2025-11-25')).toEqual(['book_by_text']);
    // Each request has reached a server.
    expect(built).toBe(3);
    for (let time = 0; time < 3; time++) expect(await list(MODERN, '2026-07-28')).toEqual(['book']);
    expect(built).toBe(4);
  });
});
