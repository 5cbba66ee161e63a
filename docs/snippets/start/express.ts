import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { contextOf, serverContext } from 'waybill/server';

const waybill = serverContext({ languages: ['en', 'de'] }); // new

function buildServer() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('opening', { description: 'When the shop opens' }, (extra) => {
    const { format } = contextOf(extra); // new
    const opens = Date.UTC(2026, 10, 19, 8);
    return { content: [{ type: 'text', text: format.dateTime(opens, { dateStyle: 'full', timeStyle: 'short' }) }] };
  });
  return server;
}

const app = express();
app.use('/mcp', waybill.node()); // new, before the route
app.post('/mcp', express.json(), async (request, response) => {
  const transport = new StreamableHTTPServerTransport();
  await waybill.attach(buildServer()).connect(transport); // new: waybill.attach
  await transport.handleRequest(request, response, request.body);
});

const listening = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log(listening.address());
});
