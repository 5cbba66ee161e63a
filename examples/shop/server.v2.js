// The shop on SDK v2: one factory for both revisions, over HTTP and stdio.
import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { INFO, PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './server.tools.js';

export function build() {
  const server = new McpServer(INFO);
  for (const [name, { input = {}, run, ...rest }] of Object.entries(TOOLS))
    server.registerTool(name, { ...rest, inputSchema: z.object(input) }, (args, ctx) => run(args, ioOf(ctx)));
  for (const [name, { run, ...rest }] of Object.entries(PROMPTS)) server.registerPrompt(name, rest, (ctx) => run({}, ioOf(ctx)));
  for (const [name, { uri, run, ...rest }] of Object.entries(RESOURCES))
    server.registerResource(name, uri, rest, (url, ctx) => run(url.href, ioOf(ctx)));
  for (const [name, { template, run, ...rest }] of Object.entries(TEMPLATES)) {
    const pattern = new ResourceTemplate(template, { list: undefined });
    server.registerResource(name, pattern, rest, (url, values, ctx) => run(url.href, ioOf(ctx), values));
  }
  return server;
}

function ioOf(ctx) {
  const { _meta, envelope, notify, inputResponses } = ctx.mcpReq;
  return {
    ctx,
    meta: _meta,
    progress: async (progress, total, message) => {
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined)
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
    },
    // The tool runs twice: it asks in its result, and is called again with the answer. On the old revision the SDK sends a request.
    ask: async (key, form) => {
      const content = acceptedContent(inputResponses, key);
      if (inputResponses !== undefined) return { content };
      // The old revision over HTTP without a session: the answer could not come back.
      if (ctx.http !== undefined && envelope === undefined && ctx.sessionId === undefined) return { impossible: true };
      return { pending: inputRequired({ inputRequests: { [key]: inputRequired.elicit(form) } }) };
    },
  };
}

export const httpHandler = (waybill, factory) => toNodeHandler(waybill.http(createMcpHandler(waybill.attach(factory))));

export const serveStdin = (waybill, factory) => serveStdio(waybill.attach(factory), waybill.stdio());
