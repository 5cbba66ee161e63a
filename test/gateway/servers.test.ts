/** Servers that we did not write behind the gateway, used by clients that we did not write. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpTransport, peerOf, type ClientKind } from '../journeys/clients.js';
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

test('answers of server-everything come out byte for byte', { timeout: 30_000 }, async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 'i',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const calls = Array.from({ length: 100 }, (_, n) => [
    `{"params":{"name":"echo","arguments":{"message":"no. ${n} \\u00e9 é"}},  "method":"tools/call","jsonrpc":"2.0","id":${n}}`,
    `{"jsonrpc":"2.0","id":"s${n}","method":"tools/call","params":{"name":"get-sum","arguments":{"a":${n},"b":1.0}}}`,
  ]).flat();
  const bodies = [
    ...calls,
    '{"jsonrpc":"2.0","id":"t","method":"tools/list"}',
    '{"jsonrpc":"2.0","id":"p","method":"prompts/list","params":{}}',
    '{"jsonrpc":"2.0","id":"u","method":"nobody/knows"}',
  ];

  const child = spawn(EVERYTHING[0] as string, EVERYTHING.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<unknown, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.(line));
  const direct = (body: string): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(JSON.parse(body).id, resolve);
      child.stdin.write(`${body}\n`);
    });

  let session = '';
  const through = async (body: string): Promise<string> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-session-id': session }),
    };
    const response = await fetch(`${gateway.base}/everything/mcp`, { method: 'POST', body, headers });
    session ||= response.headers.get('mcp-session-id') ?? '';
    // Without a stream of its own, a notification of the server comes before the answer of the next call.
    return (
      (await response.text())
        .split('\n')
        .findLast((line) => /^(?:data: )?\{/.test(line))
        ?.replace(/^data: /, '') ?? ''
    );
  };
  const first = JSON.stringify(initialize);
  expect(await through(first)).toBe(await direct(first));
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await through('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  // The server writes this id as 1. Its answer is found all the same, and passes as the server wrote it.
  const respelt = '{"jsonrpc":"2.0","id":1.0,"method":"ping"}';
  expect(await through(respelt)).toBe(await direct(respelt));
  for (const body of bodies) expect(await through(body)).toBe(await direct(body));
  child.kill();
});
