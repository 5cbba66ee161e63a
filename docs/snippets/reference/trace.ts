import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const sent: Record<string, string>[] = [];
const fetch = (_url: string, { headers }: { headers: Record<string, string> }): Promise<void> => {
  sent.push(headers);
  return Promise.resolve();
};
const mcp = new McpServer({ name: 'shop', version: '1.0.0' });

// #region client
import { clientContext } from 'waybill/client';

const waybill = clientContext({
  trace: traceparent, // or { traceparent, tracestate, baggage }, a function, or 'start': each call begins a trace
  baggage: ['gen_ai.conversation.id'], // the members that may leave; none by default
});
// #endregion

// #region server
import { contextOf, serverContext } from 'waybill/server';

mcp.registerTool('stock', {}, async (ctx) => {
  const { trace } = contextOf(ctx);
  const headers = trace.headers({ accept: 'application/json' });
  await fetch('https://stock.example/items', { headers }); // outbound HTTP
  const call = { name: 'count', _meta: { ...trace.carrier() } }; // outbound MCP
  return { content: [{ type: 'text', text: `${trace.parent?.traceparent} ${Object.keys(call._meta).join()}` }] };
});
// #endregion

// #region groups
const groups = { internal: { policy: 'prefer-meta', headers: ['x-request-id'] }, baggage: { policy: 'ignore-meta' } } as const;
mcp.registerTool('forward', {}, (ctx) => {
  const headers = contextOf(ctx).trace.headers({ accept: 'application/json' }, { groups });
  return { content: [{ type: 'text', text: Object.keys(headers).join() }] };
});
// #endregion

const [near, far] = InMemoryTransport.createLinkedPair();
await serverContext().attach(mcp).connect(far);
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(waybill.attach(near));
// #region once
const incoming = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
await waybill.run({ trace: incoming }, () => client.callTool({ name: 'stock' })); // for one call
// #endregion
assert.match(sent[0]?.['traceparent'] ?? '', /^00-4bf92f3577b34da6a3ce929d0e0e4736-/);
await client.callTool({ name: 'forward' });
await client.close();

// #region telemetry
import { openTelemetry } from 'waybill/otel';

const telemetry = openTelemetry(); // uses the tracer, meter, propagator and context manager that the application registered
const traced = { client: clientContext({ telemetry }), server: serverContext({ telemetry }) };
// #endregion
assert.ok(traced.client);

const [transport] = InMemoryTransport.createLinkedPair();
const buildServer = (): McpServer => new McpServer({ name: 'shop', version: '1.0.0' });
// #region alone
import { instrument } from 'waybill/adapter';

telemetry.attach(transport); // either SDK, any transport: client.connect(telemetry.attach(transport))
createMcpHandler(telemetry.attach(buildServer)); // a factory, a Server or an McpServer
const undo = instrument(Client, (each) => void telemetry.attach(each)); // frameworks that build their own
// #endregion
undo();
