import assert from 'node:assert/strict';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import fastify from 'fastify';
import { callTool, matrix } from 'waybill/testing';

// #region attach
// #region standalone
import { contextOf, serverContext } from 'waybill/server';
// #endregion
// #endregion

// #region standalone

const alone = serverContext({ languages: ['en', 'de'] });
const service = { fetch: alone.http(handle, { standalone: true }) };

async function handle(request: Request): Promise<Response> {
  const { id } = (await request.json()) as { id: number };
  const text = contextOf().language.chosen;
  return Response.json({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
}
// #endregion
assert.equal(typeof service.fetch, 'function');

// #region time
import * as time from '@waybill/time';

// #region attach
const waybill = serverContext({ time, languages: ['en', 'fr', 'de'] });
// #endregion
// #endregion

// #region attach
function buildServer() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('report', {}, (ctx) => {
    const { language, environment } = contextOf(ctx);
    return { content: [{ type: 'text', text: `${language.chosen}, ${environment.timezone}` }] };
  });
  return server;
}

const handler = waybill.http(createMcpHandler(waybill.attach(buildServer)));
// #endregion
assert.ok(handler.fetch);

const app = fastify();
// #region fastify
const listener = waybill.node(toNodeHandler(createMcpHandler(waybill.attach(buildServer))));
app.addContentTypeParser('application/json', (_request, _body, done) => {
  done(null);
});
app.post('/mcp', (request, reply) => {
  reply.hijack();
  return listener(request.raw, reply.raw, request.body);
});
// #endregion
await app.close();

// #region needs
const needs = serverContext({
  tools: {
    book: { requires: { elicitation: { form: {} } }, otherwise: 'book_by_text' },
  },
  filter: 'declared',
});
// #endregion
assert.ok(needs);

// #region testing
const { result, language } = await callTool(
  waybill.attach(buildServer),
  'report',
  {},
  {
    language: 'de-AT',
    timezone: 'Asia/Tokyo',
    now: '2026-01-01T09:00:00+09:00', // the user's clock; it stands still
    capabilities: { elicitation: { form: {} } },
    state: { session: { cart: ['a'] } }, // also declares a client that keeps state
  },
);
const contexts = { language: ['en', 'de'], timezone: ['UTC', 'Asia/Tokyo'] };
for (const { context, outcome } of await matrix(waybill.attach(buildServer), 'report', {}, contexts))
  assert.equal(outcome.language, context.language);
// #endregion
assert.deepEqual([result?.['content'], language], [[{ type: 'text', text: 'de, Asia/Tokyo' }], 'de']);
