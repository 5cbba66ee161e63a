/** A worker: it is bundled, and runs under workerd with a Durable Object for each session. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpAgent } from 'agents/mcp';
import { serverContext } from 'waybill/server';
import { OPTIONS, seen } from './seen.mjs';

const waybill = serverContext(OPTIONS);

export class Agent extends McpAgent {
  server = waybill.attach(new McpServer({ name: 'agent', version: '1.0.0' }));
  async init() {
    this.server.registerTool('showContext', {}, (ctx) => ({ content: [{ type: 'text', text: seen(ctx) }] }));
  }
}

const handler = Agent.serve('/mcp', { binding: 'AGENT' });
export default {
  fetch: (request, env, ctx) => waybill.http((rebuilt) => handler.fetch(rebuilt, env, ctx), { rebuild: true })(request),
};
