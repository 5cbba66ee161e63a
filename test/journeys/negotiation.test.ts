/**
 * With automatic negotiation the v2 client asks a second, disposable process over stdio, but only for a transport that is exactly its own
 * class. Any other transport fails to connect, which is why the hook works in place.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hookTransport, type Hooks } from 'waybill/adapter';
import { stdioTransport } from './clients.js';
import { open } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const RAW = fileURLToPath(new URL('./fixtures/raw.mjs', import.meta.url));
const SERVERS = ['picky', 'deaf'] as const;

/** Returns the server's name and what it saw, or the error. */
async function connect(transport: object, era: 'auto' | 'pin' = 'auto', timeoutMs = 10_000): Promise<unknown> {
  const mode = era === 'auto' ? 'auto' : { pin: '2026-07-28' };
  const client = new Client({ name: 'journey', version: '1.0.0' }, { versionNegotiation: { mode, probe: { timeoutMs } } });
  try {
    await client.connect(transport as StdioClientTransport, { timeout: 5_000 });
    return {
      tools: (await client.listTools()).tools.map(({ name, _meta }) => [name, _meta]),
      version: client.getNegotiatedProtocolVersion(),
    };
  } catch (error) {
    return errorOf(error);
  } finally {
    await client.close();
  }
}

const stamp = (message: Message): Message => ({
  ...message,
  params: { ...message['params'], _meta: { 'example.test/stamp': 1, ...message['params']?._meta } },
});
/** Only a server that does not answer gets a short timeout. */
const WAIT = { picky: 10_000, deaf: 300 };
const stdio = (server: string): any => stdioTransport('v2-modern', [RAW, server]);

describe('in place', { concurrent: true }, () => {
  test.for(SERVERS)('a legacy server that is %s is reached as without a layer', async (server, { expect }) => {
    const bare = await connect(stdio(server), 'auto', WAIT[server]);
    expect(bare).toEqual({ tools: [[server, undefined]], version: '2025-11-25' });
    expect(await connect(hookTransport(stdio(server), {}), 'auto', WAIT[server])).toEqual(bare);
    expect(await connect(hookTransport(stdio(server), { request: stamp }), 'auto', WAIT[server])).toEqual({
      tools: [[server, { 'example.test/stamp': 1 }]],
      version: '2025-11-25',
    });
  });

  test.for(SERVERS)('a pinned client fails at a server that is %s as without a layer', async (server, { expect }) => {
    const bare = await connect(stdio(server), 'pin', WAIT[server]);
    expect(bare).toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
    expect(await connect(hookTransport(stdio(server), {}), 'pin', WAIT[server])).toEqual(bare);
  });

  const cell = { client: 'v2-modern', server: 'v2', transport: 'stdio' } as const;
  test('the probe of the second process is hooked too', async ({ expect }) => {
    const seen: [string, string | undefined][] = [];
    const hooks: Hooks = { request: stamp, observers: new Set([(opened) => (ended) => void seen.push([opened.method, ended.outcome])]) };
    const journey = await open(cell, { client: { transport: (transport) => hookTransport(transport as never, hooks) } });
    try {
      await journey.client.callTool({ name: 'echo', arguments: { text: 'hello' } });
      expect(journey.probe()!.sent.map(({ method, params }) => [method, params._meta['example.test/stamp']])).toEqual([
        ['server/discover', 1],
      ]);
      expect(seen).toEqual([
        ['server/discover', 'result'],
        ['tools/call', 'result'],
      ]);
    } finally {
      await journey.close();
    }
  });

  test('without the private members the probe is missed, and nothing else', async ({ expect }) => {
    const transport = (given: object): any => {
      const hooked = hookTransport(given as never, { request: stamp }) as object;
      expect(Reflect.deleteProperty(hooked, 'constructor')).toBe(true);
      return hooked;
    };
    const journey = await open(cell, { client: { transport } });
    try {
      const { content } = await journey.client.callTool({ name: 'meta', arguments: {} });
      expect(content[0].text).toContain('example.test/stamp');
      expect(journey.probe()!.sent[0]!['params']._meta).not.toHaveProperty('example.test/stamp');
    } finally {
      await journey.close();
    }
  });
});

describe('not in place', { concurrent: true }, () => {
  class Subclass extends StdioClientTransport {
    override send(message: never): Promise<void> {
      return super.send(stamp(message) as never);
    }
  }
  const subclass = (server: string): object => new Subclass({ command: process.execPath, args: [RAW, server], stderr: 'inherit' });
  const failed = {
    class: 'SdkError',
    code: 'ERA_NEGOTIATION_FAILED',
    message: expect.stringContaining('closed during the server/discover probe'),
  };

  test('a subclass cannot connect to a server that ends before initialize', async ({ expect }) => {
    expect(await connect(subclass('picky'))).toMatchObject(failed);
  });
  test('a subclass connects to one that does not answer, after the whole timeout', async ({ expect }) => {
    expect(await connect(subclass('deaf'), 'auto', WAIT.deaf)).toMatchObject({ version: '2025-11-25' });
  });
  test('a wrapper with pid and stderr cannot connect to a server that ends before initialize', async ({ expect }) => {
    expect(await connect(wrapped(stdio('picky'), ['pid', 'stderr']))).toMatchObject(failed);
  });
  test('a wrapper without pid and stderr cannot connect to a server that does not answer', async ({ expect }) => {
    expect(await connect(wrapped(stdio('deaf')), 'auto', WAIT.deaf)).toMatchObject({ class: 'SdkError', code: 'REQUEST_TIMEOUT' });
  });
  test('a Proxy without its own class cannot connect to a server that ends before initialize', async ({ expect }) => {
    const target = stdio('picky');
    expect(await connect(new Proxy(target, { getPrototypeOf: () => Object.prototype }))).toMatchObject(failed);
  });
});

function wrapped(inner: any, forwarded: readonly string[] = []): object {
  const wrapper = { start: () => inner.start(), close: () => inner.close(), send: (message: unknown) => inner.send(message) };
  for (const name of ['onmessage', 'onclose', 'onerror', ...forwarded]) {
    Object.defineProperty(wrapper, name, { get: () => inner[name], set: (handler: unknown) => (inner[name] = handler) });
  }
  return wrapper;
}
