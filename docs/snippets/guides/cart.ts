import { McpServer } from '@modelcontextprotocol/server';
// #region define
import { randomBytes } from 'node:crypto';
import { defineState, serverContext } from 'waybill/server';
import { nodeSeal } from 'waybill/server/node';
import { z } from 'zod';

const key = process.env['STATE_KEY'] ?? randomBytes(32).toString('hex'); // the same on every replica
const shop = defineState(
  {
    cart: {
      scope: 'session', // as long as the conversation; 'server' until you delete it
      schema: z.array(z.string()),
      merge: (carts) => [...new Set(carts.flatMap((cart) => cart ?? []))], // two calls at the same time lose nothing
      maxAge: 7 * 86_400,
    },
  },
  { seal: nodeSeal({ keys: [key], audience: 'shop' }) },
);
const waybill = serverContext({ state: shop });
// #endregion

function buildServer() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  // #region tool
  server.registerTool('add', { inputSchema: z.object({ item: z.string() }) }, ({ item }, ctx) => {
    const { cart } = shop.of(ctx);
    const items = [...(cart.get() ?? []), item];
    if (!cart.set(items))
      return { isError: true, content: [{ type: 'text', text: 'This client keeps no cart: name all items in one call.' }] };
    return { content: [{ type: 'text', text: `In the cart: ${items.join(', ')}` }] };
  });
  // #endregion
  return server;
}

// #region test
import assert from 'node:assert/strict';
import { callTool } from 'waybill/testing';

const first = await callTool(waybill.attach(buildServer), 'add', { item: 'tea' }, { state: {} });
assert.ok(!JSON.stringify(first.state).includes('tea')); // sealed: the client cannot read or change it
const second = await callTool(waybill.attach(buildServer), 'add', { item: 'cups' }, { state: first.state });
assert.match(JSON.stringify(second.result), /tea, cups/);
// #endregion
const without = await callTool(waybill.attach(buildServer), 'add', { item: 'tea' }, {});
assert.equal(without.result?.['isError'], true);

// #region client
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { sqliteStore } from 'waybill/client/node';
import * as hosts from 'waybill/hosts';

async function shopping(url: URL, file: string): Promise<void> {
  const waybill = clientContext({ state: jar({ store: sqliteStore(file), hosts }), onIssue: console.warn });
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(waybill.attach(new StreamableHTTPClientTransport(url)));
  const conversation = waybill.jar.begin(); // keep conversation.id; resume(id) continues it in another process
  await waybill.run({ conversation }, () => client.callTool({ name: 'add', arguments: { item: 'tea' } }));
  await client.close();
  await waybill.jar.close(); // waits until the store has everything
}
// #endregion
assert.equal(typeof shopping, 'function');
