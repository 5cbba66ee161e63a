/** docs/troubleshooting.md shows messages as the code gives them: each is provoked here. */
import { readFileSync } from 'node:fs';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { refusals } from 'waybill/adapter';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { catalogs, contextOf, serverContext, type RequestContext } from 'waybill/server';
import { callTool } from 'waybill/testing';

const document = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8');

/** The messages in the middle column of its tables. */
const shown = [...document.matchAll(/^\|[^|]+\|([^|]+)\|/gm)].flatMap(([, cell = '']) => /^ `(.+)` +$/.exec(cell)?.[1] ?? []);

const thrown = async (act: () => unknown): Promise<string> => {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
};

/** The setup issues of a server while one tool runs. */
async function issuesOf(
  options: object,
  read: (context: RequestContext) => unknown = () => undefined,
  then: (server: McpServer) => Promise<unknown> = (server) => callTool(server, 'book', {}, {}),
): Promise<string> {
  const told: string[] = [];
  const waybill = serverContext({ ...options, onIssue: ({ key, problem }) => told.push(`${key}: ${problem}`) });
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('book', {}, (ctx) => ({ content: [{ type: 'text', text: String(read(contextOf(ctx))) }] }));
  await then(waybill.attach(server));
  return told.join('\n');
}

async function unattached(): Promise<string> {
  const told: string[] = [];
  const waybill = serverContext({ onIssue: ({ key, problem }) => told.push(`${key}: ${problem}`) });
  const handler = waybill.http(createMcpHandler(() => new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } })));
  await callTool(handler, 'book', {}, {}).catch(() => undefined);
  return told.join('\n');
}

async function jarIssue(transport: object): Promise<string> {
  const told: string[] = [];
  const waybill = clientContext({ state: jar(), onIssue: ({ key, problem }) => told.push(`${key}: ${problem}`) });
  const attached = waybill.attach(transport as never) as { start(): Promise<void>; send(message: object): Promise<void> };
  await attached.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }).catch(() => undefined);
  return told.join('\n');
}

const refused = async (): Promise<string> => {
  const reasons = ['language-mismatch', 'missing-capability', 'invalid-context', 'too-large', 'too-slow', 'too-busy'] as const;
  return reasons.map((reason) => refusals[reason].message).join('\n');
};

const PROVOKED: (() => Promise<string>)[] = [
  () => thrown(() => serverContext({ langauges: ['en'] } as never)),
  () => thrown(() => serverContext({ languages: ['german'] })),
  () => thrown(() => clientContext({ environment: { timezone: 'Wien/Europe' } })),
  () => thrown(() => catalogs({ en: { booked: '{seats, plural, one {# seat}' } }, { default: 'en' })),
  () => thrown(() => contextOf({ mcpReq: {} })),
  () => thrown(() => contextOf()),
  () => thrown(() => clientContext({}).attach({} as never)),
  () => issuesOf({}, ({ t }) => t('booked')),
  async () => {
    let message = '';
    await issuesOf({}, ({ environment }) => thrown(() => environment.range('yesterday')).then((text) => (message = text)));
    return message;
  },
  () => issuesOf({ tools: { bok: { requires: { sampling: {} } } } }, undefined, (server) => listOf(server)),
  unattached,
  refused,
];

async function listOf(server: McpServer): Promise<unknown> {
  const { Client, InMemoryTransport } = await import('@modelcontextprotocol/client');
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'check', version: '1.0.0' });
  await server.connect(far);
  await client.connect(near);
  const list = await client.listTools();
  await client.close();
  return list;
}

it('shows only messages that the code gives', { timeout: 60_000 }, async () => {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const said = [
    ...(await Promise.all(PROVOKED.map((provoke) => provoke()))),
    await jarIssue(new StreamableHTTPClientTransport(new URL('http://localhost:1/mcp'))),
    await jarIssue(new StdioClientTransport({ command: 'node', args: ['none.mjs'] })),
  ].join('\n');
  expect(shown.length).toBeGreaterThan(15);
  expect(shown.filter((message) => !said.includes(message))).toEqual([]);
});
