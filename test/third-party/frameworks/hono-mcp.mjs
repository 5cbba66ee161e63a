import { StreamableHTTPTransport } from '@hono/mcp';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Hono } from 'hono';
import { serverContext } from 'waybill/server';
import { listenFetch } from './listen.mjs';
import { OPTIONS, seen } from './seen.mjs';

export async function serve() {
  const waybill = serverContext(OPTIONS);
  const server = waybill.attach(new McpServer({ name: 'hono', version: '1.0.0' }));
  server.registerTool('showContext', {}, (ctx) => ({ content: [{ type: 'text', text: seen(ctx) }] }));
  const transport = new StreamableHTTPTransport();
  const app = new Hono();
  app.all('/mcp', async (c) => {
    if (!server.isConnected()) await server.connect(transport);
    return transport.handleRequest(c);
  });
  return listenFetch(waybill.http((request) => app.fetch(request), { rebuild: true }));
}
