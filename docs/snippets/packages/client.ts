import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import server from './server.js';

const client = new Client({ name: 'assistant', version: '1.0.0' });
const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => server.fetch(new Request(url, init));
const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch });
// #region client
import { clientContext } from 'waybill/client';

const waybill = clientContext({ language: ['fr-CH', 'fr'], environment: { timezone: 'auto', locale: 'auto' } });
await client.connect(waybill.attach(transport));
// #endregion
const result = await client.callTool({ name: 'opening' });
assert.equal(waybill.languageOf(result), 'fr');
await client.close();
