/** LangChain's adapters as a client: with a client of ours, and with their own clients and transports. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadMcpTools, MultiServerMCPClient } from '@langchain/mcp-adapters';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, test } from 'vitest';
import { hookServer, hookTransport, instrument, type Hooks } from 'waybill/adapter';
import { httpTransport, peerOf, type ClientKind } from '../journeys/clients.js';
import { serveHttp } from '../journeys/fixtures/serve.mjs';
import { plain } from '../journeys/telling.js';
import { ADDED, layer, SERVED } from './layer.js';

const CHILD = fileURLToPath(new URL('../journeys/fixtures/stdio.mjs', import.meta.url));
type Tools = { name: string; description: string; invoke(args: object): Promise<unknown> }[];

/** Returns what an agent would see of the feature server. */
async function use(tools: Tools): Promise<unknown> {
  const invoke = (name: string, args: object): Promise<unknown> =>
    tools
      .find((tool) => tool.name === name)!
      .invoke(args)
      .catch((error: unknown) => `${(error as Error).name}: ${(error as Error).message}`);
  return plain([
    tools.map(({ name, description }) => [name, description]),
    await invoke('echo', { text: 'hello' }),
    await invoke('structured', { n: 21 }),
    await invoke('throws', {}),
  ]);
}

describe('with a client of ours', () => {
  async function run(
    kind: ClientKind,
    hooks: { client?: Hooks; server?: Hooks } = {},
    act: (tools: Tools) => Promise<unknown> = use,
  ): Promise<unknown> {
    const { client, server } = hooks;
    const reach = (target: object): object => (server ? hookServer(target, (transport) => void hookTransport(transport, server)) : target);
    const served = await serveHttp(kind === 'v1' ? 'v1' : 'v2', { layer: { server: reach } });
    const peer = peerOf(kind);
    try {
      const transport = httpTransport(kind, served.url, fetch);
      await peer.connect(client ? hookTransport(transport, client) : transport);
      return await act((await loadMcpTools('features', peer.sdk)) as Tools);
    } finally {
      await peer.close();
      await served.close();
    }
  }

  test.for(['v1', 'v2-legacy', 'v2-modern'] as const)(
    'tools of a hooked %s client work like those of a bare one',
    async (kind, { expect }) => {
      const { hooks, seen } = layer();
      const bare = await run(kind);
      expect(JSON.stringify(bare)).toMatch(/hello.*42.*the tool broke/);
      expect(await run(kind, { client: hooks })).toEqual(bare);
      expect(seen).toEqual(expect.arrayContaining(['tools/list result', 'tools/call result']));
    },
  );

  test('the key that a hook adds to a request reaches the tool', async () => {
    const callMeta = (tools: Tools): Promise<unknown> => tools.find(({ name }) => name === 'meta')!.invoke({});
    expect(await run('v1', { client: layer().hooks }, callMeta)).toContain(ADDED);
  });

  test('_meta of a result reaches the model, so it has to be removed before', async () => {
    const stamping: Hooks = { answer: (message: any) => ({ ...message, result: { ...message.result, _meta: { [SERVED]: 'secret' } } }) };
    const stripping: Hooks = {
      answer: (message: any) => {
        const { _meta, ...result } = message.result;
        return { ...message, result };
      },
    };
    const echo = (tools: Tools): Promise<unknown> => tools.find(({ name }) => name === 'echo')!.invoke({ text: 'hello' });
    expect(await run('v1', {}, echo)).toBe('hello');
    expect(JSON.stringify(await run('v1', { server: stamping }, echo))).toContain('secret');
    expect(await run('v1', { server: stamping, client: stripping }, echo)).toBe('hello');
  });
});

describe('with clients and transports of its own', () => {
  async function run(): Promise<unknown> {
    const served = await serveHttp('v1', {});
    const client = new MultiServerMCPClient({
      mcpServers: {
        local: { transport: 'stdio', command: process.execPath, args: [CHILD, 'v1'] },
        remote: { transport: 'http', url: served.url.href },
      },
    });
    try {
      return [await use((await client.getTools('local')) as Tools), await use((await client.getTools('remote')) as Tools)];
    } finally {
      await client.close();
      await served.close();
    }
  }

  test('instrumenting the Client of its copy of the SDK reaches it, and it works as before', async () => {
    const theirs = await clientOf('@langchain/mcp-adapters');
    const { hooks, seen } = layer();
    const bare = await run();
    const undo = instrument(theirs, (transport) => void hookTransport(transport, hooks));
    try {
      expect(await run()).toEqual(bare);
    } finally {
      undo();
    }
    expect(seen.filter((one) => one === 'initialize result')).toHaveLength(2);
    expect(seen.filter((one) => one === 'tools/call result')).toHaveLength(6);
    const before = seen.length;
    await run();
    expect(seen).toHaveLength(before);
  });
});

/** Returns the class that the framework itself imports. */
async function clientOf(framework: string): Promise<typeof Client> {
  const from = createRequire(createRequire(import.meta.url).resolve(framework));
  const path = from.resolve('@modelcontextprotocol/sdk/client/index.js').replace('/dist/cjs/', '/dist/esm/');
  return ((await import(path)) as { Client: typeof Client }).Client;
}
