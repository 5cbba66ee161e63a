import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const called: Headers[] = [];
function fetch(_url: string, init: { headers: Record<string, string> }): Promise<void> {
  called.push(new Headers(init.headers));
  return Promise.resolve();
}

// #region server
import { contextOf, serverContext } from 'waybill/server';

const server = serverContext();
function buildServer() {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
  mcp.registerTool('stock', {}, async (ctx) => {
    const { trace } = contextOf(ctx);
    await fetch('https://stock.example/items', { headers: trace.headers({ accept: 'application/json' }) });
    return { content: [{ type: 'text', text: '12 pieces' }] };
  });
  return mcp;
}
// #endregion

// #region client
import { clientContext } from 'waybill/client';

const waybill = clientContext({ trace: 'start' }); // every call begins a trace; or a traceparent of your own
// #endregion
const handler = server.http(createMcpHandler(server.attach(buildServer)));
const local = (url: string | URL, init?: RequestInit): Promise<Response> => handler.fetch(new Request(url, init));
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(waybill.attach(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch: local })));
await client.callTool({ name: 'stock' });
assert.match(called[0]?.get('traceparent') ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]$/);
await client.close();
