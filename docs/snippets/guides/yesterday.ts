import { McpServer } from '@modelcontextprotocol/server';
// #region context
import * as time from '@waybill/time';
import { contextOf, serverContext } from 'waybill/server';
import { z } from 'zod';

const waybill = serverContext({
  languages: ['en', 'de'],
  time,
  environment: { timezone: 'Europe/Vienna', prefer: 'past' }, // for clients that send no zone; "March" is last March
});
// #endregion

const asked: [string, string][] = [];
function salesBetween(from: string, to: string): number {
  asked.push([from, to]);
  return 1200.5;
}

function buildServer() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  // #region tool
  server.registerTool('sales', { inputSchema: z.object({ period: z.string() }) }, ({ period }, ctx) => {
    const { environment, format } = contextOf(ctx);
    const { start, end } = environment.range(period) ?? {};
    if (start === undefined || end === undefined) {
      const text = `"${period}" names no closed period. Today is ${format.date(environment.now, 'full')}.`;
      return { isError: true, content: [{ type: 'text', text }] }; // the model asks again, with dates
    }
    // Half-open, in UTC: WHERE sold_at >= $1 AND sold_at < $2
    const sum = salesBetween(new Date(start.epochMilliseconds).toISOString(), new Date(end.epochMilliseconds).toISOString());
    return { content: [{ type: 'text', text: `${format.period({ start, end }, 'long')}: ${format.currency(sum, 'EUR')}` }] };
  });
  // #endregion
  return server;
}

// #region test
import assert from 'node:assert/strict';
import { callTool } from 'waybill/testing';

const vienna = { language: 'de-AT', timezone: 'Europe/Vienna', now: '2026-10-26T09:00:00+01:00' };
const { result } = await callTool(waybill.attach(buildServer), 'sales', { period: 'gestern' }, vienna);
// 25 October 2026 has 25 hours in Vienna.
assert.deepEqual(asked.pop(), ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
assert.deepEqual(result?.['content'], [{ type: 'text', text: '25. Oktober 2026: 1.200,50\u00a0€' }]);
// #endregion

const unclear = await callTool(waybill.attach(buildServer), 'sales', { period: 'soon' }, vienna);
assert.equal(unclear.result?.['isError'], true);
const bare = await callTool(waybill.attach(buildServer), 'sales', { period: 'March' }, {});
assert.match(JSON.stringify(bare.result), /March|March 1/);
