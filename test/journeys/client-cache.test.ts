import { Client, InMemoryResponseCacheStore, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { keys } from 'waybill';
import { clientContext, type AttachOptions, type ClientContext, type ClientContextOptions } from 'waybill/client';
import { Internet } from '../state/internet.js';

/** A cache that was built with `clientOptions()` keeps users and servers apart. */

const INFO = { name: 'bank', version: '1.0.0' };

/** A server that lists one tool for an hour, named after the user, the language and the host. */
function listing(host: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method, params } = await request.json();
    if (id === undefined) return new Response(null, { status: 202 });
    const name = [request.headers.get('authorization'), params._meta[keys.ACCEPT_LANGUAGE], host].filter(Boolean).join('.');
    const lasting = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' };
    const result =
      method === 'server/discover'
        ? {
            ...lasting,
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            serverInfo: INFO,
            _meta: { [keys.SERVER_INFO]: INFO },
          }
        : { ...lasting, tools: [{ name, inputSchema: { type: 'object' } }] };
    return Response.json({ jsonrpc: '2.0', id, result });
  };
}

function host(options: ClientContextOptions = {}) {
  const internet = new Internet();
  for (const name of ['a.example.com', 'b.example.com']) internet.site(name, listing(name));
  const waybill = clientContext(options);
  const given = waybill.clientOptions({ capabilities: {}, versionNegotiation: { mode: 'auto' } });
  const connect = async (client: Client, at: string, who?: string, attach?: AttachOptions): Promise<void> => {
    const requestInit = { headers: { ...(who !== undefined && { authorization: who }) } };
    const transport = new StreamableHTTPClientTransport(new URL(`https://${at}/mcp`), { fetch: internet.fetch, requestInit });
    await client.connect(waybill.attach(transport, attach));
  };
  const lists = (): number => internet.sent.filter(({ body }) => body.method === 'tools/list').length;
  return { waybill, client: () => new Client({ name: 'c', version: '1' }, given), connect, lists };
}

async function listed(client: Client): Promise<string | undefined> {
  return (await client.listTools()).tools[0]?.name;
}

describe('a cached list', () => {
  it('a cached list is not shown to the principal of the next connection', async () => {
    const { client: make, connect } = host();
    const client = make();
    for (const principal of ['ada', 'bob']) {
      await connect(client, 'a.example.com', principal, { principal });
      expect(await listed(client)).toBe(`${principal}.a.example.com`);
      await client.close();
    }
  });

  it('without a principal a cached list is not shown over the next connection', async () => {
    const { client: make, connect } = host();
    const client = make();
    for (const who of ['ada', 'bob']) {
      await connect(client, 'a.example.com', who);
      expect(await listed(client)).toBe(`${who}.a.example.com`);
      await client.close();
    }
  });

  it('a cached list of another server is not shown, even if the servers have the same name', async () => {
    const { client: make, connect } = host();
    const client = make();
    for (const at of ['a.example.com', 'b.example.com']) {
      await connect(client, at);
      expect(await listed(client)).toBe(at);
      await client.close();
    }
  });

  it('with a store that outlives connections a list is shown for the same server only', async () => {
    const { waybill, connect, lists } = host();
    const responseCacheStore = new InMemoryResponseCacheStore();
    const options = waybill.clientOptions({ capabilities: {}, versionNegotiation: { mode: 'auto' as const }, responseCacheStore });
    for (const at of ['a.example.com', 'b.example.com', 'a.example.com']) {
      const client = new Client({ name: 'c', version: '1' }, options);
      await connect(client, at);
      expect(await listed(client)).toBe(at);
      await client.close();
    }
    expect(lists()).toBe(2);
  });

  it('two clients with the same options do not share a list while they act for different principals', async () => {
    const { client: make, connect } = host();
    const clients = { ada: make(), bob: make() };
    for (const [principal, client] of Object.entries(clients)) await connect(client, 'a.example.com', principal, { principal });
    for (const [principal, client] of [...Object.entries(clients), ...Object.entries(clients)])
      expect(await listed(client)).toBe(`${principal}.a.example.com`);
  });

  it('a cached list is shown again to the same principal over the same connection', async () => {
    const { client: make, connect, lists, waybill } = host();
    const client = make();
    await connect(client, 'a.example.com', 'ada', { principal: 'ada' });
    const again = (context: ClientContext): Promise<unknown> => context.run({ principal: 'ada' }, () => listed(client));
    expect([await listed(client), await listed(client), await again(waybill), lists()]).toEqual([...Array(3).fill('ada.a.example.com'), 1]);
  });
});

it.each([
  ['its address', ({ connection }: any) => (connection.url.hostname === 'a.example.com' ? 'de' : 'en')],
  ['its transport', async ({ connection }: any) => (connection.transport.sessionId === undefined ? 'de' : 'en')],
])('the cache uses the language of the connection if the language depends on it, by %s', async (_what, language) => {
  const { client: make, connect, waybill, lists } = host({ language });
  const client = make();
  await connect(client, 'a.example.com');
  expect(await waybill.run({ language: 'en' }, () => listed(client))).toBe('en.a.example.com');
  for (let n = 0; n < 3; n++) expect(await listed(client)).toBe('de.a.example.com');
  expect(lists()).toBe(2);
});
