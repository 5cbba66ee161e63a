import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
// #region context
import { contextOf, serverContext } from 'waybill/server';

const waybill = serverContext({
  tools: {
    book: { requires: { elicitation: { form: {} } }, otherwise: 'book_by_text' },
  },
  filter: 'declared', // leave tools out of the list that this client cannot serve
});
// #endregion

function buildServer() {
  const server = new McpServer({ name: 'hotel', version: '1.0.0' });
  server.registerTool('book', { description: 'Asks for the dates in a form' }, () => ({ content: [] }));
  server.registerTool('book_by_text', { description: 'Takes the dates as text' }, () => ({ content: [] }));
  // #region inside
  server.registerTool('summary', {}, (ctx) => {
    const { capabilities } = contextOf(ctx);
    const text = capabilities.can('sampling') ? 'The model writes it.' : 'A list of facts.';
    return { content: [{ type: 'text', text }] };
  });
  // #endregion
  return server;
}

// #region test
import assert from 'node:assert/strict';
import { callTool } from 'waybill/testing';

const handler = waybill.http(createMcpHandler(waybill.attach(buildServer)));
const refused = await callTool(handler, 'book', {}, {});
assert.equal(refused.error?.code, -32021);
const booked = await callTool(handler, 'book', {}, { capabilities: { elicitation: { form: {} } } });
assert.equal(booked.error, undefined);
// #endregion
const factual = await callTool(handler, 'summary', {}, {});
assert.match(JSON.stringify(factual.result), /facts/);

// #region client
import { clientContext } from 'waybill/client';

const client = clientContext({ tools: { unmet: 'disable' } }); // keep such a tool in the list, marked with the reason
// #endregion
assert.ok(client);
