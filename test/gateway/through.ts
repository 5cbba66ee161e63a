/** Journeys through the gateway: any client, any server, HTTP or stdio on either side. */
import { fileURLToPath } from 'node:url';
import { createGateway, type Gateway, type GatewayOptions } from '@waybill/gateway';
import { httpTransport, peerOf, stdioTransport, type ClientKind, type Peer } from '../journeys/clients.js';
import { serveHttp } from '../journeys/fixtures/serve.mjs';
import type { Journey, ServerKind, TransportKind } from '../journeys/harness.js';
import { Recorder, type Message } from '../journeys/wire.js';

export interface Way {
  readonly client: ClientKind;
  readonly server: ServerKind;
  /** The way from the client to the gateway. */
  readonly front: 'http' | 'stdio';
  /** The way from the gateway to the server. */
  readonly back: 'http' | 'stdio';
  readonly revision?: string;
}

export const STDIO_SERVER = fileURLToPath(new URL('../journeys/fixtures/stdio.mjs', import.meta.url));
export const BIN = fileURLToPath(new URL('../../packages/gateway/dist/bin.js', import.meta.url));

export async function startGateway(config: object, options: GatewayOptions = {}): Promise<Gateway & { base: string }> {
  const gateway = await createGateway({ listen: '127.0.0.1:0', store: 'memory', ...config }, options);
  return Object.assign(gateway, { base: await gateway.listen() });
}

/** Opens a journey through a gateway with these settings for its upstream. */
export async function openThrough(way: Way, settings: Message = {}): Promise<Journey> {
  const served = way.back === 'http' ? await serveHttp(way.server) : undefined;
  const target = served ? { url: served.url.href } : { command: [process.execPath, STDIO_SERVER, way.server] };
  const upstream = { ...target, ...(way.revision && { revision: way.revision }), ...settings };
  const client = peerOf(way.client);
  const recorder = new Recorder();
  let close = async (): Promise<void> => served?.close();
  let transport: unknown;
  if (way.front === 'http') {
    const gateway = await startGateway({ identity: { single: true }, upstreams: { features: upstream } });
    transport = httpTransport(way.client, new URL('/features/mcp', gateway.base), recorder.fetch());
    close = async () => {
      await gateway.close();
      await served?.close();
    };
  } else {
    const args = served ? [served.url.href] : ['--', ...(target.command as string[])];
    transport = stdioTransport(way.client, [BIN, '--stdio', ...args]);
  }
  await client.connect(transport, { timeout: 15_000 });
  if (way.front === 'http' && client.era() === 'legacy') await recorder.standalone;
  return journeyOf(client, way, recorder, close);
}

function journeyOf(client: Peer, way: Way, recorder: Recorder, close: () => Promise<void>): Journey {
  const transport: TransportKind = way.front === 'http' ? 'http-sse' : 'stdio';
  return {
    // The scenario skips what a server without sessions cannot do. Behind the gateway every legacy client has a session.
    cell: { client: way.client, server: way.server === 'v2' ? 'v1' : way.server, transport },
    client,
    transport: undefined,
    wire: () => recorder,
    probe: () => undefined,
    close: async () => {
      await client.close();
      await close();
    },
  };
}
