import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as time from '@waybill/time';
import { contextOf, serverContext } from 'waybill/server';
import { z } from 'zod';

const waybill = serverContext({ languages: ['en', 'de'], time, onIssue: console.warn });

function buildServer() {
  const server = new McpServer({ name: 'calendar', version: '1.0.0' });
  server.registerTool('day', { inputSchema: z.object({ phrase: z.string() }) }, ({ phrase }, ctx) => {
    const { environment, format } = contextOf(ctx);
    const start = environment.range(phrase)?.start; // in the user's zone and language, by the user's clock
    const text = start ? format.date(start, { weekday: 'long', day: 'numeric', month: 'long' }) : 'No date in this.';
    return { content: [{ type: 'text', text }] };
  });
  return server;
}

serveStdio(waybill.attach(buildServer), waybill.stdio());
