/** The types fit both SDKs without a cast: this file is checked by the compiler, and its objects are made once. */
import { Client as ClientV2, InMemoryResponseCacheStore, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { clientContext } from 'waybill/client';

test('options, transports, clients and fetch of both SDKs keep their types', () => {
  const waybill = clientContext({ language: ({ method }) => (method === 'tools/list' ? ['fr'] : 'de') });
  const info = { name: 'types', version: '1' };
  const url = new URL('https://mcp.example/mcp');
  const [v2, plain, v1] = [
    new ClientV2(
      info,
      waybill.clientOptions({
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: 'auto' },
        responseCacheStore: new InMemoryResponseCacheStore(),
      }),
    ),
    new ClientV2(info, waybill.clientOptions()),
    new ClientV1(info, waybill.clientOptions({ capabilities: { roots: {} } })),
  ];
  const http2: HttpV2 = waybill.attach(new HttpV2(url, { fetch: waybill.fetch() }));
  const http1: HttpV1 = waybill.attach(new HttpV1(url, { fetch: waybill.fetch(fetch) }), { principal: 'ada', client: v1 });
  const stdio: StdioV2 = waybill.attach(new StdioV2({ command: 'node' }), { server: 'local' });
  const view: ClientV2 = waybill.with({ language: 'ja' }).client(v2);
  const undo: () => void = waybill.instrument(ClientV2);
  undo();
  for (const made of [v2, plain, v1, http1, http2, stdio, view]) expect(made).toBeDefined();
});
