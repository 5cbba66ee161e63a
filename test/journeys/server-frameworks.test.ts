/** A framework that hides `ctx` and builds servers and transports itself: reached by instrumenting its copy of the SDK, and by the ambient context. */
import { createServer as createHttp } from 'node:http';
import { createRequire } from 'node:module';
import { FastMCP } from 'fastmcp';
import { expect, test } from 'vitest';
import { keys } from 'waybill';
import { contextOf, serverContext } from 'waybill/server';
import { httpTransport, mirrored, peerOf } from './clients.js';

const require = createRequire(import.meta.url);
const quiet = { debug: () => undefined, error: () => undefined, info: () => undefined, log: () => undefined, warn: () => undefined };

test('CTX-07, CAP-15: fastmcp serves with context, and refuses what a call lacks', async () => {
  const waybill = serverContext({ languages: ['en', 'de'], tools: { sampled: { requires: { sampling: {} } } }, ambient: true });
  const path = createRequire(require.resolve('fastmcp'))
    .resolve('@modelcontextprotocol/sdk/server/index.js')
    .replace('/dist/cjs/', '/dist/esm/');
  const undo = waybill.instrument(((await import(path)) as { Server: { prototype: object } }).Server);
  const server = new FastMCP({ name: 'fast', version: '1.0.0', logger: quiet });
  server.addTool({
    name: 'sees',
    description: 'Tells what it sees',
    execute: async () => {
      const { language, environment } = contextOf();
      return `${language.chosen} ${environment.timezone}`;
    },
  });
  server.addTool({ name: 'sampled', description: 'Needs sampling', execute: async () => 'sampled' });
  const port = await freePort();
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
  const client = peerOf('v1');
  try {
    await client.connect(httpTransport('v1', new URL(`http://127.0.0.1:${port}/mcp`), mirrored()), { timeout: 10_000 });
    const _meta = { [keys.ACCEPT_LANGUAGE]: 'de', [keys.CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' } };
    const said = await client.callTool({ name: 'sees', arguments: {}, _meta });
    expect([said['content'][0].text, said['_meta'][keys.CONTENT_LANGUAGE]]).toEqual(['de Asia/Tokyo', 'de']);
    expect((await client.callTool({ name: 'sees', arguments: {} }))['content'][0].text).toBe('en UTC');
    await expect(client.callTool({ name: 'sampled', arguments: {} })).rejects.toMatchObject({ code: -32021 });
    expect(client.sdk.getServerCapabilities().extensions[keys.EXTENSION_ID]).toMatchObject({ lifts: true });
  } finally {
    await client.close();
    await server.stop();
    undo();
  }
});

async function freePort(): Promise<number> {
  const http = createHttp();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  await new Promise((resolve) => http.close(resolve));
  return port;
}
