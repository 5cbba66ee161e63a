#!/usr/bin/env node
// SDK v2: the client's response cache ignores `io.modelcontextprotocol/acceptLanguage`, so a list comes back in the wrong language.
//   node cache-language.mjs     needs @modelcontextprotocol/client and /server 2.x; exit code 1 while the fault is there
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const ACCEPT = 'io.modelcontextprotocol/acceptLanguage';
let lists = 0;

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.server.setRequestHandler('tools/list', (request) => {
    lists++;
    const title = request.params?._meta?.[ACCEPT] === 'de' ? 'Suchen' : 'Search';
    return { tools: [{ name: 'search', title, inputSchema: { type: 'object' } }], ttlMs: 60_000, cacheScope: 'private' };
  });
  return server;
});
const fetch = (url, init) => handler.fetch(new Request(url, init));

const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
const titleIn = async (language) => (await client.listTools({ _meta: { [ACCEPT]: language } })).tools[0].title;

const [english, german] = [await titleIn('en'), await titleIn('de')];
await client.close();
console.log(`asked for en: ${english}\nasked for de: ${german}   (${lists} of 2 requests reached the server)`);
process.exitCode = german === 'Suchen' ? 0 : 1;
