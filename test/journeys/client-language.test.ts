/** The language of a call with a real client: caches, contradicting answers, refusals, questions and errors. */
import { InMemoryResponseCacheStore, ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { hookServer, hookTransport, type Hooks } from 'waybill/adapter';
import { clientContext, type AnswerAbout, type ClientContext, type ClientContextOptions } from 'waybill/client';
import { open, type Cell, type Journey, type Layers, type ServerLayer } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const MODERN: Cell = { client: 'v2-modern', server: 'v2', transport: 'memory' };
const served = (hooks: Hooks): ServerLayer => ({
  server: (target) => hookServer(target, (transport) => void hookTransport(transport, hooks)),
});
const languageSent = (exchange: any): string => exchange?.request.params?._meta?.[keys.ACCEPT_LANGUAGE] ?? 'none';

/** Lists, resources and errors in the requested language, valid for a minute. */
function speaking(more: Message = { ttlMs: 60_000, cacheScope: 'private' }): ServerLayer {
  return served({
    answer: (message: any, exchange: any) => {
      const language = languageSent(exchange);
      const { result, error } = message;
      const _meta = { ...result?._meta, [keys.CONTENT_LANGUAGE]: language };
      if (error) return { ...message, error: { ...error, data: { ...error.data, _meta: { [keys.CONTENT_LANGUAGE]: language } } } };
      if (result.tools)
        return {
          ...message,
          result: { ...result, ...more, _meta, tools: result.tools.map((tool: Message) => ({ ...tool, title: language })) },
        };
      if (result.contents)
        return { ...message, result: { ...result, ...more, _meta, contents: [{ ...result.contents[0], text: language }] } };
      return { ...message, result: { ...result, _meta } };
    },
  });
}

interface Visit {
  journey: Journey;
  waybill: ClientContext;
  issues: any[];
  list(): Promise<string>;
  read(): Promise<string>;
  fetched(method: string): number;
}

async function visit(
  act: (visit: Visit) => Promise<void>,
  given: { cell?: Cell; context?: ClientContextOptions; layers?: Layers; options?: (waybill: ClientContext) => Message } = {},
): Promise<void> {
  const issues: any[] = [];
  const waybill = clientContext({
    language: 'en',
    onIssue: (issue) => issues.push(issue),
    onFault: (fault) => issues.push(fault),
    ...given.context,
  });
  const journey = await open(given.cell ?? MODERN, {
    client: { transport: (transport) => waybill.attach(transport as never) },
    server: speaking(),
    ...given.layers,
    ...(given.options && { options: given.options(waybill) }),
  });
  try {
    await act({
      journey,
      waybill,
      issues,
      list: async () => (await journey.client.sdk.listTools()).tools[0].title,
      read: async () => (await journey.client.sdk.readResource({ uri: 'note://today' })).contents[0].text,
      fetched: (method) =>
        journey.wire().sent.filter((message) => message['method'] === method && message['params']?.cursor === undefined).length,
    });
  } finally {
    await journey.close();
  }
}

describe('the response cache of SDK v2', () => {
  const withCapabilities = { capabilities: { elicitation: { form: {} } } };
  const cached = (waybill: ClientContext): Message => waybill.clientOptions(withCapabilities);

  test('LANG-60: with attach() alone varying results are right, and are fetched every time', () =>
    visit(async ({ waybill, list, read, fetched }) => {
      for (const language of ['en', 'ru', 'en']) {
        waybill.update({ language });
        expect([await list(), await read()]).toEqual([language, language]);
      }
      expect([fetched('tools/list'), fetched('resources/read')]).toEqual([3, 3]);
    }));

  test('LANG-60, IX-01: with clientOptions() they are right, and each variant is fetched once', () =>
    visit(
      async ({ waybill, list, read, fetched }) => {
        for (const language of ['en', 'ru', 'en', 'ru']) {
          waybill.update({ language });
          expect([await list(), await read()]).toEqual([language, language]);
        }
        for (const language of ['en', 'ru'])
          expect(await waybill.run({ language }, async () => [await list(), await read()])).toEqual([language, language]);
        expect([fetched('tools/list'), fetched('resources/read')]).toEqual([2, 2]);
      },
      { options: cached },
    ));

  test('a result from the cache carries its language, and nothing of ours that is local', () =>
    visit(
      async ({ waybill, journey }) => {
        const results = [await journey.client.sdk.listTools(), await journey.client.sdk.listTools()];
        expect(results.map((result) => waybill.languageOf(result))).toEqual(['en', 'en']);
        expect(JSON.stringify(results[1])).not.toContain('dev.waybill/variant');
      },
      { options: cached },
    ));

  test('a list that was requested before a change of language is not served after it', () =>
    visit(
      async ({ waybill, list, fetched }) => {
        const stop = waybill.observe(({ method }) => {
          if (method === 'tools/list') waybill.update({ language: 'ru' });
        });
        expect(await list()).toBe('en');
        stop();
        expect([await list(), await list()]).toEqual(['ru', 'ru']);
        waybill.update({ language: 'en' });
        expect([await list(), fetched('tools/list')]).toEqual(['en', 2]);
      },
      { options: cached },
    ));

  test('list_changed drops all variants', () =>
    visit(
      async ({ waybill, journey, list, fetched }) => {
        for (const language of ['en', 'ru']) await waybill.run({ language }, list);
        journey.transport.onmessage({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        for (const language of ['en', 'ru']) expect(await waybill.run({ language }, list)).toBe(language);
        expect(fetched('tools/list')).toBe(4);
      },
      { options: cached },
    ));

  test('the index of tools stays right after a change of language: output is still checked', () =>
    visit(
      async ({ waybill, journey, list, fetched }) => {
        await list();
        waybill.update({ language: 'ru' });
        const { client } = journey;
        await expect(client.callTool({ name: 'structured', arguments: { n: 1 } })).rejects.toThrow(/output schema/);
        expect(fetched('tools/list')).toBe(1);
        expect(await list()).toBe('ru');
        await expect(client.callTool({ name: 'structured', arguments: { n: 1 } })).rejects.toThrow(/output schema/);
      },
      {
        options: cached,
        layers: {
          server: served({
            answer: (message: any, exchange: any) => {
              const language = languageSent(exchange);
              const { result } = message;
              if (result?.tools)
                return {
                  ...message,
                  result: { ...result, ttlMs: 60_000, tools: result.tools.map((tool: Message) => ({ ...tool, title: language })) },
                };
              return result?.structuredContent ? { ...message, result: { ...result, structuredContent: { twice: 'two' } } } : message;
            },
          }),
        },
      },
    ));

  test('a store of the application may be shared: one user’s public list is not shown in another language', async () => {
    const shared = new InMemoryResponseCacheStore();
    const wires: number[] = [];
    for (const language of ['en', 'ru', 'en'])
      await visit(
        async ({ list, fetched }) => {
          expect(await list()).toBe(language);
          wires.push(fetched('tools/list'));
        },
        {
          context: { language },
          layers: { server: speaking({ ttlMs: 60_000, cacheScope: 'public' }) },
          options: (waybill) => waybill.clientOptions({ ...withCapabilities, responseCacheStore: shared }),
        },
      );
    expect(wires).toEqual([1, 1, 0]);
  });

  test('capabilities of a single call have their own list', () =>
    visit(
      async ({ waybill, list, fetched }) => {
        await list();
        await waybill.run({ capabilities: { roots: {} } }, list);
        await list();
        await waybill.run({ capabilities: { roots: {} } }, list);
        expect(fetched('tools/list')).toBe(2);
      },
      { options: cached },
    ));

  test('lists of a server without the layer are still cached with attach() alone', () =>
    visit(
      async ({ waybill, list, fetched }) => {
        await list();
        waybill.update({ language: 'ru' });
        await list();
        expect(fetched('tools/list')).toBe(1);
      },
      {
        layers: {
          server: served({
            answer: (message: any) => (message.result?.tools ? { ...message, result: { ...message.result, ttlMs: 60_000 } } : message),
          }),
        },
      },
    ));

  test('D-16, D-26: a change of capabilities drops the lists and notifies the application', () =>
    visit(
      async ({ waybill, journey, list, fetched }) => {
        await list();
        const told: string[] = [];
        for (const what of ['tools', 'prompts', 'resources'])
          journey.client.onNotification(`notifications/${what}/list_changed`, () => told.push(what));
        waybill.update({ capabilities: { roots: {} } });
        await list();
        expect(fetched('tools/list')).toBe(2);
        expect(told).toEqual(['tools', 'prompts', 'resources']);
        expect(journey.wire().received.filter(({ method }) => method !== undefined)).toEqual([]);
      },
      { options: cached },
    ));
});

describe.each([
  { client: 'v1', server: 'v1', transport: 'http-json' },
  { client: 'v2-legacy', server: 'wired', transport: 'http-json' },
  { client: 'v2-modern', server: 'v2', transport: 'http-json' },
  { client: 'v2-modern', server: 'v2', transport: 'http-sse' },
] satisfies Cell[])('over HTTP, $client client, $transport', (cell) => {
  const heading = (value: () => string | undefined): ServerLayer => ({
    ...speaking(),
    listener: (listener: any) => (req: any, res: any) => {
      const header = value();
      if (header !== undefined) res.setHeader('Content-Language', header);
      return listener(req, res);
    },
  });

  test('LANG-49: an answer whose header and body disagree fails as malformed; one that agrees does not', async () => {
    let header: string | undefined;
    await visit(
      async ({ journey: { client } }) => {
        header = 'de';
        const error: any = await client.callTool({ name: 'echo', arguments: { text: 'x' } }).catch((thrown: unknown) => thrown);
        expect(errorOf(error)).toMatchObject({ code: -32603, data: { header: 'Content-Language', headerValue: 'de', metaValue: 'en' } });
        header = 'en';
        expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({ content: [{ text: 'x' }] });
        header = undefined;
        expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({ content: [{ text: 'x' }] });
      },
      { cell, layers: { server: heading(() => header) } },
    );
  });

  test('LANG-50: a stream without the header is right; a JSON answer without it is an issue, and is accepted', () =>
    visit(
      async ({ journey: { client }, issues }) => {
        await client.callTool({ name: 'echo', arguments: { text: 'x' } });
        expect(issues.length > 0).toBe(cell.transport === 'http-json');
        for (const issue of issues) expect(issue).toMatchObject({ concern: 'language', problem: expect.stringContaining('not mirrored') });
      },
      { cell, layers: { server: heading(() => undefined) } },
    ));
});

describe('a server that refuses for the language', () => {
  /** A proxy in front rewrites the header; the server refuses as it must. */
  const refusing: ServerLayer = {
    listener: (listener: any) => async (req: any, res: any) => {
      let text = '';
      for await (const chunk of req) text += String(chunk);
      const body = text === '' ? undefined : JSON.parse(text);
      const language = body?.params?._meta?.[keys.ACCEPT_LANGUAGE];
      if (body?.method !== 'tools/call' || language === undefined) return listener(req, res, body);
      const data = { header: 'Accept-Language', headerValue: 'en', metaValue: language, hint: 'rewritten' };
      res
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: body.id, error: { code: -32020, message: 'disagree', data } }));
    },
  };

  test('IX-13: it is not asked again and again: only the SDK’s own single retry remains', () =>
    visit(
      async ({ journey: { client, wire } }) => {
        const before = wire().sent.length;
        const error: any = await client.callTool({ name: 'echo', arguments: { text: 'x' } }).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ProtocolError);
        expect(error).toMatchObject({ code: -32020, data: { hint: 'rewritten' } });
        const methods = wire()
          .sent.slice(before)
          .map(({ method }) => method);
        expect(methods.filter((method) => method === 'tools/call')).toHaveLength(2);
        expect(methods.length).toBeLessThanOrEqual(6);
      },
      { cell: { client: 'v2-modern', server: 'v2', transport: 'http-json' }, layers: { server: refusing } },
    ));

  test.for(['v1', 'v2-legacy'] as const)('a %s client asks it once', (client) =>
    visit(
      async ({ journey }) => {
        const before = journey.wire().sent.length;
        await expect(journey.client.callTool({ name: 'echo', arguments: { text: 'x' } })).rejects.toThrow(/disagree/);
        expect(journey.wire().sent.length).toBe(before + 1);
      },
      { cell: { client, server: client === 'v1' ? 'v1' : 'wired', transport: 'http-json' }, layers: { server: refusing } },
    ),
  );
});

describe('answers that the SDK hides', () => {
  const CELLS: Cell[] = [
    { client: 'v1', server: 'v1', transport: 'memory' },
    { client: 'v2-legacy', server: 'wired', transport: 'memory' },
    { client: 'v2-modern', server: 'v2', transport: 'memory' },
    { client: 'v2-modern', server: 'v2', transport: 'http-sse' },
  ];

  test.for(CELLS)('results, errors and progress expose their language: $client client, $transport', async (cell) => {
    const told: AnswerAbout[] = [];
    const progress: Hooks = {
      answer: (message: any, exchange: any) => {
        const _meta = { [keys.CONTENT_LANGUAGE]: languageSent(exchange) };
        const { error, result } = message;
        return { ...message, ...(error ? { error: { ...error, data: { ...error.data, _meta } } } : { result: { ...result, _meta } }) };
      },
      notification: (message: any, { direction }) =>
        direction === 'out' && message.method === 'notifications/progress'
          ? { ...message, params: { ...message.params, _meta: { [keys.CONTENT_LANGUAGE]: 'en' } } }
          : message,
    };
    await visit(
      async ({ journey: { client }, waybill }) => {
        const seen: unknown[] = [];
        const result = await client.callTool(
          { name: 'count', arguments: { to: 2 } },
          { onprogress: (one) => seen.push(waybill.languageOf(one)) },
        );
        expect([waybill.languageOf(result), seen]).toEqual(['en', ['en', 'en']]);
        const error = await client.request('demo/fail', {}).catch((thrown: unknown) => thrown);
        expect(waybill.languageOf(error)).toBe('en');
        const missing = await client.sdk.readResource({ uri: 'note://never' }).catch((thrown: unknown) => thrown);
        expect(waybill.languageOf(missing)).toBe('en');
        if (cell.client !== 'v1') expect(missing).toBeInstanceOf(ResourceNotFoundError);
        expect(told.filter(({ language }) => language !== 'en')).toEqual([]);
        expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['result', 'error', 'progress']));
      },
      { cell, context: { onAnswer: (about) => told.push(about) }, layers: { server: served(progress) } },
    );
  });

  test.for(['memory', 'http-sse'] as const)('the handler of a question knows its language, over %s', async (transport) => {
    const told: AnswerAbout[] = [];
    await visit(
      async ({ journey: { client }, waybill }) => {
        const languages: unknown[] = [];
        client.onElicit((params) => {
          languages.push(waybill.languageOf(params));
          return { action: 'accept', content: { colour: 'green' } };
        });
        const result = await client.callTool({ name: 'ask', arguments: {} });
        expect([languages, waybill.languageOf(result)]).toEqual([['en'], 'en']);
        expect(told.filter(({ method }) => method === 'tools/call').map(({ kind }) => kind)).toEqual(['input-required', 'result']);
      },
      { cell: { ...MODERN, transport }, context: { onAnswer: (about) => told.push(about) } },
    );
  });
});
