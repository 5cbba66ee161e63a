import { createTool } from '@mastra/core/tools';
import { MCPServer } from '@mastra/mcp';
import { Server } from '@modelcontextprotocol/server';
import { serverContext } from 'waybill/server';
import { z } from 'zod';
import { listen } from './listen.mjs';
import { OPTIONS, seen } from './seen.mjs';

export async function serve() {
  const waybill = serverContext({ ...OPTIONS, ambient: true });
  waybill.instrument(Server);
  const showContext = createTool({
    id: 'showContext',
    description: 'Tells what it sees',
    inputSchema: z.object({}),
    execute: async () => ({ seen: seen() }),
  });
  const server = new MCPServer({ id: 'mastra', name: 'mastra', version: '1.0.0', tools: { showContext } });
  return listen(
    waybill.node((req, res, parsedBody) => {
      req.body = parsedBody;
      return server.startHTTP({ url: new URL(req.url, 'http://127.0.0.1'), httpPath: '/mcp', req, res });
    }),
  );
}
