// A real server on loopback HTTP and a real client of SDK v2, for a chapter of the tour.
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';

/** Serves the servers of the factory, through the layer if there is one, on a free port. */
export async function serve(factory, layer) {
  const handler = createMcpHandler(layer ? layer.attach(factory) : factory);
  const listener = createServer(toNodeHandler(layer ? layer.http(handler) : handler));
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${listener.address().port}/mcp`);
  return {
    url,
    async close() {
      listener.closeAllConnections();
      await Promise.all([new Promise((resolve) => listener.close(resolve)), handler.close()]);
    },
  };
}

/** A connected client; with a layer, every request carries its context. */
export async function connect(url, layer, options) {
  const client = new Client(
    { name: 'tour', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: {}, ...layer?.clientOptions() },
  );
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(layer ? layer.attach(transport, options) : transport);
  return client;
}

export const text = (result) => result.content.map((part) => part.text).join(' ');
