import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
// #region context
import { catalogs, contextOf, serverContext } from 'waybill/server';

const en = {
  found: '{count, plural, =0 {Nothing found} one {One room} other {# rooms}} until {until, date, long}',
  full: 'No room is free.',
};
const de = {
  found: '{count, plural, =0 {Nichts gefunden} one {Ein Zimmer} other {# Zimmer}} bis {until, date, long}',
  full: 'Es ist kein Zimmer frei.',
  tools: { rooms: { title: 'Zimmer suchen' } },
};
const waybill = serverContext({ catalogs: await catalogs({ en, de }, { default: 'en' }) });
// #endregion

function buildServer() {
  const server = new McpServer({ name: 'hotel', version: '1.0.0' });
  // #region tool
  server.registerTool('rooms', { title: 'Find rooms' }, (ctx) => {
    const { t, display } = contextOf(ctx);
    const rooms = [101, 102, 207];
    if (rooms.length === 0) throw display.error('full');
    return { content: [{ type: 'text', text: t('found', { count: rooms.length, until: Date.UTC(2026, 10, 30) }) }] };
  });
  // #endregion
  return server;
}

// #region test
import assert from 'node:assert/strict';
import { callTool, matrix } from 'waybill/testing';

const { result, language } = await callTool(waybill.attach(buildServer), 'rooms', {}, { language: 'de-AT' });
assert.deepEqual(result?.['content'], [{ type: 'text', text: '3 Zimmer bis 30. November 2026' }]);
assert.equal(language, 'de');

const rows = await matrix(waybill.attach(buildServer), 'rooms', {}, { language: ['en', 'de', 'fr'] });
assert.deepEqual(
  rows.map(({ outcome }) => outcome.language),
  ['en', 'de', 'en'], // nobody wrote French
);
// #endregion

// #region guard
import { coverage, describeCoverage, extractStrings, guardLanguages } from 'waybill/server/tools';

const handler = waybill.http(createMcpHandler(waybill.attach(buildServer)));
async function ask(method: string, params: object, language?: string): Promise<unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'check', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(language !== undefined && { 'io.modelcontextprotocol/acceptLanguage': language }),
  };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const answer = (await (await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))).json()) as {
    result?: unknown;
  };
  return answer.result;
}
assert.deepEqual(await guardLanguages(ask, ['en', 'de']), []); // only texts differ, never names or schemas
const { entries } = await extractStrings(ask);
const report = await coverage({ en, de }, { default: 'en', extracted: entries });
console.log(describeCoverage(report));
// #endregion
