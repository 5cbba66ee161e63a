/** The tool that a client is offered if the connection cannot carry the question of the better one. */
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from 'waybill';
import { clientContext } from 'waybill/client';
import { serverContext } from 'waybill/server';

const url = new URL('http://shop.test/mcp');
const text = (found: string): { content: { type: 'text'; text: string }[] } => ({ content: [{ type: 'text', text: found }] });

/** `book` asks the user for a seat; `book_any` takes any seat and stands in for it. */
function shop(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1' });
  const inputSchema = z.object({});
  server.registerTool('book', { inputSchema }, () => text('asked'));
  server.registerTool('book_any', { inputSchema }, () => text('any seat'));
  return server;
}

async function offered(options: object, layered: boolean): Promise<string[]> {
  const needs = { book: { requires: { elicitation: {} }, otherwise: 'book_any' } };
  const server = serverContext({ tools: needs, filter: 'declared' });
  const handler = server.http(createMcpHandler(server.attach(shop)));
  const transport = new StreamableHTTPClientTransport(url, { fetch: (to, init) => handler.fetch(new Request(to, init)) });
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: { form: {} } }, ...options });
  await client.connect(layered ? clientContext().attach(transport) : transport);
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

describe('createMcpHandler without sessions', () => {
  test.each([false, true])('D-29: a client of 2025-11-25 is offered the tool that works, with the layer: %s', async (layered) => {
    expect(await offered({}, layered)).toEqual(['book_any']);
  });

  test.each([false, true])(
    'D-29: on 2026-07-28 the question is a result, so the better tool is offered, with the layer: %s',
    async (layered) => {
      expect(await offered({ versionNegotiation: { mode: 'auto' } }, layered)).toEqual(['book']);
    },
  );
});

describe('a session whose server answered only in JSON, until it streams', () => {
  /** A server of 2025-11-25 with sessions that answers calls in a stream, and everything else in JSON. */
  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = (await request.json()) as { id?: number; method: string };
    if (id === undefined) return new Response(null, { status: 202 });
    const tools = [
      { name: 'book', inputSchema: { type: 'object' }, _meta: { [keys.REQUIRED_CAPABILITIES]: { elicitation: {} } } },
      { name: 'look', inputSchema: { type: 'object' } },
    ];
    const results: Record<string, object> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools },
      'tools/call': { content: [] },
    };
    const message = { jsonrpc: '2.0', id, result: results[method] };
    const headers = { 'mcp-session-id': 'one' };
    if (method !== 'tools/call') return Response.json(message, { headers });
    return new Response(`data: ${JSON.stringify(message)}\n\n`, { headers: { ...headers, 'content-type': 'text/event-stream' } });
  }

  test('D-29: a list that was cached before the server could ask is not shown once it can', async () => {
    const waybill = clientContext();
    const options = waybill.clientOptions({ capabilities: { elicitation: { form: {} } }, defaultCacheTtlMs: 60_000 });
    const client = new Client({ name: 'c', version: '1' }, options);
    const transport = new StreamableHTTPClientTransport(url, { fetch: (to, init) => answer(new Request(to, init)) });
    await client.connect(waybill.attach(transport));
    const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
    const before = await names();
    await client.callTool({ name: 'look', arguments: {} });
    expect([before, await names()]).toEqual([['look'], ['book', 'look']]);
    await client.close();
  });
});
