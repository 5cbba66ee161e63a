// State: a cart that no server keeps. The client keeps it sealed: it survives a killed server, and nobody else can read or change it.
import { McpServer } from '@modelcontextprotocol/server';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { contextOf, defineState, serverContext } from 'waybill/server';
import { nodeSeal } from 'waybill/server/node';
import { z } from 'zod';
import { connect, serve, text } from './stand.mjs';
import { say } from './print.mjs';

export const title = 'A cart that survives a killed server';

const seal = nodeSeal({ keys: ['0123456789abcdef0123456789abcdef'], audience: 'shop' });

function shop(issues) {
  const layer = serverContext({
    state: defineState({ cart: { scope: 'session', schema: z.array(z.string()) } }, { seal }),
    onIssue: (issue) => issues.push(`${issue.key} ${issue.problem}`),
  });
  const build = () => {
    const server = new McpServer({ name: 'shop', version: '1' });
    server.registerTool('add', { inputSchema: z.object({ item: z.string() }) }, async ({ item }, ctx) => {
      const { state } = contextOf(ctx);
      const items = [...(state.cart.get() ?? []), item];
      state.cart.set(items);
      return { content: [{ type: 'text', text: items.join(', ') }] };
    });
    return server;
  };
  return serve(build, layer);
}

export async function show() {
  const issues = [];
  const first = await shop(issues);
  // Loopback may hold state only if it is named; a real server needs no such line, only `hosts` from waybill/hosts.
  const context = clientContext({ state: jar({ allowHosts: ['127.0.0.1'] }) });
  const conversation = context.jar.begin();
  const add = async (url, item) => {
    const client = await connect(url, context, { conversation, server: 'shop' });
    const cart = text(await client.callTool({ name: 'add', arguments: { item } }));
    await client.close();
    return cart;
  };
  say(`  add tea      →  ${await add(first.url, 'tea')}`);
  await first.close();
  say('  … the server is killed, another one takes its place …');
  const second = await shop(issues);
  say(`  add milk     →  ${await add(second.url, 'milk')}`);

  const [item] = await context.jar.show('shop', { conversation });
  say(`\n  What the client keeps: ${item.scope} "${item.name}", ${item.bytes} bytes, sealed: ${String(item.value).slice(0, 24)}…`);
  const changed = String(item.value).slice(0, -6) + 'AAAAAA';
  await context.jar.edit('shop', item.name, changed, { conversation });
  say(`  Changed by hand, add sugar  →  ${await add(second.url, 'sugar')}`);
  say(`    the server said: ${issues.at(-1)}`);

  const sent = [];
  const stop = context.observe((exchange) => void sent.push(JSON.stringify(exchange.request.params?._meta ?? {})));
  const client = await connect(second.url, context, { conversation, server: 'another' });
  await client.listTools();
  await client.close();
  stop();
  say(
    `\n  Another server got ${sent.length} requests; with state of the shop in them: ${sent.filter((meta) => meta.includes('state/')).length}`,
  );
  await second.close();
  await context.jar.close();
}
