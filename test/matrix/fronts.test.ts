/** Headers that a framework in front has set on the answer, as CORS and caching plugins do, stay; raw over a socket. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve as serveHono } from '@hono/node-server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler } from '@modelcontextprotocol/server';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { describe, expect, it } from 'vitest';
import { keys } from 'waybill';
import { serverContext, type ServerContext } from 'waybill/server';
import { ask, last, tool } from './requests.js';
import { buildV1, buildV2, LANGUAGES, nodeTransport } from './servers.js';

const ACCEPT = keys.ACCEPT_LANGUAGE;
const GIVEN = { Vary: 'Origin', 'Cache-Control': 'max-age=60', 'Access-Control-Allow-Origin': 'https://app.example' };
const give = (response: Pick<ServerResponse, 'setHeader'>): void => {
  for (const [name, value] of Object.entries(GIVEN)) response.setHeader(name, value);
};
const byTransport = (waybill: ServerContext): any => waybill.node(nodeTransport(StreamableHTTPServerTransport, buildV1, true)(waybill));

const byHandler = (waybill: ServerContext): any =>
  waybill.node(toNodeHandler(createMcpHandler(waybill.attach(buildV2), { keepAliveMs: 0 })));

type Front = (waybill: ServerContext, make?: (waybill: ServerContext) => any) => Promise<{ server: any; port: number }>;

async function listening(listener: RequestListener): Promise<{ server: any; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

const overNode: Front = (waybill, make) => {
  const handle = make!(waybill);
  return listening((request, response) => {
    give(response);
    void handle(request, response);
  });
};
/** An Express app that sets headers on every answer. */
function givingExpress(): any {
  const app = express();
  app.use((_request: unknown, response: ServerResponse, next: () => void) => {
    give(response);
    next();
  });
  return app;
}
const overExpress: Front = (waybill, make) => {
  const app = givingExpress();
  const handle = make!(waybill);
  app.post('/mcp', (request: any, response: any) => handle(request, response, request.body));
  return listening(app as RequestListener);
};
/** Express calls the listener itself, with its own `next` as the third argument. */
const asRoute: Front = (waybill, make) => {
  const app = givingExpress();
  app.all('/mcp', make!(waybill));
  return listening(app as RequestListener);
};
/** The edge is middleware, and the SDK's own route reads the request after it. */
const asMiddleware: Front = (waybill) => {
  const app = givingExpress();
  app.use('/mcp', waybill.node());
  app.all('/mcp', toNodeHandler(createMcpHandler(waybill.attach(buildV2), { keepAliveMs: 0 })));
  return listening(app as RequestListener);
};
const overFastify: Front = async (waybill, make) => {
  const app = fastify();
  app.addHook('onRequest', async (_request, reply) => give(reply.raw));
  const handle = make!(waybill);
  app.post('/mcp', (request, reply) => {
    reply.hijack();
    return handle(request.raw, reply.raw, request.body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { server: app.server, port: (app.server.address() as AddressInfo).port };
};
const overHono: Front = async (waybill) => {
  const app = new Hono();
  app.use(cors({ origin: ['https://app.example'] }));
  app.use(async (c, next) => {
    await next();
    c.header('Cache-Control', [c.res.headers.get('cache-control'), 'max-age=60'].filter(Boolean).join(', '));
  });
  const handler = waybill.http(createMcpHandler(waybill.attach(buildV2), { keepAliveMs: 0 }));
  app.all('/mcp', (c) => handler.fetch(c.req.raw));
  return new Promise((resolve) => {
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve({ server, port }));
  });
};

describe.each([
  ['v1 Node transport behind node()', 'legacy', overNode, byTransport],
  ['v1 Node transport behind Express and node()', 'legacy', overExpress, byTransport],
  ['v1 Node transport behind Fastify and node()', 'legacy', overFastify, byTransport],
  ['createMcpHandler behind node()', 'modern', overNode, byHandler],
  ['createMcpHandler behind Express and node()', 'modern', overExpress, byHandler],
  ['v1 Node transport behind node() as a route of Express', 'legacy', asRoute, byTransport],
  ['createMcpHandler behind node() as a route of Express', 'modern', asRoute, byHandler],
  ['createMcpHandler as a route of Express behind node()', 'modern', asMiddleware, undefined],
  ['createMcpHandler behind Fastify and node()', 'modern', overFastify, byHandler],
  ['createMcpHandler in Hono', 'modern', overHono, undefined],
] as const)('%s', (_, era, front, make) => {
  it('LANG-62, LANG-63: Vary and Cache-Control are added to what is there, on answers and refusals', async () => {
    const waybill = serverContext({ languages: LANGUAGES });
    const { server, port } = await front(waybill, make);
    try {
      const answerTo = async (name: string, lines: string[] = []): Promise<unknown[]> => {
        const answer = await ask({ era }, port, tool(name, { meta: { [ACCEPT]: 'fr' }, lines: ['Origin: https://app.example', ...lines] }));
        const parts = (field: string): string[] => answer.all(field).join(', ').toLowerCase().split(/,\s*/).sort();
        expect([name, answer.header('access-control-allow-origin')]).toEqual([name, 'https://app.example']);
        if (answer.status === 200) expect(answer.header('content-language')).toBe('fr');
        return [answer.status, last(answer).error?.code, parts('vary'), parts('cache-control')];
      };
      const vary = ['accept-language', 'origin'];
      expect(await answerTo('hello', ['Accept-Language: fr'])).toEqual([200, undefined, vary, ['max-age=60']]);
      expect(await answerTo('hello')).toEqual([200, undefined, vary, ['max-age=60', 'private']]);
      expect((await answerTo('hello', ['Accept-Language: de'])).slice(0, 3)).toEqual([400, -32020, vary]);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('an app of Express behind node()', () => {
  it('it serves its routes, and answers unknown ones itself', async () => {
    const waybill = serverContext({ languages: LANGUAGES });
    const app = express();
    app.all('/mcp', toNodeHandler(createMcpHandler(waybill.attach(buildV2), { keepAliveMs: 0 })));
    app.post('/echo', (request: any, response: any) => response.json(request.body));
    const handle = waybill.node(app as never);
    const { server, port } = await listening((request, response) => void handle(request, response));
    const post = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } });
    expect(await (await post('/echo')).json()).toEqual({ a: 1 });
    const answer = await ask({ era: 'modern' }, port, tool('hello', { meta: { [ACCEPT]: 'fr' }, lines: ['Accept-Language: fr'] }));
    expect([answer.status, answer.header('content-language')]).toEqual([200, 'fr']);
    expect((await post('/nowhere')).status).toBe(404);
    server.close();
  });
});
