import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { contextOf, serverContext } from 'waybill/server';

// #region context
const waybill = serverContext({ languages: ['en', 'de'], onIssue: console.warn });
// #endregion

function buildServer() {
  const server = new McpServer({ name: 'clock', version: '1.0.0' });
  // #region tool
  server.registerTool('now', { description: 'The time where the user is' }, (ctx) => {
    const { language, environment, format } = contextOf(ctx);
    const text = `${format.dateTime(environment.now)} (${language.chosen}, ${environment.timezone})`;
    return { content: [{ type: 'text', text }] };
  });
  // #endregion
  return server;
}

// #region serve
const handler = waybill.node(toNodeHandler(createMcpHandler(waybill.attach(buildServer))));
const port = Number(process.env['PORT'] ?? 3000);
const listening = createServer((request, response) => void handler(request, response)).listen(port, '127.0.0.1', () => {
  console.log(listening.address());
});
// #endregion
