// @ts-check
/** One arm: `tools/call` in memory, 32 at a time. Arguments: mode (bare, language, everything) and connection (modern, legacy, v1). */
import { Client as ClientV2, InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { serveArm } from '../harness.mjs';
import { bind } from '../meter.mjs';
import { build, layerOf, META } from './server-common.mjs';

const [mode = 'bare', connection = 'modern'] = process.argv.slice(2);
const layer = layerOf(mode);
const attach = (/** @type {any} */ target) => (layer ? layer.attach(target) : target);
const [near, far] = /** @type {any} */ (connection === 'v1' ? MemoryV1 : MemoryV2).createLinkedPair();
/** @type {any} */
let client;
if (connection === 'v1') {
  client = new ClientV1({ name: 'bench', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
  await attach(build(ServerV1, { text: z.string() }, mode)).connect(far);
} else {
  const pin = connection === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  client = new ClientV2(
    { name: 'bench', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: /** @type {any} */ (pin) } },
  );
  serveStdio(
    attach(() => build(ServerV2, z.object({ text: z.string() }), mode)),
    { transport: far },
  );
}
await client.connect(near);
const call = { name: 'tool_5', arguments: { text: 'hello' }, _meta: META };
const { content } = await client.callTool(call);
if (content[0].text !== 'fr') throw new Error(`answered ${JSON.stringify(content)}`);
bind(process.pid, 1);
serveArm(async (n) => {
  let left = n;
  const worker = async () => {
    while (left-- > 0) await client.callTool(call);
  };
  await Promise.all(Array.from({ length: Math.min(32, n) }, worker));
});
