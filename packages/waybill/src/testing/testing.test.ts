import { McpServer as V1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer as V2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { contextOf, serverContext } from '../server/index.js';
import { callTool, matrix, type Target } from './index.js';

const waybill = serverContext({ languages: ['en', 'de'], tools: { needs: { requires: { elicitation: { form: {} } } } } });

function seen(ctx: object) {
  const { language, environment, state } = contextOf(ctx);
  const count = Number(state.session.get('count') ?? 0);
  state.session.set('count', count + 1);
  const structuredContent = { language: language.chosen, timezone: environment.timezone, now: environment.now.text, count };
  return { content: [], structuredContent };
}
const build = {
  v1: () => {
    const server = new V1({ name: 'v1', version: '1' });
    server.registerTool('seen', { inputSchema: {} }, (_args, extra) => seen(extra));
    server.registerTool('needs', { inputSchema: {} }, () => ({ content: [] }));
    return server;
  },
  v2: () => {
    const server = new V2({ name: 'v2', version: '1' });
    server.registerTool('seen', { inputSchema: z.object({}) }, (_args, ctx) => seen(ctx));
    server.registerTool('needs', { inputSchema: z.object({}) }, () => ({ content: [] }));
    return server;
  },
};
const stdio = () => {
  let served: { close(): Promise<void> } | undefined;
  return {
    connect: (transport: never) => void (served = serveStdio(waybill.attach(build.v2), { transport })),
    close: () => served?.close(),
  };
};

const targets: [string, Target][] = [
  ['an instance of SDK v1', waybill.attach(build.v1())],
  ['a factory of SDK v1', waybill.attach(build.v1)],
  ['an instance of SDK v2', waybill.attach(build.v2())],
  ['a factory of SDK v2', waybill.attach(build.v2)],
  ['a handler of SDK v2', waybill.http(createMcpHandler(waybill.attach(build.v2)))],
  ['serveStdio of SDK v2', stdio()],
];

describe('a server that spells in its own way', () => {
  it('D-03: gets the spelling that it was configured with', async () => {
    const environmentKey = 'com.example/clientContext';
    const target = serverContext({ environmentKey }).attach(build.v2);
    const told = async (options: object) => (await callTool(target, 'seen', {}, { timezone: 'Asia/Tokyo' }, options)).result;
    expect((await told({}))?.['structuredContent']).toMatchObject({ timezone: 'UTC' });
    expect((await told({ environmentKey }))?.['structuredContent']).toMatchObject({ timezone: 'Asia/Tokyo' });
  });
});

describe('a handler whose servers were given to nobody', () => {
  it('finds no context: nothing would be checked, and nothing said of the answer', async () => {
    const { result } = await callTool(createMcpHandler(build.v2), 'seen', {}, {}, { layer: waybill });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('give the server to attach()') }] });
  });
});

describe.each(targets)('callTool on %s', (_name, target) => {
  it('calls under a language, a zone and a clock that stands still', async () => {
    const context = { language: ['de-AT', 'en'], timezone: 'Asia/Tokyo', now: Date.UTC(2026, 0, 1) };
    const { result, language, issues } = await callTool(target, 'seen', {}, context);
    expect(result?.['structuredContent']).toMatchObject({ language: 'de', timezone: 'Asia/Tokyo', now: '2026-01-01T09:00:00.000+09:00' });
    expect(language).toBe('de');
    expect(issues).toEqual([]);
  });

  it('gives the refusal of a call that lacks a capability', async () => {
    const refused = await callTool(target, 'needs', {}, { capabilities: { sampling: {} } });
    expect(refused.error?.code).toBe(-32021);
    expect(refused.result).toBeUndefined();
    const { result } = await callTool(target, 'needs', {}, { capabilities: { elicitation: { form: {} } } });
    expect(result?.['content']).toEqual([]);
  });

  it('hands the state of one call to the next', async () => {
    const first = await callTool(target, 'seen', {}, { state: { session: { other: 'x' } } });
    expect(first.changes).toEqual({ session: { count: 1 }, server: {} });
    const second = await callTool(target, 'seen', {}, { state: first.state });
    expect(second.result?.['structuredContent']).toMatchObject({ count: 1 });
    expect(second.state.session).toEqual({ other: 'x', count: 2 });
    expect((await callTool(target, 'seen')).changes.session).toEqual({});
  });

  it('runs a matrix of contexts in one call', async () => {
    const rows = await matrix(target, 'seen', {}, { language: ['de', 'fr'], timezone: ['Asia/Tokyo', undefined] });
    expect(rows.map(({ context, outcome }) => [context.language, outcome.result?.['structuredContent']])).toMatchObject([
      ['de', { language: 'de', timezone: 'Asia/Tokyo' }],
      ['de', { language: 'de', timezone: 'UTC' }],
      ['fr', { language: 'en', timezone: 'Asia/Tokyo' }],
      ['fr', { language: 'en', timezone: 'UTC' }],
    ]);
  });

  it('lists the tools of the server if the called one does not exist', async () => {
    await expect(callTool(target, 'sene')).rejects.toThrow('callTool: the server lists no tool "sene"; it has seen, needs');
  });

  it('sends own keys unchanged, and reports what is wrong with them', async () => {
    const { issues, result } = await callTool(target, 'seen', {}, { meta: { traceparent: 'nonsense', 'com.example/a': 1 } });
    expect(issues).toMatchObject([{ concern: 'trace', key: 'traceparent' }]);
    expect(result).toBeDefined();
  });
});

describe('callTool', () => {
  it('takes a layer for a target that has none', async () => {
    for (const target of [build.v1, build.v2, createMcpHandler(waybill.attach(build.v2))]) {
      const { language } = await callTool(target, 'seen', {}, { language: 'de' }, { layer: waybill });
      expect(language).toBe('de');
    }
  });

  it('uses both revisions if the target does', async () => {
    const handler = createMcpHandler(waybill.attach(build.v2));
    for (const era of ['2025-11-25', '2026-07-28'] as const) {
      for (const target of [waybill.http(handler), stdio()]) {
        const { result, messages } = await callTool(target, 'seen', {}, { era, language: 'de' });
        expect(result?.['structuredContent']).toMatchObject({ language: 'de' });
        const request = messages.findLast(({ from }) => from === 'client')!.message;
        expect(JSON.stringify(request).includes('protocolVersion')).toBe(era === '2026-07-28');
      }
    }
    for (const build_ of [build.v1, build.v2])
      await expect(callTool(waybill.attach(build_), 'seen', {}, { era: '2026-07-28' })).rejects.toThrow('speaks 2025-11-25 only');
  });

  it('answers requests of the server', async () => {
    const server = new V1({ name: 'v1', version: '1' });
    server.registerTool('ask', { inputSchema: {} }, async () => {
      const { content } = await server.server.elicitInput({ message: 'Name?', requestedSchema: { type: 'object', properties: {} } });
      return { content: [], structuredContent: { content } };
    });
    const context = { capabilities: { elicitation: { form: {} } } };
    const respond = (method: string) => ({ action: 'accept', content: { method } });
    const { result } = await callTool(waybill.attach(server), 'ask', {}, context, { respond });
    expect(result?.['structuredContent']).toEqual({ content: { method: 'elicitation/create' } });
    expect((await callTool(server, 'ask', {}, context)).result).toMatchObject({ isError: true });
  });

  it('fails if the server closes the connection instead of answering', async () => {
    const server = new V1({ name: 'v1', version: '1' });
    server.registerTool('quit', { inputSchema: {} }, async () => {
      await server.close();
      return { content: [] };
    });
    await expect(callTool(server, 'quit')).rejects.toThrow('callTool: the server closed the connection without an answer');
  });

  it('closes the connection to a server that refuses to initialize', async () => {
    const closed: string[] = [];
    type Line = { onmessage?: (message: object) => void; send(message: object): Promise<void>; onclose?: () => void };
    const refusing = {
      connect: (transport: Line) => {
        transport.onclose = () => closed.push('transport');
        transport.onmessage = (message) => {
          const { id } = message as { id?: unknown };
          if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'not today' } });
        };
      },
      close: () => void closed.push('server'),
    };
    await expect(callTool(refusing as Target, 'seen')).rejects.toThrow('callTool: initialize failed: not today');
    expect(closed).toEqual(['server', 'transport']);
  });

  it('does not take a request of the server with the same id for the answer', async () => {
    const events = [
      { jsonrpc: '2.0', id: 1, method: 'ping', params: {} },
      { jsonrpc: '2.0', id: 9, result: { content: [], structuredContent: { n: 9 } } },
      { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: { n: 1 } } },
    ];
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const handler = { fetch: () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }) };
    const { result, messages } = await callTool(handler, 'seen');
    expect(result?.['structuredContent']).toEqual({ n: 1 });
    expect(messages.filter(({ from }) => from === 'server').map(({ message }) => message)).toEqual(events);
  });

  it.each([
    ['an object', {}, 'expected a server with connect()'],
    ['a factory of nothing', () => undefined as never, 'not undefined'],
    ['nothing', undefined as never, 'expected a server with connect(), a factory of them, or a handler with fetch(), not undefined'],
  ])('refuses %s', async (_name, target, message) => {
    await expect(callTool(target, 'seen')).rejects.toThrow(message);
  });

  it('refuses invalid options', async () => {
    await expect(callTool(build.v2, 'seen', {}, {}, { layer: 5 as never })).rejects.toThrow(
      'callTool.layer: expected the result of serverContext()',
    );
    await expect(callTool(build.v2, 'seen', {}, {}, { respnd: 1 } as never)).rejects.toThrow(
      'callTool.respnd: unknown option; did you mean respond?',
    );
    await expect(callTool(build.v2, 'seen', {}, {}, { respond: 5 as never })).rejects.toThrow('callTool.respond: expected a function');
    await expect(callTool(undefined as never, 'seen', {}, {}, { layer: waybill })).rejects.toThrow('not undefined');
  });

  it.each([
    [null, 'callTool: expected an object'],
    [5, 'callTool: expected an object'],
    [{ langauge: 'de' }, 'langauge: unknown option; did you mean language?'],
    [{ language: 5 }, 'language: expected a text or a list of tags'],
    [{ language: '!!' }, 'language: expected an Accept-Language value, got "!!"'],
    [{ language: ['de_AT'] }, 'language'],
    [{ timezone: 5 }, 'timezone: expected an IANA time zone, got 5'],
    [{ locale: 'x_y' }, 'locale: expected a BCP 47 language tag, got "x_y"'],
    [{ location: 'Wien' }, 'location: expected an object'],
    [{ now: 'yesterday' }, 'now: expected an RFC 3339 timestamp with an offset, or an instant, got "yesterday"'],
    [{ now: null }, 'now: expected an RFC 3339 timestamp'],
    [{ now: Number.NaN }, 'now: expected an RFC 3339 timestamp'],
    [{ timezone: 1n }, 'timezone: expected an IANA time zone, got a value of type bigint'],
    [{ location: { coordinates: { lat: 1 } } }, 'location.coordinates.lat: unknown option; expected one of latitude, longitude'],
    [{ location: { town: 'Wien' } }, 'location.town: unknown option; expected one of city, region, country, coordinates'],
    [{ capabilities: true }, 'capabilities: expected an object'],
    [{ state: 5 }, 'state: expected an object'],
    [{ state: { sesion: {} } }, 'state.sesion: unknown option; did you mean session?'],
    [{ state: { session: [] } }, 'state.session: expected a plain object'],
    [{ state: { server: new Map([['a', 1]]) } }, 'state.server: expected a plain object'],
    [{ trace: 5 }, 'trace: expected an object'],
    [{ trace: { parent: 'x' } }, 'trace.parent: unknown option; expected one of traceparent, tracestate, baggage'],
    [{ meta: 5 }, 'meta: expected an object'],
    [{ era: '2024-11-05' }, 'era: expected one of 2025-11-25, 2026-07-28, got "2024-11-05"'],
  ])('refuses the context %o before anything is connected', async (context, message) => {
    const connected = vi.fn();
    await expect(callTool({ connect: connected }, 'seen', {}, context as never)).rejects.toThrow(message);
    expect(connected).not.toHaveBeenCalled();
  });

  it('refuses an axis without values', async () => {
    const target = waybill.attach(build.v2);
    await expect(matrix(target, 'seen', {}, { language: [] })).rejects.toThrow('matrix.language: expected a list');
  });
});
