/**
 * A client and a server with the layer, in one program without a socket or a file, that checks itself. It imports nothing of a runtime, so
 * that it runs on Node, Bun, Deno and workerd, and it uses only API of every supported version of the SDKs.
 */
import { Client as ClientV2, InMemoryTransport as MemoryV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import * as time from '@waybill/time';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import * as hosts from 'waybill/hosts';
import { contextOf, serverContext } from 'waybill/server';

const INFO = { name: 'selfcheck', version: '1.0.0' };
const URL_OF_SHOP = new URL('https://shop.example.com/mcp');
const capabilities = { elicitation: { form: {} } };

const layerOfServer = (options) => serverContext({ languages: ['en', 'fr', 'de'], time, ...options });
const layerOfClient = () =>
  clientContext({
    language: 'fr-CH, en;q=0.5',
    environment: { timezone: 'Asia/Tokyo', locale: 'fr-CH', now: '2026-03-15T09:00:00+09:00' },
    trace: 'start',
    state: jar({ hosts }),
  });

/** The only tool returns what its handler sees, and counts its calls in state that the client keeps. */
function addTool(server, read = contextOf) {
  server.registerTool('showContext', { description: 'Tells what it sees' }, (ctx) => {
    const { language, environment, capabilities: can, state, trace } = read(ctx);
    const visits = (state.server.get('visits') ?? 0) + 1;
    state.server.set('visits', visits);
    const told = {
      language: language.chosen,
      timezone: environment.timezone,
      lastMonth: environment.range('last month'),
      can: [can.can('elicitation.form'), can.can('sampling')],
      trace: trace.parent?.traceparent,
      visits,
    };
    return { content: [{ type: 'text', text: JSON.stringify(told) }] };
  });
  return server;
}

/** Each way connects a client with the layer to a server with the layer, and returns the client. */
const WAYS = {
  async 'SDK v1 in memory'(client, server) {
    const [near, far] = MemoryV1.createLinkedPair();
    await server.attach(addTool(new McpServerV1(INFO))).connect(far);
    const sdk = new ClientV1(INFO, { capabilities });
    await sdk.connect(client.attach(near, { server: 'shop' }));
    return sdk;
  },
  async 'SDK v2 in memory'(client, server) {
    const [near, far] = MemoryV2.createLinkedPair();
    await server.attach(addTool(new McpServerV2(INFO))).connect(far);
    const sdk = new ClientV2(INFO, { capabilities });
    await sdk.connect(client.attach(near, { server: 'shop' }));
    return sdk;
  },
  'SDK v2 through fetch, 2025-11-25': (client, server) => throughFetch(client, server, 'legacy'),
  'SDK v2 through fetch, 2026-07-28': (client, server) => throughFetch(client, server, { pin: '2026-07-28' }),
};

async function throughFetch(client, server, mode) {
  const handler = server.http(createMcpHandler(server.attach(() => addTool(new McpServerV2(INFO)))));
  const sdk = new ClientV2(INFO, { capabilities, versionNegotiation: { mode } });
  const fetch = async (url, init) => handler.fetch(new Request(url, init));
  await sdk.connect(client.attach(new StreamableHTTPClientTransport(URL_OF_SHOP, { fetch }), { client: sdk }));
  return sdk;
}

/** Runs every check. Resolves to `{ name, ok, detail }` of each; it never rejects. */
export async function selfCheck() {
  const checks = [];
  const check = (name, actual, expected) => {
    const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    const ok = got === wanted && got !== undefined;
    checks.push({ name, ok, detail: ok ? '' : `expected ${wanted}, got ${got}` });
  };
  const attempt = async (name, act) => {
    try {
      await act();
    } catch (error) {
      checks.push({ name, ok: false, detail: String(error?.stack ?? error) });
    }
  };
  for (const [way, connect] of Object.entries(WAYS)) await attempt(way, () => visit(way, connect, check));
  await attempt('ambient', () => ambient(check));
  return checks;
}

async function visit(way, connect, check) {
  const waybill = layerOfClient();
  const sent = [];
  waybill.observe(({ request }) => void sent.push(request.params?._meta ?? {}));
  const client = await connect(waybill, layerOfServer());
  const first = await client.callTool({ name: 'showContext', arguments: {} });
  const { traceparent } = sent.at(-1);
  const second = await client.callTool({ name: 'showContext', arguments: {} });
  await client.close();

  const told = JSON.parse(first.content[0].text);
  check(`${way}: language`, [told.language, waybill.languageOf(first)], ['fr', 'fr']);
  check(`${way}: environment`, told.timezone, 'Asia/Tokyo');
  check(`${way}: time`, told.lastMonth?.start, '2026-02-01T00:00:00+09:00[Asia/Tokyo]');
  // Without a session the server cannot ask back on 2025-11-25, so a declared capability does not count there.
  check(`${way}: capabilities`, told.can, [!way.includes('2025-11-25'), false]);
  check(`${way}: trace`, told.trace, traceparent);
  check(`${way}: state`, [told.visits, JSON.parse(second.content[0].text).visits], [1, 2]);
  check(`${way}: the application sees no state`, JSON.stringify(second).includes('state'), false);
}

/** Context without `ctx` needs AsyncLocalStorage. A runtime without it must get a clear error at construction. */
async function ambient(check) {
  const [near, far] = MemoryV2.createLinkedPair();
  let server;
  try {
    server = layerOfServer({ ambient: true });
  } catch (error) {
    check('ambient: refused in plain words', /AsyncLocalStorage/.test(error.message), true);
    return;
  }
  await server.attach(addTool(new McpServerV2(INFO), () => contextOf())).connect(far);
  const client = new ClientV2(INFO);
  await client.connect(layerOfClient().attach(near, { server: 'shop' }));
  const { content } = await client.callTool({ name: 'showContext', arguments: {} });
  await client.close();
  check('ambient: found without ctx', JSON.parse(content[0].text).language, 'fr');
}
