/** Servers that we did not write behind the gateway, used by clients that we did not write. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpTransport, peerOf, type ClientKind } from '../journeys/clients.js';
import { compareRecorded } from './recorded.mjs';
import { startGateway } from './through.js';

type Json = any;
const require = createRequire(import.meta.url);
const program = (name: string): string => join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');
const folder = mkdtempSync(join(tmpdir(), 'gateway-files-'));
writeFileSync(join(folder, 'note.txt'), 'hello from a file');
const EVERYTHING = [process.execPath, program('server-everything')];

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway({
    identity: { single: true },
    upstreams: {
      everything: { command: EVERYTHING },
      files: { command: [process.execPath, program('server-filesystem'), folder] },
      fast: { command: [process.execPath, fileURLToPath(new URL('../third-party/fixtures/fastmcp.mjs', import.meta.url))] },
      memory: { command: [process.execPath, program('server-memory')], env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } },
    },
  });
});
afterAll(() => gateway.close());

describe.each<ClientKind>(['v1', 'v2-legacy', 'v2-pinned'])('a %s client', { timeout: 30_000 }, (kind) => {
  const use = async (name: string, act: (peer: ReturnType<typeof peerOf>) => Promise<unknown>): Promise<unknown> => {
    const peer = peerOf(kind);
    await peer.connect(httpTransport(kind, new URL(`/${name}/mcp`, gateway.base), fetch));
    try {
      return await act(peer);
    } finally {
      await peer.close();
    }
  };
  const textOf = (result: Json): string => result.content[0].text as string;

  test('uses server-everything', async () => {
    expect(await use('everything', async (peer) => textOf(await peer.callTool({ name: 'echo', arguments: { message: 'hi' } })))).toContain(
      'hi',
    );
    expect(await use('everything', async (peer) => (await peer.allTools()).map(({ name }) => name as string))).toEqual(
      expect.arrayContaining(['echo', 'get-sum']),
    );
  });

  test('uses server-filesystem', async () => {
    const path = join(folder, 'note.txt');
    expect(await use('files', async (peer) => textOf(await peer.callTool({ name: 'read_text_file', arguments: { path } })))).toContain(
      'hello from a file',
    );
  });

  test('uses a fastmcp server', async () => {
    expect(await use('fast', async (peer) => textOf(await peer.callTool({ name: 'add', arguments: { a: 2, b: 3 } })))).toBe('5');
  });

  test('uses server-memory', async () => {
    const entities = [{ name: `ada ${kind}`, entityType: 'person', observations: ['counts'] }];
    expect(
      await use('memory', async (peer) => textOf(await peer.callTool({ name: 'create_entities', arguments: { entities } }))),
    ).toContain(`ada ${kind}`);
  });
});

test('LangChain uses server-everything', { timeout: 30_000 }, async () => {
  const client = new MultiServerMCPClient({ mcpServers: { everything: { transport: 'http', url: `${gateway.base}/everything/mcp` } } });
  try {
    const tools = await client.getTools();
    const echo = tools.find(({ name }) => name === 'echo');
    expect(JSON.stringify(await echo?.invoke({ message: 'from a chain' }))).toContain('from a chain');
  } finally {
    await client.close();
  }
});

test('a slice of `node scripts/recorded-exchanges.mjs`: what passes comes out byte for byte', { timeout: 60_000 }, async () => {
  const { rows, different } = await compareRecorded([80, 24, 16, 16, 16, 24, 24]);
  expect(different).toEqual([]);
  expect(rows.reduce((sum, { exchanges }) => sum + exchanges, 0)).toBeGreaterThan(200);
});
