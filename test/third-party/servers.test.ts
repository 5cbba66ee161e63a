/** Servers from npm that do not know us, called through a hooked client and served through a hooked SDK: nothing changes for them. */
import { createRequire } from 'node:module';
import { createServer as createHttp } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
// @ts-expect-error -- published without types
import { createServer as createEverything } from '@modelcontextprotocol/server-everything/dist/server/index.js';
import { afterAll, describe, expect, test } from 'vitest';
import { hookServer, hookTransport, instrument } from 'waybill/adapter';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { httpTransport, peerOf, type ClientKind } from '../journeys/clients.js';
import { everything, STORIES, told, transportTo, type Story } from '../journeys/npmServers.js';
import { plain } from '../journeys/telling.js';
import { createServer as createFast } from './fixtures/fastmcp-server.mjs';
import { layer, SERVED, unserved, type Layer } from './layer.js';

const require = createRequire(import.meta.url);
const PRELOAD = new URL('./fixtures/serve.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'third-party-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let places = 0;
/** One connection over stdio; with a layer, both the client and the server process are hooked. */
async function visit(kind: ClientKind, story: Story, by?: Layer): Promise<{ told: unknown[]; left: number }> {
  const place = join(folder, `${++places}`);
  const transport = transportTo(kind, story, place, by && PRELOAD);
  if (by) hookTransport(transport, by.hooks);
  const client = peerOf(kind);
  try {
    await client.connect(transport, { timeout: 15_000 });
    return { told: await told(story, client, place), left: pendingOf(transport) };
  } finally {
    await client.close();
  }
}

describe.each(Object.entries(STORIES))('%s over stdio', { concurrent: true }, (_name, story) => {
  test.for(['v1', 'v2-modern'] as const)('the server answers a hooked %s client like a bare one', async (kind, { expect }) => {
    const by = layer();
    const [bare, hooked] = await Promise.all([visit(kind, story), visit(kind, story, by)]);
    expect(unserved(hooked.told)).toEqual(bare.told);
    expect(hooked.left).toBe(0);
    expect(by.seen).toEqual(expect.arrayContaining(story.messages));
    // The hook served it too, without the server knowing.
    expect(JSON.stringify(hooked.told)).toContain(`"${SERVED}":"tools/call"`);
    expect(JSON.stringify(bare.told)).not.toContain(SERVED);
  });
});

describe('over HTTP', () => {
  /** `server-everything`'s own server on a session of the SDK's Node transport. */
  async function serveEverything(hooked?: (transport: any) => void): Promise<{ url: URL; close(): Promise<void> }> {
    const { server, cleanup } = createEverything();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' });
    await (hooked ? hookServer(server, hooked) : server).connect(transport);
    const http = createHttp((req, res) => void transport.handleRequest(req, res));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const close = async (): Promise<void> => {
      cleanup('session');
      await server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    };
    return { url: new URL(`http://127.0.0.1:${(http.address() as { port: number }).port}/mcp`), close };
  }

  async function ask(kind: ClientKind, url: URL, tell: Story['tell'], by?: Layer): Promise<unknown[]> {
    const transport = httpTransport(kind, url, fetch);
    if (by) hookTransport(transport, by.hooks);
    const client = peerOf(kind);
    await client.connect(transport, { timeout: 10_000 });
    try {
      return plain(await tell(client, ''));
    } finally {
      await client.close();
    }
  }

  test.for(['v1', 'v2-legacy'] as const)('server-everything answers a hooked %s client like a bare one', async (kind, { expect }) => {
    const [plainServer, hookedServer] = [
      await serveEverything(),
      await serveEverything((transport) => void hookTransport(transport, served.hooks)),
    ];
    const by = layer();
    try {
      const bare = await ask(kind, plainServer.url, everything);
      const hooked = await ask(kind, hookedServer.url, everything, by);
      expect(hooked).toEqual(bare);
      expect(by.seen).toEqual(expect.arrayContaining(STORIES['everything']!.messages));
      expect(served.seen).toEqual(expect.arrayContaining(STORIES['everything']!.messages));
    } finally {
      await plainServer.close();
      await hookedServer.close();
    }
  });
  /** Sees the server's end only. */
  const served = ((): Layer => {
    const { hooks, seen } = layer();
    return { hooks: { observers: hooks.observers!, notification: (message) => (seen.push(message['method'] as string), message) }, seen };
  })();

  test('instrumenting its copy of the SDK reaches fastmcp, which builds its servers and transports itself', async () => {
    const tell = STORIES['fastmcp']!.tell;
    const port = await freePort();
    const by = layer();
    const inside = layer();
    const start = async (): Promise<() => Promise<void>> => {
      const server = createFast();
      await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
      return () => server.stop();
    };
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    let stop = await start();
    const bare = await ask('v1', url, tell).finally(() => stop());
    const undo = instrument(
      await serverOf('fastmcp'),
      (transport) => void hookTransport(transport, { observers: inside.hooks.observers! }),
    );
    try {
      stop = await start();
      expect(await ask('v1', url, tell, by).finally(() => stop())).toEqual(bare);
    } finally {
      undo();
    }
    expect(by.seen).toEqual(expect.arrayContaining(STORIES['fastmcp']!.messages));
    expect(inside.seen).toEqual(expect.arrayContaining(STORIES['fastmcp']!.messages));
  });
});

/** Returns the class that the framework itself imports: patching another copy of the SDK does nothing. */
async function serverOf(framework: string): Promise<{ prototype: object }> {
  const path = createRequire(require.resolve(framework))
    .resolve('@modelcontextprotocol/sdk/server/index.js')
    .replace('/dist/cjs/', '/dist/esm/');
  return ((await import(path)) as { Server: { prototype: object } }).Server;
}

async function freePort(): Promise<number> {
  const http = createHttp();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  await new Promise((resolve) => http.close(resolve));
  return port;
}
