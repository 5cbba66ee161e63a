import { Server } from '@modelcontextprotocol/server';
import { MCPServer } from 'mcp-use';
import { serverContext } from 'waybill/server';
import { listenFetch } from './listen.mjs';
import { OPTIONS, seen } from './seen.mjs';

export async function serve() {
  const waybill = serverContext({ ...OPTIONS, ambient: true });
  waybill.instrument(Server);
  const server = new MCPServer({ name: 'use', version: '1.0.0' });
  server.tool({ name: 'showContext', description: 'Tells what it sees' }, async () => ({ content: [{ type: 'text', text: seen() }] }));
  return listenFetch(waybill.http((request) => server.fetch(request), { rebuild: true }));
}
