// The hook: a real client and a real server of SDK v2, in memory, and everything that crosses between them.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { writeRequest, hookTransport } from 'waybill/adapter';
import { compare, say, table } from './print.mjs';

export const title = 'One hook, every message';

export async function show() {
  const seen = [];
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('hello', { description: 'Greets' }, async (ctx) => {
    const language = ctx.mcpReq._meta?.['io.modelcontextprotocol/acceptLanguage'];
    return { content: [{ type: 'text', text: language === 'fr' ? 'Bonjour' : 'Hello' }] };
  });
  const call = async (hooks) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'tour', version: '1' });
    await server.connect(far);
    await client.connect(hookTransport(near, hooks));
    const { content } = await client.callTool({ name: 'hello', arguments: {} });
    await client.close();
    return content[0].text;
  };
  const bare = await call({});
  const hooked = await call({
    request: (message) => writeRequest(message, { language: 'fr' }),
    observers: new Set([
      () => (exchange) => seen.push([exchange.method, exchange.outcome, JSON.stringify(exchange.request.params?._meta ?? {})]),
    ]),
  });
  compare({ call: 'callTool("hello"), the same client code twice', without: bare, withContext: hooked, because: seen.at(-1)[2] });
  say('\n  What an observer saw:');
  table(['request', 'ended with', '_meta as it crossed'], seen);
}
