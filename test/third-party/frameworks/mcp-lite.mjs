import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite';
import { serverContext } from 'waybill/server';
import { listenFetch } from './listen.mjs';
import { OPTIONS, seen } from './seen.mjs';

export async function serve() {
  const server = new McpServer({ name: 'mcp-lite', version: '1.0.0' });
  server.tool('showContext', { handler: () => ({ content: [{ type: 'text', text: seen() }] }) });
  const transport = new StreamableHttpTransport({ sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 64 }) });
  return listenFetch(serverContext(OPTIONS).http(transport.bind(server), { standalone: true }));
}
