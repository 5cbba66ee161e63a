import { createMcpHandler, McpServer, PerRequestHTTPServerTransport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { hookServer } from './connect.js';
import { hookTransport, pendingOf } from './hook.js';
import type { Exchange, Hooks, Message, TransportLike } from './types.js';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } } as const;
const mark = (message: Message): Message => ({ ...message, marked: true });
const sign = (message: Message): Message => ({ ...message, result: { ...(message['result'] as object), signed: true } });

function made(hooks: Hooks): PerRequestHTTPServerTransport {
  return hookTransport(new PerRequestHTTPServerTransport({ classification: { era: 'modern' } as never }), hooks);
}

/** Does what a server does with its transport: sets the handlers, then starts it. */
async function connected(hooks: Hooks, onmessage: (message: unknown) => void): Promise<PerRequestHTTPServerTransport> {
  const transport = made(hooks);
  transport.onmessage = onmessage;
  await transport.start();
  return transport;
}

describe('the v2 transport that serves one request', () => {
  it('its request and its answer pass the hooks', async () => {
    const transport = await connected({ request: mark, answer: sign }, (message) => {
      void transport.send({ jsonrpc: '2.0', id: 1, result: { got: message } } as never);
    });
    const response = await transport.handleMessage(call);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { got: { ...call, marked: true }, signed: true } });
    expect(pendingOf(transport)).toBe(0);
  });

  it('a handler that was chained after the server connected gets the request with the changes of the hooks', async () => {
    const seen: unknown[] = [];
    const transport = await connected({ request: mark }, (message) => {
      seen.push(message);
      void transport.send({ jsonrpc: '2.0', id: 1, result: {} } as never);
    });
    const served = transport.onmessage;
    transport.onmessage = (message, extra) => {
      seen.push({ chained: message });
      served?.(message, extra);
    };
    await transport.handleMessage(call);
    const passed = { ...call, marked: true };
    expect(seen).toEqual([{ chained: passed }, passed]);
  });

  it.each([
    ['while nobody listens for it', undefined],
    ['and tells whoever listens', 'told'],
  ])('the exchange of a caller who has left ends, %s', async (_, told) => {
    const ends: unknown[] = [];
    const observers = new Set([() => (exchange: Exchange) => void ends.push(exchange.outcome)]);
    const transport = await connected({ observers, closed: () => void ends.push('closed at last') }, () => undefined);
    if (told !== undefined) transport.onclose = () => void ends.push(told);
    const caller = new AbortController();
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', body: '{}', signal: caller.signal });
    const answer = transport.handleMessage(call, { request });
    expect(pendingOf(transport)).toBe(1);
    caller.abort();
    await expect(answer).rejects.toThrow('Connection closed');
    expect([ends, pendingOf(transport)]).toEqual([['closed', 'closed at last', ...(told === undefined ? [] : [told])], 0]);
  });

  it('the exchange ends when the reader of its stream leaves', async () => {
    const ends: unknown[] = [];
    const observers = new Set([() => (exchange: Exchange) => void ends.push(exchange.outcome)]);
    const transport = await connected({ observers }, () => {
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
      void transport.send(progress as never, { relatedRequestId: 1 });
    });
    const response = await transport.handleMessage(call);
    expect([response.headers.get('content-type'), ends]).toEqual(['text/event-stream', []]);
    await response.body?.cancel();
    expect([ends, pendingOf(transport)]).toEqual([['closed'], 0]);
  });

  it('a message that reaches its handler in another way passes the hooks', async () => {
    const seen: unknown[] = [];
    const transport = await connected({ request: mark, notification: mark }, (message) => void seen.push(message));
    const notification = { jsonrpc: '2.0', method: 'notifications/x' } as const;
    transport.onmessage?.(call);
    transport.onmessage?.(notification);
    expect(seen).toEqual([call, notification].map(mark));
  });

  it('the end is reported even if no message came', async () => {
    const told: unknown[] = [];
    const transport = await connected({ closed: (closed) => void told.push(closed) }, () => undefined);
    await transport.close();
    expect(told).toEqual([transport]);
  });

  it('a message without a handler is refused, as without the layer', async () => {
    const transport = made({});
    await transport.start();
    await expect(transport.handleMessage(call)).rejects.toThrow('not connected');
    expect(pendingOf(transport)).toBe(0);
  });

  it('a server of the SDK reaches it', async () => {
    const server = new McpServer({ name: 'one', version: '1' });
    server.registerTool('x', {}, () => ({ content: [] }));
    const methods: string[] = [];
    const hooks: Hooks = { request: (message, { method }) => (methods.push(method), message), answer: sign };
    hookServer(server, (transport) => void hookTransport(transport, hooks));
    const handler = createMcpHandler(() => server);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
    };
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = JSON.stringify({ ...call, params: { name: 'x', arguments: {}, _meta: envelope } });
    const response = await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
    expect([await response.json(), methods]).toMatchObject([{ id: 1, result: { content: [], signed: true } }, ['tools/call']]);
  });
});

it('another transport with its own handleMessage is hooked like any other', () => {
  const transport: TransportLike & { handleMessage(message: unknown): void; line(message: unknown): void } = {
    send: async () => undefined,
    close: async () => undefined,
    handleMessage: () => undefined,
    line(message) {
      this.onmessage?.(message as never);
    },
  };
  hookTransport(transport, { request: mark });
  const seen: unknown[] = [];
  transport.onmessage = (message) => void seen.push(message);
  transport.line(call);
  expect(seen).toEqual([{ ...call, marked: true }]);
});
