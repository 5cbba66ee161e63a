import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const folder = mkdtempSync(join(tmpdir(), 'waybill-state-'));
const file = join(folder, 'state.db');
const key = randomBytes(32);

// #region client
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { sqliteStore, stdioIdentity } from 'waybill/client/node';
import * as hosts from 'waybill/hosts';

const waybill = clientContext({
  state: jar({ store: sqliteStore(file), hosts, stdio: stdioIdentity() }),
});
// #endregion

// #region define
import { defineState, serverContext } from 'waybill/server';
import { nodeSeal } from 'waybill/server/node';

const shop = defineState(
  {
    cart: {
      scope: 'session',
      schema: z.array(z.string()), // any Standard Schema: zod, valibot, arktype
      merge: (carts) => [...new Set(carts.flatMap((cart) => cart ?? []))],
      maxAge: 7 * 86_400,
    },
  },
  { seal: nodeSeal({ keys: [key], audience: 'shop' }), principal: () => 'anna' }, // from a verified token
);
const server = serverContext({ state: shop });
// #endregion

const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
// #region tool
mcp.registerTool('add', { inputSchema: z.object({ item: z.string() }) }, ({ item }, ctx) => {
  const { cart } = shop.of(ctx); // or contextOf(ctx).state.cart
  cart.set([...(cart.get() ?? []), item]);
  return { content: [{ type: 'text', text: String(cart.get()?.length) }] };
});
// #endregion
const [near, far] = InMemoryTransport.createLinkedPair();
await server.attach(mcp).connect(far);
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(waybill.attach(near, { server: 'shop' }));

// #region conversation
const conversation = waybill.jar.begin(); // has an id; waybill.jar.resume(id) continues it, also in another process
await waybill.run({ conversation }, () => client.callTool({ name: 'add', arguments: { item: 'tea' } }));
const child = await conversation.fork(); // a copy for a sub-agent; from here on each has its own
await conversation.end(); // forgotten everywhere; later answers are dropped
// #endregion
const { content } = await waybill.run({ conversation: child }, () => client.callTool({ name: 'add', arguments: { item: 'cups' } }));
assert.deepEqual(content, [{ type: 'text', text: '2' }]);
await client.close();
await waybill.jar.close();
rmSync(folder, { recursive: true });
