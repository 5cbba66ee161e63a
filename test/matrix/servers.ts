/** One small server behind every kind of HTTP server, with the layer added as the documentation of each kind shows it. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve as serveHono } from '@hono/node-server';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { WebStandardStreamableHTTPServerTransport as WebV1 } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  createMcpHandler,
  McpServer,
  ResourceNotFoundError,
  WebStandardStreamableHTTPServerTransport as WebV2,
} from '@modelcontextprotocol/server';
import express from 'express';
import { fastify, type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { z } from 'zod';
import { contextOf, serverContext, type ServerContext, type ServerContextOptions } from 'waybill/server';

export interface Served {
  readonly port: number;
  close(): Promise<void>;
}
export interface Kind {
  readonly name: string;
  /** The requests it serves: with the envelope of 2026-07-28, or without. */
  readonly era: 'modern' | 'legacy';
  readonly answers: 'json' | 'stream';
  /** True if a framework in front parses the body, with its own limits and refusals. */
  readonly parses?: true;
  start(options?: ServerContextOptions): Promise<Served>;
}

export const LANGUAGES = ['en', 'fr', 'de'];
const WORDS: Record<string, string> = { en: 'hello', fr: 'bonjour', de: 'hallo' };
const OPTIONS: ServerContextOptions = {
  languages: LANGUAGES,
  tools: { form: { requires: { elicitation: { form: {} } } }, plain: { requires: { sampling: { tools: {} } }, otherwise: 'other' } },
};

const text = (words: string): any => ({ content: [{ type: 'text', text: words }] });

/** Tools that read the context, that do not, that fail, that need more, that send progress. */
const TOOLS: Record<string, (ctx: any, send: (notification: any) => Promise<void>) => any> = {
  hello: (ctx) => text(WORDS[contextOf(ctx).language.chosen]!),
  mute: () => text('plain'),
  tell: (ctx) => {
    const { language, environment, capabilities, issues, meta } = contextOf(ctx);
    const { now, timezone, locale, location, given, skew, disagrees, clock } = environment;
    return text(
      JSON.stringify({
        ...{ chosen: language.chosen, preference: language.preference?.text, matched: language.matched },
        environment: {
          now: now.text,
          timezone,
          locale,
          location,
          given,
          skew: skew === undefined ? undefined : Math.sign(skew),
          disagrees,
          clock,
        },
        ...{ declared: capabilities.declared, issues, meta: Object.keys(meta) },
      }),
    );
  },
  fail: (ctx) => {
    const { error, language } = contextOf(ctx);
    throw error(7, WORDS[language.chosen]!, { why: 'because' });
  },
  inside: (ctx) => {
    contextOf(ctx).capabilities.requireCapability('elicitation.url');
    return text('allowed');
  },
  form: () => text('a form'),
  plain: () => text('sampled'),
  other: () => text('instead'),
  slow: async (ctx, send) => {
    const words = WORDS[contextOf(ctx).language.chosen];
    await send({ method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: words } });
    await send({ method: 'notifications/progress', params: { progressToken: 1, progress: 2 } });
    return text(words!);
  },
  late: async (ctx, send) => {
    await send({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    contextOf(ctx).capabilities.requireCapability('elicitation.url');
    return text('allowed');
  },
};

export function buildV2(): McpServer {
  const server = new McpServer({ name: 'matrix', version: '1.0.0' }, {
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' } },
  } as never);
  for (const [name, run] of Object.entries(TOOLS))
    server.registerTool(name, { inputSchema: z.object({}) }, async (_args, ctx) => run(ctx, (note) => ctx.mcpReq.notify(note)));
  server.registerResource('gone', 'doc://gone', {}, (uri, ctx) => {
    void contextOf(ctx).language.chosen;
    throw new ResourceNotFoundError(uri.href);
  });
  return server;
}

export function buildV1(): McpServerV1 {
  const server = new McpServerV1({ name: 'matrix', version: '1.0.0' });
  for (const [name, run] of Object.entries(TOOLS))
    server.registerTool(name, { inputSchema: {} }, async (_args: any, extra: any) => run(extra, (note) => extra.sendNotification(note)));
  return server;
}

async function listen(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => closing(server) };
}

async function closing(server: any): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections?.();
  await closed;
}

const layer = (options?: ServerContextOptions): ServerContext => serverContext({ ...OPTIONS, ...options });
const json = true;

/** Stateless, as both SDKs document it: one server and one transport for each request. */
export const nodeTransport =
  (Transport: any, build: () => any, enableJsonResponse: boolean) =>
  (waybill: ServerContext) =>
  async (request: any, response: any, body?: unknown): Promise<void> => {
    const transport = new Transport({ sessionIdGenerator: undefined, enableJsonResponse });
    await waybill.attach(build()).connect(transport);
    await transport.handleRequest(request, response, body);
  };
const webTransport =
  (Transport: any, build: () => any, enableJsonResponse: boolean) =>
  (waybill: ServerContext) =>
  async (request: Request): Promise<Response> => {
    const transport = new Transport({ sessionIdGenerator: undefined, enableJsonResponse });
    await waybill.attach(build()).connect(transport);
    return transport.handleRequest(request);
  };

const overNode = (make: ReturnType<typeof nodeTransport>) => (options?: ServerContextOptions) => {
  const handle = make(layer(options));
  return listen((request, response) => void handle(request, response));
};
const overHono = (make: (waybill: ServerContext) => (request: Request) => Promise<Response>) => async (options?: ServerContextOptions) => {
  const app = new Hono();
  const handle = make(layer(options));
  app.all('/mcp', (c) => handle(c.req.raw));
  return new Promise<Served>((resolve) => {
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ port, close: () => closing(server) }),
    );
  });
};
const overExpress = (mount: (app: any, waybill: ServerContext) => void) => (options?: ServerContextOptions) => {
  const app = express();
  app.use(express.json());
  mount(app, layer(options));
  return listen(app as RequestListener);
};
/** `reply.hijack()` leaves the answer to code that writes to `reply.raw`. */
const overFastify = (mount: (app: FastifyInstance, waybill: ServerContext) => void) => async (options?: ServerContextOptions) => {
  const app = fastify();
  mount(app, layer(options));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port, close: () => closing(app.server) };
};
const entry = (responseMode: 'auto' | 'sse' | 'json') => (waybill: ServerContext) =>
  waybill.http(createMcpHandler(waybill.attach(buildV2), { responseMode, keepAliveMs: 0 }));

const modern = 'modern' as const;
const legacy = 'legacy' as const;
const stream = 'stream' as const;

export const KINDS: readonly Kind[] = [
  {
    name: 'createMcpHandler',
    era: modern,
    answers: 'json',
    start: (options) => listen(toNodeHandler(entry('auto')(layer(options))) as never),
  },
  {
    name: 'createMcpHandler, streams',
    era: modern,
    answers: stream,
    start: (options) => listen(toNodeHandler(entry('sse')(layer(options))) as never),
  },
  {
    name: 'createMcpHandler, attach alone',
    era: modern,
    answers: 'json',
    start: (options) => listen(toNodeHandler(createMcpHandler(layer(options).attach(buildV2))) as never),
  },
  {
    name: 'createMcpHandler in Hono',
    era: modern,
    answers: 'json',
    start: overHono((waybill) => (request) => entry('auto')(waybill).fetch(request)),
  },
  {
    name: 'createMcpHandler in Express',
    era: modern,
    answers: 'json',
    parses: true,
    start: overExpress((app, waybill) => {
      const handler = toNodeHandler(entry('auto')(waybill));
      app.post('/mcp', (request: any, response: any) => handler(request, response, request.body));
    }),
  },
  {
    name: 'createMcpHandler, legacy leg',
    era: legacy,
    answers: stream,
    start: (options) => listen(toNodeHandler(entry('auto')(layer(options))) as never),
  },
  { name: 'v1 Node transport', era: legacy, answers: 'json', start: overNode(nodeTransport(StreamableHTTPServerTransport, buildV1, json)) },
  {
    name: 'v1 Node transport, streams',
    era: legacy,
    answers: stream,
    start: overNode(nodeTransport(StreamableHTTPServerTransport, buildV1, false)),
  },
  {
    name: 'v2 Node transport',
    era: legacy,
    answers: 'json',
    start: overNode(nodeTransport(NodeStreamableHTTPServerTransport, buildV2, json)),
  },
  {
    name: 'v2 Node transport, streams',
    era: legacy,
    answers: stream,
    start: overNode(nodeTransport(NodeStreamableHTTPServerTransport, buildV2, false)),
  },
  { name: 'v1 web transport in Hono', era: legacy, answers: 'json', start: overHono(webTransport(WebV1, buildV1, json)) },
  { name: 'v2 web transport in Hono', era: legacy, answers: 'json', start: overHono(webTransport(WebV2, buildV2, json)) },
  {
    name: 'v1 Node transport behind node()',
    era: legacy,
    answers: 'json',
    start: (options) => {
      const waybill = layer(options);
      const guarded = waybill.node(nodeTransport(StreamableHTTPServerTransport, buildV1, json)(waybill));
      return listen((request, response) => void guarded(request, response));
    },
  },
  {
    name: 'v1 Node transport behind Express and node() as middleware',
    era: legacy,
    answers: 'json',
    parses: true,
    start: overExpress((app, waybill) => {
      const handle = nodeTransport(StreamableHTTPServerTransport, buildV1, json)(waybill);
      app.post('/mcp', waybill.node(), (request: any, response: any) => void handle(request, response, request.body));
    }),
  },
  {
    name: 'createMcpHandler in Fastify, which parses the body',
    era: modern,
    answers: 'json',
    parses: true,
    start: overFastify((app, waybill) => {
      const handle = waybill.node(toNodeHandler(createMcpHandler(waybill.attach(buildV2), { keepAliveMs: 0 })));
      app.post('/mcp', (request, reply) => {
        reply.hijack();
        return handle(request.raw, reply.raw, request.body);
      });
    }),
  },
  {
    name: 'createMcpHandler in Fastify, which leaves the body to the edge',
    era: modern,
    answers: 'json',
    start: overFastify((app, waybill) => {
      const handle = waybill.node(toNodeHandler(createMcpHandler(waybill.attach(buildV2), { keepAliveMs: 0 })));
      app.addContentTypeParser('application/json', (_request, _body, done) => done(null));
      app.post('/mcp', (request, reply) => {
        reply.hijack();
        return handle(request.raw, reply.raw, request.body);
      });
    }),
  },
  {
    name: 'v1 Node transport in Fastify, which leaves the body to the edge',
    era: legacy,
    answers: 'json',
    start: overFastify((app, waybill) => {
      const handle = waybill.node(nodeTransport(StreamableHTTPServerTransport, buildV1, json)(waybill));
      app.addContentTypeParser('application/json', (_request, _body, done) => done(null));
      app.post('/mcp', (request, reply) => {
        reply.hijack();
        return handle(request.raw, reply.raw, request.body);
      });
    }),
  },
];
