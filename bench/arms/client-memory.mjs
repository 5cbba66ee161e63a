// @ts-check
// node client-memory.mjs layer|hand auto|legacy: tool calls over SDK v2 in memory, the context written by the layer, or by hand by the caller.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { clientContext } from 'waybill/client';
import { serveArm } from '../harness.mjs';
import { byHand, CONTEXT } from './client-context.mjs';

const [, , how, mode] = /** @type {[string, string, string, 'auto' | 'legacy']} */ (process.argv);
const [near, far] = InMemoryTransport.createLinkedPair();
serveStdio(
  () => {
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('echo', { description: 'x' }, async () => ({ content: [] }));
    return server;
  },
  { transport: far },
);
const client = new Client({ name: 'c', version: '1' }, { capabilities: CONTEXT.capabilities, versionNegotiation: { mode } });
if (how === 'layer') clientContext(CONTEXT.values).attach(near);
await client.connect(near);
const call = how === 'layer' ? () => ({ name: 'echo', arguments: {} }) : () => ({ name: 'echo', arguments: {}, _meta: byHand() });

serveArm(async (n) => {
  for (let i = 0; i < n; i++) await client.callTool(call());
});
