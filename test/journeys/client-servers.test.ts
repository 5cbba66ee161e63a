/** Servers from npm that do not know us, called with everything switched on: they answer as without the layer. */
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, test } from 'vitest';
import { clientContext, type ClientContext } from 'waybill/client';
import { peerOf, type ClientKind, type Peer } from './clients.js';
import { errorOf } from './telling.js';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'client-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (client: Peer, name: string, args: object = {}): Promise<unknown> => client.callTool({ name, arguments: args }).catch(errorOf);
interface Story {
  entry: string;
  args?: (place: string) => string[];
  env?: (place: string) => Record<string, string>;
  tell(client: Peer, place: string): Promise<unknown[]>;
}

const STORIES: Record<string, Story> = {
  everything: {
    entry: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
    tell: async (client) => [
      await client.allTools(),
      await call(client, 'echo', { message: 'hello' }),
      await call(client, 'get-sum', { a: 2, b: 'x' }),
      await call(client, 'get-structured-content', { location: 'New York' }),
      await client.callTool(
        { name: 'trigger-long-running-operation', arguments: { duration: 0.02, steps: 2 } },
        { onprogress: () => undefined },
      ),
      await client.sdk.listResources(),
      await client.sdk.listResourceTemplates(),
      await client.sdk.listPrompts(),
      await client.sdk.getPrompt({ name: 'simple-prompt' }).catch(errorOf),
      await client.request('demo/nobody').catch(errorOf),
      await client.sdk.ping(),
    ],
  },
  filesystem: {
    entry: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
    args: (place) => [place],
    tell: async (client, place) => [
      await client.allTools(),
      await call(client, 'write_file', { path: join(place, 'a.txt'), content: 'héllo' }),
      await call(client, 'read_text_file', { path: join(place, 'a.txt') }),
      await call(client, 'read_text_file', { path: '/etc/hostname' }),
    ],
  },
  memory: {
    entry: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
    env: (place) => ({ MEMORY_FILE_PATH: join(place, 'memory.jsonl') }),
    tell: async (client) => [
      await client.allTools(),
      await call(client, 'create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }),
      await call(client, 'read_graph'),
    ],
  },
  fastmcp: {
    entry: fileURLToPath(new URL('../third-party/fixtures/fastmcp.mjs', import.meta.url)),
    tell: async (client) => [
      await client.allTools(),
      await call(client, 'add', { a: 2, b: 3 }),
      await call(client, 'add', { a: 2, b: 'x' }),
      await call(client, 'refuse'),
      await client.sdk.getPrompt({ name: 'greet' }),
    ],
  },
};

let places = 0;
async function visit(kind: ClientKind, { entry, args, env, tell }: Story, waybill?: ClientContext): Promise<unknown> {
  const place = join(folder, `${++places}`);
  mkdirSync(place);
  const command = {
    command: process.execPath,
    args: [entry, ...(args?.(place) ?? [])],
    env: env?.(place) ?? {},
    stderr: 'ignore' as const,
  };
  const transport = kind === 'v1' ? new StdioV1(command) : new StdioV2(command);
  const client = peerOf(kind, kind === 'v1' ? {} : waybill?.clientOptions({ capabilities: { elicitation: { form: {} } } }));
  try {
    await client.connect(waybill?.attach(transport, { server: entry, principal: 'ada' }) ?? transport, { timeout: 15_000 });
    return JSON.parse(JSON.stringify(await tell(client, place)).replaceAll(place, 'place'));
  } finally {
    await client.close();
  }
}

describe.each(Object.entries(STORIES))('%s', { concurrent: true }, (_name, story) => {
  test.for(['v1', 'v2-modern'] as const)('it answers a %s client with everything switched on like a bare one', async (kind, { expect }) => {
    const issues: unknown[] = [];
    const waybill = clientContext({
      language: ['fr-CH', 'fr', 'en'],
      environment: { timezone: 'Europe/Zurich', locale: 'fr-CH', location: { country: 'CH', city: 'Bern', precision: 'city' } },
      environmentEverywhere: true,
      trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=1', baggage: 'tenant=t1' },
      baggage: ['tenant'],
      meta: { 'com.example/conversation': () => 'c1' },
      capabilities: { elicitation: { form: {} } },
      tools: { unmet: 'disable', substitution: true },
      onIssue: (issue) => issues.push(issue),
      onFault: (fault) => issues.push(fault),
    });
    const [bare, layered] = await Promise.all([visit(kind, story), visit(kind, story, waybill)]);
    expect(unmarked(layered)).toEqual(bare);
    expect(issues).toEqual([]);
  });
});

/** Removes the mark that clientOptions() puts on cached results. */
function unmarked(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replaceAll(/,?"_meta":\{"dev\.waybill\/variant":"v\d+"\},?/g, (text) =>
      text.startsWith(',') && text.endsWith(',') ? ',' : '',
    ),
  );
}
