/** Every way to reach a client, and what its single calls carry. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { readRequest } from 'waybill/adapter';
import { clientContext, type ClientContextOptions } from 'waybill/client';
import { httpTransport, peerOf, type ClientKind } from './clients.js';
import { serveHttp } from './fixtures/serve.mjs';
import { open, type Cell, type ServerKind } from './harness.js';
import { Recorder, type Message } from './wire.js';

const CALLS: Cell[] = [
  { client: 'v1', server: 'v1', transport: 'memory' },
  { client: 'v1', server: 'v1', transport: 'http-json' },
  { client: 'v2-legacy', server: 'wired', transport: 'http-sse' },
  { client: 'v2-modern', server: 'v2', transport: 'memory' },
  { client: 'v2-modern', server: 'v2', transport: 'http-sse' },
  { client: 'v2-modern', server: 'v2', transport: 'stdio' },
];
const languagesOf = (messages: Message[]): unknown[] =>
  messages.filter(({ method }) => method === 'tools/call').map((message) => readRequest(message).language?.text);
const attaching = (options: ClientContextOptions) => {
  const waybill = clientContext(options);
  return { waybill, layers: { client: { transport: <T extends object>(transport: T) => waybill.attach(transport as never) as T } } };
};
const echo = { name: 'echo', arguments: { text: 'x' } };

describe('single calls', { concurrent: true }, () => {
  test.for(CALLS)('run(), with() and update() reach the wire: $client client, $server server, $transport', async (cell, { expect }) => {
    const { waybill, layers } = attaching({ language: 'en' });
    const journey = await open(cell, layers);
    try {
      const { client } = journey;
      await client.callTool(echo);
      await Promise.all(
        ['ja', 'fr'].map((language) => waybill.run({ language }, async () => (await Promise.resolve(), client.callTool(echo)))),
      );
      const it = waybill.with({ language: 'it' });
      await client.callTool({ ...echo, _meta: it.meta });
      await it.client(client.sdk).callTool(echo);
      waybill.update({ language: null });
      await client.callTool(echo);
      const seen = languagesOf(journey.wire().sent);
      expect(seen.slice(1, 3).sort()).toEqual(['fr', 'ja']);
      expect([seen[0], ...seen.slice(3)]).toEqual(['en', 'it', 'it', undefined]);
    } finally {
      await journey.close();
    }
  });

  test.for(CALLS.filter(({ client }) => client === 'v2-modern'))(
    'IX-14, CTX-13: each leg of a call that asks back has its own time and its own span: $transport',
    async (cell, { expect }) => {
      let now = Date.UTC(2026, 0, 1);
      const { layers } = attaching({ trace: 'start', clock: () => now, environment: { timezone: 'UTC' } });
      const journey = await open(cell, layers);
      try {
        journey.client.onElicit(() => {
          now += 300_000;
          return { action: 'accept', content: { colour: 'green' } };
        });
        await journey.client.callTool({ name: 'ask', arguments: {} });
        const legs = journey
          .wire()
          .sent.filter(({ method }) => method === 'tools/call')
          .map((message) => readRequest(message));
        expect(legs.map(({ environment }) => environment?.now?.text)).toEqual([
          '2026-01-01T00:00:00.000+00:00',
          '2026-01-01T00:05:00.000+00:00',
        ]);
        const [first, second] = legs.map(({ trace }) => trace!.traceparent!.split('-'));
        expect(first![1]).toBe(second![1]);
        expect(first![2]).not.toBe(second![2]);
      } finally {
        await journey.close();
      }
    },
  );
});

describe('D-01: the literal form', { concurrent: true }, () => {
  test.for(CALLS.filter(({ transport, client }) => transport.startsWith('http') && client !== 'v2-legacy'))(
    'over HTTP it is only in the body, after the SDK has derived its headers: $client client, $transport',
    async (cell, { expect }) => {
      const { layers } = attaching({ wire: 'seed', language: 'fr', environment: { timezone: 'UTC' } });
      const journey = await open(cell, layers);
      try {
        // The servers of both SDKs refuse it; the test looks at what was sent.
        await journey.client.callTool(echo).catch(() => undefined);
        const { headers, body } = journey.wire().http.findLast(({ body: sent }) => sent?.method === 'tools/call')!;
        expect(body).toMatchObject({
          [keys.CLIENT_CONTEXT_SIBLING]: { timezone: 'UTC' },
          params: { _meta: { [keys.ACCEPT_LANGUAGE]: 'fr' } },
        });
        expect(headers['accept-language']).toBe('fr');
        if (cell.client === 'v2-modern') expect(headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'echo' });
      } finally {
        await journey.close();
      }
    },
  );

  test('over stdio a server that lifts it receives it', async () => {
    const { layers } = attaching({ wire: 'seed', environment: { timezone: 'Asia/Tokyo' } });
    const journey = await open(
      { client: 'v2-modern', server: 'v2', transport: 'stdio' },
      { ...layers, server: new URL('./fixtures/layers/lifting.mjs', import.meta.url) },
    );
    try {
      const { content } = await journey.client.callTool({ name: 'meta', arguments: {} });
      expect(JSON.parse(content[0].text)[keys.CLIENT_CONTEXT]).toMatchObject({ timezone: 'Asia/Tokyo' });
    } finally {
      await journey.close();
    }
  });
});

describe('a client that lets us replace only fetch', () => {
  async function visit(kind: ClientKind, server: ServerKind, both: boolean): Promise<Recorder> {
    const issues: unknown[] = [];
    const waybill = clientContext({
      language: 'fr',
      environment: { timezone: 'UTC' },
      trace: 'start',
      meta: { 'com.example/id': 1 },
      onIssue: (issue) => issues.push(issue),
      capabilities: { roots: {} },
    });
    const served = await serveHttp(server, { json: kind === 'v2-modern' });
    const recorder = new Recorder();
    const transport = httpTransport(kind, served.url, waybill.fetch(recorder.fetch()));
    const client = peerOf(kind);
    try {
      await client.connect(both ? waybill.attach(transport) : transport);
      await client.allTools();
      expect(await client.callTool(echo)).toMatchObject({ content: [{ text: 'x' }] });
      expect(issues).toEqual([]);
      return recorder;
    } finally {
      await client.close();
      await served.close();
    }
  }

  test.for([
    ['v1', 'v1'],
    ['v2-legacy', 'v2'],
    ['v2-modern', 'v2'],
  ] as const)('%s: every request gets its context once, also if the transport is attached as well', async ([kind, server]) => {
    for (const both of [false, true]) {
      const requests = (await visit(kind, server, both)).http.filter(({ body }) => body?.id !== undefined && body.method !== undefined);
      expect(requests.length).toBeGreaterThan(2);
      for (const { headers, body } of requests) {
        const { language, trace, environment, meta } = readRequest(body);
        expect([language?.text, headers['accept-language'], meta['com.example/id']]).toEqual(['fr', 'fr', 1]);
        expect(trace?.traceparent).toMatch(/^00-/);
        expect(environment?.timezone).toBe(body.method === 'tools/call' ? 'UTC' : undefined);
        expect(JSON.stringify(body)).not.toContain('state');
      }
    }
  });
});

describe('a framework that builds its clients itself', () => {
  /** Returns the class that the framework itself imports. */
  const theirs = async (): Promise<typeof ClientV1> => {
    const from = createRequire(createRequire(import.meta.url).resolve('@langchain/mcp-adapters'));
    const path = from.resolve('@modelcontextprotocol/sdk/client/index.js').replace('/dist/cjs/', '/dist/esm/');
    return ((await import(path)) as { Client: typeof ClientV1 }).Client;
  };
  const CHILD = fileURLToPath(new URL('./fixtures/stdio.mjs', import.meta.url));

  test('LangChain’s adapters: instrument() reaches their connections, hide keeps _meta from the model, and both can be undone', async () => {
    const waybill = clientContext({ language: 'fr', environment: { timezone: 'UTC' }, hide: true });
    const shown = async (): Promise<Message> => {
      const served = await serveHttp('v1');
      const adapter = new MultiServerMCPClient({
        mcpServers: {
          http: { transport: 'http', url: served.url.href },
          stdio: { transport: 'stdio', command: process.execPath, args: [CHILD, 'v1'] },
        },
        prefixToolNameWithServerName: true,
      });
      try {
        const tools = await adapter.getTools();
        const metas = tools.filter(({ name }) => name.endsWith('__meta'));
        expect(metas).toHaveLength(2);
        const seen = await Promise.all(metas.map(async (tool) => [tool.name, JSON.parse(String(await tool.invoke({})))]));
        const structured = tools.find(({ name }) => name === 'http__structured')!;
        return { ...Object.fromEntries(seen), structured: JSON.stringify(await structured.invoke({ n: 2 })) };
      } finally {
        await adapter.close();
        await served.close();
      }
    };
    const undo = waybill.instrument(await theirs());
    const layered = await shown();
    undo();
    const bare = await shown();
    for (const name of ['http__meta', 'stdio__meta']) {
      expect(layered[name]).toMatchObject({ [keys.ACCEPT_LANGUAGE]: 'fr', [keys.CLIENT_CONTEXT]: { timezone: 'UTC' } });
      expect(bare[name]).not.toHaveProperty([keys.ACCEPT_LANGUAGE]);
    }
    expect(layered['structured']).not.toContain('example.test/result');
    expect(bare['structured']).toContain('example.test/result');
  });

  test.for(['v1', 'v2-modern'] as const)('instrument() reaches any client of the class, %s, until it is undone', async (kind) => {
    const waybill = clientContext({ language: 'fr' });
    const cell: Cell = { client: kind, server: kind === 'v1' ? 'v1' : 'v2', transport: 'memory' };
    const undo = waybill.instrument(peerOf(kind).sdk.constructor);
    const visit = async (): Promise<unknown[]> => {
      const journey = await open(cell);
      await journey.client.callTool(echo);
      await journey.close();
      return languagesOf(journey.wire().sent);
    };
    expect(await visit()).toEqual(['fr']);
    undo();
    expect(await visit()).toEqual([undefined]);
  });

  test('a transport of another context is left alone', async () => {
    const [first, second] = [clientContext({ language: 'fr' }), clientContext({ language: 'de', onFault: () => undefined })];
    const undo = second.instrument(await theirs());
    try {
      const journey = await open(
        { client: 'v1', server: 'v1', transport: 'memory' },
        { client: { transport: (transport) => first.attach(transport as never) } },
      );
      await journey.client.callTool(echo);
      expect(languagesOf(journey.wire().sent)).toEqual(['fr']);
      await journey.close();
    } finally {
      undo();
    }
  });
});
