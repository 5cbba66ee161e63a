import { HttpTransport } from '@tmcp/transport-http';
import { McpServer } from 'tmcp';
import { serverContext } from 'waybill/server';
import { listenFetch } from './listen.mjs';
import { OPTIONS, seen } from './seen.mjs';

export async function serve() {
  const server = new McpServer({ name: 'tmcp', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.tool({ name: 'showContext', description: 'what reached it' }, () => ({ content: [{ type: 'text', text: seen() }] }));
  const transport = new HttpTransport(server, { path: '/mcp' });
  const handle = async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 });
  return listenFetch(serverContext(OPTIONS).http(handle, { standalone: true }));
}
