import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, it } from 'vitest';
import type { Issue } from '../wire/issue.js';
import { ACCEPT_LANGUAGE } from '../wire/keys.js';
import { serverContext } from './server.js';

it('D-33: a mismatch that a framework’s transport answers with its own status is reported, with what to write instead', async () => {
  const issues: Issue[] = [];
  const waybill = serverContext({ languages: ['en', 'de'], onIssue: (issue) => issues.push(issue) });
  let answered: (message: any) => void;
  const transport: any = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message: any) => {
      answered(message);
      return Promise.resolve();
    },
  };
  await waybill.attach(new McpServer({ name: 's', version: '1' })).connect(transport);
  const ping = (language: string): Promise<any> =>
    new Promise((resolve) => {
      answered = resolve;
      const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { [ACCEPT_LANGUAGE]: 'de' } } };
      transport.onmessage(message, { requestInfo: { headers: { 'accept-language': language } } });
    });
  expect((await ping('de')).result).toBeDefined();
  expect(issues).toEqual([]);
  expect((await ping('en')).error.code).toBe(-32020);
  expect(issues).toEqual([{ side: 'setup', concern: 'language', key: 'attach', problem: expect.stringContaining('http() or node()') }]);
});
