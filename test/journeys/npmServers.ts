/** Servers from npm that do not know us, over stdio, and what a client does with each. */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ClientKind, Peer } from './clients.js';
import { errorOf } from './telling.js';

const require = createRequire(import.meta.url);

export interface Story {
  entry: string;
  args?: (place: string) => string[];
  env?: (place: string) => Record<string, string>;
  tell(client: Peer, place: string): Promise<unknown[]>;
  /** The messages that cross the wire, among others. */
  messages: string[];
}

const call = (client: Peer, name: string, args: object = {}): Promise<unknown> => client.callTool({ name, arguments: args }).catch(errorOf);

export const everything = async (client: Peer): Promise<unknown[]> => {
  const onprogress = (): void => undefined;
  return [
    await client.allTools(),
    await call(client, 'echo', { message: 'hello' }),
    await call(client, 'get-sum', { a: 2, b: 'x' }),
    await call(client, 'get-sum', { a: 2, b: 3 }),
    await call(client, 'get-structured-content', { location: 'New York' }),
    await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 0.02, steps: 2 } }, { onprogress }),
    await client.sdk.listResources(),
    await client.sdk.listResourceTemplates(),
    await client.sdk.listPrompts(),
    await client.sdk.getPrompt({ name: 'simple-prompt' }).catch(errorOf),
    await client.request('demo/nobody').catch(errorOf),
    await client.sdk.ping(),
  ];
};

export const STORIES: Record<string, Story> = {
  everything: {
    entry: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
    tell: everything,
    messages: [
      'initialize result',
      'tools/list result',
      'tools/call result',
      'prompts/get result',
      'demo/nobody error',
      'notifications/progress',
    ],
  },
  filesystem: {
    entry: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
    args: (place) => [place],
    tell: async (client, place) => [
      await client.allTools(),
      await call(client, 'write_file', { path: join(place, 'a.txt'), content: 'héllo' }),
      await call(client, 'read_text_file', { path: join(place, 'a.txt') }),
      await call(client, 'list_directory', { path: place }),
      await call(client, 'read_text_file', { path: '/etc/hostname' }),
    ],
    messages: ['initialize result', 'tools/list result', 'tools/call result'],
  },
  memory: {
    entry: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
    env: (place) => ({ MEMORY_FILE_PATH: join(place, 'memory.jsonl') }),
    tell: async (client) => [
      await client.allTools(),
      await call(client, 'create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }),
      await call(client, 'search_nodes', { query: 'Ada' }),
      await call(client, 'read_graph'),
      await call(client, 'delete_entities', { entityNames: ['Ada'] }),
    ],
    messages: ['initialize result', 'tools/list result', 'tools/call result'],
  },
  fastmcp: {
    entry: fileURLToPath(new URL('../third-party/fixtures/fastmcp.mjs', import.meta.url)),
    tell: async (client) => [
      await client.allTools(),
      await call(client, 'add', { a: 2, b: 3 }),
      await call(client, 'add', { a: 2, b: 'x' }),
      await call(client, 'refuse'),
      await client.sdk.getPrompt({ name: 'greet' }),
      await client.sdk.ping(),
    ],
    messages: ['initialize result', 'tools/list result', 'tools/call result', 'prompts/get result'],
  },
};

/** A transport to a new process of the server, which has a new folder `place` to itself. `preload`: a module that is loaded before it. */
export function transportTo(kind: ClientKind, { entry, args, env }: Story, place: string, preload?: string): StdioV1 | StdioV2 {
  mkdirSync(place);
  const command = {
    command: process.execPath,
    args: [...(preload === undefined ? [] : ['--import', preload]), entry, ...(args?.(place) ?? [])],
    env: env?.(place) ?? {},
    stderr: 'ignore' as const,
  };
  return kind === 'v1' ? new StdioV1(command) : new StdioV2(command);
}

/** Tells the story to a connected client. The name of the folder does not appear in it, so two runs can be compared. */
export async function told({ tell }: Story, client: Peer, place: string): Promise<unknown[]> {
  return JSON.parse(JSON.stringify(await tell(client, place)).replaceAll(place, 'place')) as unknown[];
}
