// @ts-check
// The server of client-http.mjs, a process of its own: SDK v2 over HTTP, one tool. Tells its port, and its CPU time when asked.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { cpuTime } from '../harness.mjs';

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('echo', { description: 'x' }, async () => ({ content: [] }));
    return server;
  },
  { responseMode: 'auto' },
);
const listener = toNodeHandler(handler);
const http = createServer((request, response) => void listener(/** @type {any} */ (request), response));
http.listen(0, '127.0.0.1', () => process.send?.({ port: /** @type {import('node:net').AddressInfo} */ (http.address()).port }));
process.on('message', () => process.send?.({ cpu: cpuTime() }));
process.on('disconnect', () => process.exit(0));
