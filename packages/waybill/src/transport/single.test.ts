import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { PerRequestHTTPServerTransport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { hookTransport, pendingOf } from './hook.js';
import type { Exchange, Hooks, Message, TransportLike } from './types.js';

setFlagsFromString('--allow-natives-syntax');
const isRecord = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } } as const;
const mark = (message: Message): Message => ({ ...message, marked: true });
const sign = (message: Message): Message => ({ ...message, result: { ...(message['result'] as object), signed: true } });

function made(hooks: Hooks): PerRequestHTTPServerTransport {
  return hookTransport(new PerRequestHTTPServerTransport({ classification: { era: 'modern' } as never }), hooks);
}

/** What a server does with its transport: sets the handlers, then starts it. */
async function connected(hooks: Hooks, onmessage: (message: unknown) => void): Promise<PerRequestHTTPServerTransport> {
  const transport = made(hooks);
  transport.onmessage = onmessage;
  await transport.start();
  return transport;
}

describe('the v2 transport that serves one request', () => {
  it('has its request and its answer pass the hooks', async () => {
    const transport = await connected({ request: mark, answer: sign }, (message) => {
      void transport.send({ jsonrpc: '2.0', id: 1, result: { got: message } } as never);
    });
    const response = await transport.handleMessage(call);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { got: { ...call, marked: true }, signed: true } });
    expect(pendingOf(transport)).toBe(0);
  });

  it('stays a record to the engine, and so does the next', async () => {
    for (let count = 0; count < 2; count++) {
      const transport = await connected({}, () => undefined);
      void transport.handleMessage(call).catch(() => undefined);
      expect(isRecord(transport)).toBe(true);
      await transport.close();
    }
  });

  it('calls whoever chained a handler after the server was connected, with what the hooks made of the request', async () => {
    const seen: unknown[] = [];
    const transport = await connected({ request: mark }, (message) => {
      seen.push(message);
      void transport.send({ jsonrpc: '2.0', id: 1, result: {} } as never);
    });
    const served = transport.onmessage;
    transport.onmessage = (message, extra) => {
      seen.push('chained');
      served?.(message, extra);
    };
    await transport.handleMessage(call);
    expect(seen).toEqual(['chained', { ...call, marked: true }]);
  });

  it.each([
    ['while nobody listens for it', undefined],
    ['and tells whoever listens', 'told'],
  ])('ends the exchange of a caller who has gone, %s', async (_, told) => {
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

  it('refuses a message before its server is connected, as without the layer', async () => {
    await expect(made({}).handleMessage(call)).rejects.toThrow('not connected');
  });
});

it('a transport of somebody else with a handleMessage of its own is hooked like any other', () => {
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
