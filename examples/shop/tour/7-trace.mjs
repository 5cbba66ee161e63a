// Trace: one trace from the client through a server to the server behind it, without any tracing library.
import { McpServer } from '@modelcontextprotocol/server';
import { parseTraceparent } from 'waybill/adapter';
import { clientContext } from 'waybill/client';
import { contextOf, serverContext } from 'waybill/server';
import { connect, serve, text } from './stand.mjs';
import { say, table } from './print.mjs';

export const title = 'One trace across every hop';

export async function show() {
  const hops = [];
  const note = (where, trace) =>
    hops.push([where, parseTraceparent(trace.traceparent)?.traceId ?? '–', parseTraceparent(trace.traceparent)?.parentId ?? '–']);
  const back = await serve(() => {
    const server = new McpServer({ name: 'warehouse', version: '1' });
    server.registerTool('count', {}, async (ctx) => {
      note('warehouse', contextOf(ctx).trace.parent ?? {});
      return { content: [{ type: 'text', text: '42' }] };
    });
    return server;
  }, serverContext());
  const front = await serve(() => {
    const server = new McpServer({ name: 'shop', version: '1' });
    server.registerTool('stock', {}, async (ctx) => {
      const { trace } = contextOf(ctx);
      note('shop', trace.parent ?? {});
      const client = await connect(back.url, clientContext({ trace: trace.carrier() }));
      const count = text(await client.callTool({ name: 'count', arguments: {} }));
      await client.close();
      return { content: [{ type: 'text', text: count }] };
    });
    return server;
  }, serverContext());
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  note('application', { traceparent });
  const client = await connect(front.url, clientContext({ trace: traceparent }));
  const stock = text(await client.callTool({ name: 'stock', arguments: {} }));
  say(`  stock  →  ${stock}\n`);
  table(['seen at', 'trace', 'parent'], hops);
  await client.close();
  await Promise.all([front.close(), back.close()]);
}
