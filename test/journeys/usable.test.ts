/** Which tool a client is offered where the connection cannot carry the question that the better one asks. */
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clientContext } from 'waybill/client';
import { serverContext } from 'waybill/server';

const url = new URL('http://shop.test/mcp');
const text = (found: string): { content: { type: 'text'; text: string }[] } => ({ content: [{ type: 'text', text: found }] });

/** `book` asks the user which seat; `book_any` takes any and stands in for it. */
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
