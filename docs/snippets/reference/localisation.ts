import assert from 'node:assert/strict';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { callTool } from 'waybill/testing';

const en = { booked: '{seats, plural, one {# seat} other {# seats}}: {sum}, until {until, date, long}', until: 'until {day, date, long}' };

// #region catalogs
import { catalogs, contextOf, serverContext } from 'waybill/server';

const words = await catalogs({ en, de: {} }, { default: 'en' }); // or catalogFolder('./locales', …) of waybill/server/node
const waybill = serverContext({ catalogs: words });
// #endregion

const tomorrow = Date.UTC(2026, 10, 20);
const server = new McpServer({ name: 'cinema', version: '1.0.0' });
// #region tool
server.registerTool('book', { title: 'Book', inputSchema: z.object({ seats: z.number() }) }, ({ seats }, ctx) => {
  const { t, format } = contextOf(ctx);
  const text = t('booked', { seats, sum: format.currency(seats * 12.5, 'EUR'), until: tomorrow });
  return { content: [{ type: 'text', text }] };
});
// #endregion
const { result } = await callTool(waybill.attach(server), 'book', { seats: 2 }, { language: 'en' });
assert.match(JSON.stringify(result), /2 seats: €25.00, until November 20, 2026/);

// #region period
function said(ctx: object, text: string): string {
  const { environment, format, t } = contextOf(ctx);
  const { start, end } = environment.range(text) ?? {};
  if (start !== undefined && end !== undefined) return format.period({ start, end });
  if (end !== undefined) return t('until', { day: end.epochMilliseconds - 1 }); // "until": "until {day, date, long}"
  return t('unknown');
}
// #endregion
assert.ok(said);

// #region translate
const more = serverContext({
  catalogs: words,
  localise: { translate: ['tools.book.description', 'tools.*.inputSchema.*', 'server.instructions'] },
});
// #endregion
assert.ok(more);

const build = (): McpServer => new McpServer({ name: 'cinema', version: '1.0.0' }, { capabilities: { tools: {} } });
const handler = waybill.http(createMcpHandler(waybill.attach(build)));
assert.ok(handler);

// #region lists
import { listCache } from 'waybill/server';

const lists = listCache({ public: true }); // the same for everybody; or with listKey: ({ headers, authInfo }) => …
const cached = serverContext({ catalogs: words, lists });
// #endregion
assert.ok(cached);
