import assert from 'node:assert/strict';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
// #region context
import { contextOf, serverContext } from 'waybill/server';
import * as time from '@waybill/time'; // only with @waybill/time

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone; // the zone of the server, as before
const waybill = serverContext({ languages: ['en'], environment: { timezone }, time, onIssue: console.warn });
// #endregion
const server = new McpServer({ name: 'clock', version: '1.0.0' });
server.registerTool('TOOL', { inputSchema: z.object({ ARG: z.string() }) }, ({ ARG }, ctx) => {
  const { environment, format } = contextOf(ctx);
  return { content: [{ type: 'text', text: `${ARG}: ${format.dateTime(environment.now)}` }] };
});

// #region test
import { callTool } from 'waybill/testing';

const { result, language } = await callTool(
  waybill.attach(server),
  'TOOL',
  { ARG: 'VALUE' },
  { language: 'de-AT', timezone: 'Asia/Tokyo', now: '2027-01-01T05:00:00+09:00' },
);
// #endregion
assert.match(JSON.stringify(result), /VALUE: Jan 1, 2027, 5:00/);
assert.equal(language, undefined); // no text of the tool depends on the language
