// The shop on SDK v1: one transport and one server for each session, as its documentation shows it.
import { randomUUID } from 'node:crypto';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitResultSchema, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { INFO, PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './server.tools.js';

export function build() {
  const server = new McpServer(INFO);
  for (const [name, { input = {}, run, ...rest }] of Object.entries(TOOLS))
    server.registerTool(name, { ...rest, inputSchema: input }, (args, extra) => run(args, ioOf(extra)));
  for (const [name, { run, ...rest }] of Object.entries(PROMPTS)) server.registerPrompt(name, rest, (extra) => run({}, ioOf(extra)));
  for (const [name, { uri, run, ...rest }] of Object.entries(RESOURCES))
    server.registerResource(name, uri, rest, (url, extra) => run(url.href, ioOf(extra)));
  for (const [name, { template, run, ...rest }] of Object.entries(TEMPLATES)) {
    const pattern = new ResourceTemplate(template, { list: undefined });
    server.registerResource(name, pattern, rest, (url, values, extra) => run(url.href, ioOf(extra), values));
  }
  return server;
}

function ioOf(extra) {
  return {
    ctx: extra,
    meta: extra._meta,
    progress: async (progress, total, message) => {
      const progressToken = extra._meta?.progressToken;
      if (progressToken === undefined) return;
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
    },
    ask: async (_key, form) => {
      // HTTP without a session: the answer could not come back.
      if (extra.requestInfo !== undefined && extra.sessionId === undefined) return { impossible: true };
      const { content } = await extra.sendRequest({ method: 'elicitation/create', params: { mode: 'form', ...form } }, ElicitResultSchema);
      return { content };
    },
  };
}

const UNKNOWN_SESSION = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } });

export function httpHandler(waybill, factory) {
  const open = new Map();
  const close = () => [...open.values()].forEach((transport) => void transport.close());
  const listener = waybill.node(async (request, response, body) => {
    const session = request.headers['mcp-session-id'];
    const known = open.get(session);
    if (known !== undefined) return known.handleRequest(request, response, body);
    // The client begins a new session when it gets this.
    if (session !== undefined) return void response.writeHead(404, { 'Content-Type': 'application/json' }).end(UNKNOWN_SESSION);
    if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'POST' }).end();
    // A client may come without a session: its request is served alone, and its capabilities are unknown.
    const stateful = isInitializeRequest(body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: stateful ? randomUUID : undefined,
      onsessioninitialized: (id) => void open.set(id, transport),
    });
    transport.onclose = () => void open.delete(transport.sessionId);
    await waybill.attach(factory()).connect(transport);
    await transport.handleRequest(request, response, body);
  });
  return Object.assign(listener, { close });
}

export const serveStdin = (waybill, factory) => waybill.attach(factory()).connect(waybill.stdio().transport);
