/** Servers for journeys: a receiver of OTLP, a plain API, and a process that serves MCP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface SpanRecord {
  service: string;
  name: string;
  kind: 'internal' | 'server' | 'client';
  traceId: string;
  spanId: string;
  parentSpanId: string;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, unknown>;
  error: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: SpanRecord[];
  /** Resolves when enough spans of a trace, or of any trace, have arrived. */
  until(count: number, traceId?: string): Promise<SpanRecord[]>;
  close(): Promise<void>;
}

async function listen(handler: (req: IncomingMessage, body: string) => void): Promise<{ url: string; close(): Promise<void> }> {
  const http = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      handler(req, Buffer.concat(chunks).toString('utf8'));
      res.setHeader('content-type', 'application/json');
      res.end('{}');
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const KINDS: Record<number, SpanRecord['kind']> = { 1: 'internal', 2: 'server', 3: 'client' };
const valueOf = (value: any): unknown =>
  value.stringValue ?? value.boolValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue));
const record = (attributes: any[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

/** Receives traces as OTLP over HTTP with JSON, like a collector. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: SpanRecord[] = [];
  const waiting = new Set<() => void>();
  const { url, close } = await listen((_req, body) => {
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const service = String(record(resource.attributes)['service.name']);
      for (const { spans: found } of scopeSpans) {
        for (const { name, kind, traceId, spanId, parentSpanId = '', links = [], attributes, status } of found)
          spans.push({
            service,
            name,
            kind: KINDS[kind]!,
            traceId,
            spanId,
            parentSpanId,
            links,
            attributes: record(attributes),
            error: status?.code === 2,
          });
      }
    }
    for (const check of waiting) check();
  });
  const until = (count: number, traceId?: string): Promise<SpanRecord[]> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = spans.filter((span) => traceId === undefined || span.traceId === traceId);
        if (found.length < count) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  return { url: `${url}/v1/traces`, spans, until, close };
}

/** An API that a tool calls over HTTP: keeps the headers of each request. */
export async function apiReceiver(): Promise<{ url: string; headers: IncomingHttpHeaders[]; close(): Promise<void> }> {
  const headers: IncomingHttpHeaders[] = [];
  const { url, close } = await listen((req) => headers.push(req.headers));
  return { url, headers, close };
}

/** A process of fixtures/trace that prints its port; closing its input ends it. */
export async function startProcess(file: string, args: string[]): Promise<{ url: URL; close(): Promise<void> }> {
  const path = fileURLToPath(new URL(`./fixtures/trace/${file}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const close = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), close };
}
