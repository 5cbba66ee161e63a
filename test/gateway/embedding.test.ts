/** The gateway inside a program: clients that go away, and faults of the program's own callbacks. */
import { expect, test } from 'vitest';
import { ENVELOPE, modern, MODERN, modernWeb, open, say } from './raw.js';
import { eventually } from '../support/eventually.js';

test('the handler for embedding rejects if its client goes away before the answer begins', async () => {
  const gone = new AbortController();
  const url = await modernWeb(() => gone.abort());
  const gateway = await open({ s: { url } });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: ENVELOPE } });
  const headers = { 'content-type': 'application/json', 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
  const request = new Request('http://127.0.0.1/s/mcp', { method: 'POST', headers, body, signal: gone.signal });
  await expect(gateway.fetch(request)).rejects.toThrow('The client went away');
});

test('a listener of the program that throws is reported, and breaks nothing', async () => {
  const lines: string[] = [];
  const onExchange = (): never => {
    throw new Error('a fault of the listener');
  };
  const url = await modernWeb((message, response) => say(response, message, { resultType: 'complete', tools: [] }));
  const { base } = await open({ s: { url } }, {}, { onExchange, log: (line) => void lines.push(line) });
  for (let n = 0; n < 2; n++) expect((await modern(`${base}/mcp`, 'tools/list')).status).toBe(200);
  await eventually(() => expect(lines.filter((line) => line === 'onExchange: Error: a fault of the listener')).toHaveLength(2));
});
