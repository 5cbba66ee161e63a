import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientContext } from 'waybill/client';

const environment = { timezone: 'Europe/Vienna', now: '2026-11-01T00:40:00+01:00' }; // or 'auto' for each
const waybill = clientContext({ language: 'de-AT', environment, onIssue: console.warn });
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(waybill.attach(new StdioClientTransport({ command: 'node', args: ['server.mjs'] })));
console.log(await client.callTool({ name: 'day', arguments: { phrase: 'today' } }).finally(() => client.close()));
