import { MCPServer, MCPTool } from 'mcp-framework';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { serverContext } from 'waybill/server';
import { freePort } from './listen.mjs';
import { OPTIONS, seen } from './seen.mjs';

class Sees extends MCPTool {
  name = 'showContext';
  description = 'Tells what it sees';
  schema = {};
  async execute() {
    return seen();
  }
}

export async function serve() {
  serverContext({ ...OPTIONS, ambient: true }).instrument(Server);
  const port = await freePort();
  const server = new MCPServer({
    name: 'framework',
    version: '1.0.0',
    basePath: import.meta.dirname,
    transport: { type: 'http-stream', options: { port, host: '127.0.0.1', endpoint: '/mcp' } },
  });
  server.addTool(Sees);
  void server.start(); // it resolves when the server has been stopped
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  for (;;) {
    const answers = await fetch(url, { method: 'OPTIONS' }).catch(() => undefined);
    if (answers !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
