/** `otlp`: the spans of the hops reach a collector, in the trace of the caller, and the last ones are sent when the gateway closes. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

interface Sent {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: { readonly key: string; readonly value: { readonly stringValue?: string } }[] };
    readonly scopeSpans: {
      readonly spans: {
        name: string;
        traceId: string;
        parentSpanId?: string;
        status?: { code?: number };
        attributes: { key: string; value: object }[];
      }[];
    }[];
  }[];
}

const TRACE = 'a'.repeat(32);
const PARENT = 'b'.repeat(16);

/** Answers every JSON body with what `answer` makes of it. */
async function serve(answer: (body: never, headers: Record<string, unknown>) => object): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    let text = '';
    request
      .on('data', (chunk) => (text += String(chunk)))
      .on('end', () => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer(JSON.parse(text) as never, request.headers)));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('otlp: one span for each hop, with the caller as its parent', async () => {
  const sent: Sent[] = [];
  let upstreamTrace: unknown;
  const collector = await serve((body) => (sent.push(body), {}));
  const upstream = await serve(({ id }: { id: number }, headers) => {
    upstreamTrace = headers[keys.TRACEPARENT];
    return { jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } };
  });
  const gateway = await startGateway({
    otlp: collector.url,
    upstreams: { s: { url: `${upstream.url}/mcp`, revision: '2026-07-28', trace: { mode: 'join', spans: true } } },
  });
  const meta = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {}, [keys.TRACEPARENT]: `00-${TRACE}-${PARENT}-01` };
  const response = await fetch(`${gateway.base}/s/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book', _meta: meta } }),
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'book' },
  });
  expect(response.status).toBe(200);
  await response.text();
  await gateway.close();
  const [resource] = sent.flatMap(({ resourceSpans }) => resourceSpans);
  const [span, ...others] = (resource?.scopeSpans ?? []).flatMap(({ spans }) => spans);
  expect(others).toEqual([]);
  expect(span).toMatchObject({ name: 'tools/call book', traceId: TRACE, parentSpanId: PARENT });
  expect(span?.attributes).toContainEqual({ key: 'gen_ai.tool.name', value: { stringValue: 'book' } });
  expect(resource?.resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'waybill-gateway' } });
  expect(upstreamTrace).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
  for (const { server } of [collector, upstream]) {
    server.closeAllConnections();
    server.close();
  }
});

test('a hop that ends without an answer ends its span too, with an error', async () => {
  const sent: Sent[] = [];
  const collector = await serve((body) => (sent.push(body), {}));
  const silent = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const trace = { mode: 'start', spans: true };
  const gateway = await startGateway({
    otlp: collector.url,
    upstreams: {
      gone: { url: 'http://127.0.0.1:1/mcp', revision: '2026-07-28', trace },
      silent: { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`, revision: '2026-07-28', trace },
    },
  });
  const call = (path: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${gateway.base}/${path}/mcp`, {
      method: 'POST',
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: path, _meta: { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} } },
      }),
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': path },
      ...(signal && { signal }),
    });
  expect((await call('gone')).status).toBe(502);
  const left = new AbortController();
  const over = new Promise((resolve) => gateway.onExchange(resolve));
  const response = await call('silent', left.signal);
  left.abort();
  await response.text().catch(() => undefined);
  await over;
  await gateway.close();
  const spans = sent.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  expect(spans.map(({ name, status }) => [name, status?.code])).toEqual([
    ['tools/call gone', 2],
    ['tools/call silent', 2],
  ]);
  for (const server of [collector.server, silent]) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a collector that takes no spans', () => {
  /** One call through a gateway that sends spans to this collector. Returns what was logged. */
  async function logged(collector: string): Promise<string[]> {
    const lines: string[] = [];
    const upstream = await serve(({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }));
    const gateway = await startGateway(
      { otlp: collector, upstreams: { s: { url: upstream.url, revision: '2026-07-28', trace: { mode: 'join', spans: true } } } },
      { log: (line, { audit }) => void (audit === undefined && lines.push(line)) },
    );
    const meta = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
    const response = await fetch(`${gateway.base}/s/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: meta } }),
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'a' },
    });
    expect(response.status).toBe(200);
    await response.text();
    await gateway.close();
    upstream.server.closeAllConnections();
    upstream.server.close();
    return lines;
  }

  test('refuses them: the log says so', async () => {
    const collector = createServer((_, response) => void response.writeHead(400).end());
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    expect(await logged(`http://127.0.0.1:${port}`)).toEqual([expect.stringContaining(`otlp: spans cannot be sent to 127.0.0.1:${port}:`)]);
    collector.close();
  });

  test('never answers: the gateway ends all the same', { timeout: 8_000 }, async () => {
    const collector = createServer(() => undefined);
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    await logged(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
    collector.closeAllConnections();
    collector.close();
  });
});
