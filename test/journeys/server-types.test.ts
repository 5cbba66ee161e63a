/** The types fit both SDKs without a cast: this file is checked by the compiler. */
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect, test } from 'vitest';
import { serverContext } from 'waybill/server';
import { callTool } from 'waybill/testing';

const info = { name: 'types', version: '1' };

/** As the documentation shows it. Not run: it would use the process's own stdin. */
export async function onStdin(): Promise<void> {
  const waybill = serverContext();
  serveStdio(
    waybill.attach(() => new ServerV2(info)),
    waybill.stdio(),
  );
  await waybill.attach(new ServerV2(info)).connect(waybill.stdio().transport);
  await waybill.attach(new ServerV1(info)).connect(waybill.stdio().transport);
  await waybill.attach(new ServerV1(info)).server.connect(waybill.stdio().transport);
}

test('contextOf accepts the ctx of every kind of server', async () => {
  const waybill = serverContext({ languages: ['en', 'fr'] });
  const factory = waybill.attach(() => {
    const server = new ServerV2(info);
    server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    return server;
  });
  const outcome = await callTool({ connect: (transport) => serveStdio(factory, { transport }) }, 'hello');
  expect(outcome.result?.['content']).toEqual([{ type: 'text', text: 'hello' }]);
});
