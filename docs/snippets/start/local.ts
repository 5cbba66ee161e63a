import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { contextOf, serverContext } from 'waybill/server';

const server = serverContext();
function buildServer() {
  const mcp = new McpServer({ name: 'counter', version: '1.0.0' });
  // #region server
  mcp.registerTool('visits', {}, (ctx) => {
    const { state } = contextOf(ctx);
    const before = state.server.get('visits');
    const visits = (typeof before === 'number' ? before : 0) + 1;
    state.server.set('visits', visits);
    return { content: [{ type: 'text', text: String(visits) }] };
  });
  // #endregion
  return mcp;
}
const handler = server.node(toNodeHandler(createMcpHandler(server.attach(buildServer))));
const listening = createServer((request, response) => void handler(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => listening.once('listening', resolve));
const url = new URL(`http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`);

// #region client
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';

const state = jar({ allowHosts: ['localhost', '127.0.0.1'] }); // plain http is allowed for these two only
const waybill = clientContext({ state, onIssue: console.warn });
// #endregion
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(waybill.attach(new StreamableHTTPClientTransport(url)));
const texts = [];
for (let call = 0; call < 3; call++) texts.push((await client.callTool({ name: 'visits' })).content);
assert.deepEqual(
  texts.flat().map((part) => part.type === 'text' && part.text),
  ['1', '2', '3'],
);

// #region look
for (const { server } of await waybill.jar.list()) console.log(server, await waybill.jar.show(server));
await waybill.jar.clear(); // forget everything
// #endregion
assert.deepEqual(await waybill.jar.list(), []);

await client.close();
listening.close();
listening.closeAllConnections();
