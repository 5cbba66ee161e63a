import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
tracerProvider.register();

// #region both
import { clientContext } from 'waybill/client';
import { openTelemetry } from 'waybill/otel';
import { serverContext } from 'waybill/server';

const telemetry = openTelemetry(); // what your program registered: tracer, meter, propagator, context manager
const waybill = clientContext({ telemetry });
const server = serverContext({ telemetry });
// #endregion

function buildServer() {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
  mcp.registerTool('stock', {}, () => ({ content: [{ type: 'text', text: '12 pieces' }] }));
  return mcp;
}
const handler = server.http(createMcpHandler(server.attach(buildServer)));
const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => handler.fetch(new Request(url, init));
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(waybill.attach(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch })));

// #region turn
await tracerProvider.getTracer('agent').startActiveSpan('turn', async (turn) => {
  await client.callTool({ name: 'stock' }); // one trace: turn, the call, the tool
  turn.end();
});
// #endregion
await client.close();

const spans = exporter.getFinishedSpans();
const turn = spans.find(({ name }) => name === 'turn');
const calls = spans.filter(({ name }) => name === 'tools/call stock');
assert.equal(calls.length, 2);
for (const call of calls) assert.equal(call.spanContext().traceId, turn?.spanContext().traceId);
