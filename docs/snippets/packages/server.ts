import assert from 'node:assert/strict';
import { callTool } from 'waybill/testing';
// #region server
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { contextOf, serverContext } from 'waybill/server';

const waybill = serverContext({ languages: ['en', 'fr'] });

function buildServer() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('opening', {}, (ctx) => {
    const { language, format } = contextOf(ctx); // and environment, state, trace, capabilities
    const opens = format.date(Date.UTC(2026, 10, 19), 'full');
    return { content: [{ type: 'text', text: language.chosen === 'fr' ? `Ouvert dès le ${opens}` : `Open from ${opens}` }] };
  });
  return server;
}

const handler = waybill.http(createMcpHandler(waybill.attach(buildServer)));
export default handler;
// #endregion
const { result } = await callTool(handler, 'opening', {}, { language: 'fr' });
assert.deepEqual(result?.['content'], [{ type: 'text', text: 'Ouvert dès le jeudi 19 novembre 2026' }]);
