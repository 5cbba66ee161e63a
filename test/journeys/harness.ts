/**
 * Journeys: a real client and a real server of either SDK over a real transport, with or without a layer on either side.
 * `open` connects one combination; `CELLS` lists all that exist and `IMPOSSIBLE` says why the others do not.
 */
import { fileURLToPath } from 'node:url';
import { httpTransport, memoryPair, peerOf, stdioTransport, type ClientKind, type Peer } from './clients.js';
import { serveHttp, serveTransport } from './fixtures/serve.mjs';
import { createStage } from './fixtures/stage.mjs';
import { Recorder, WireFiles, type Fetch, type Message, type Wire } from './wire.js';

export type ServerKind = 'v1' | 'v2' | 'wired';
export type TransportKind = 'stdio' | 'http-json' | 'http-sse' | 'memory';
export interface Cell {
  client: ClientKind;
  server: ServerKind;
  transport: TransportKind;
}

/** The places where a layer can reach a client. */
export interface ClientLayer {
  transport?: <T extends object>(transport: T) => T;
  fetch?: (base: Fetch) => Fetch;
  /** A subclass of the SDK's client: a style that misses messages. */
  classOf?: (Client: any) => any;
}
/** The places where a layer can reach a server; see fixtures/serve.mjs. Over stdio it must be a module, for the child process to import. */
export interface ServerLayer {
  server?: <T extends object>(target: T) => T;
  handler?: <T extends object>(handler: T) => T;
  listener?: (listener: any) => any;
  stdin?: (stream: NodeJS.ReadableStream) => NodeJS.ReadableStream;
}
export interface Layers {
  client?: ClientLayer;
  /** The URL of a module whose default export is a `ServerLayer`, or, except over stdio, the layer itself. */
  server?: ServerLayer | URL;
  /** More options for the SDK's client. */
  options?: Message;
}

export interface Journey {
  readonly cell: Cell;
  readonly client: Peer;
  /** The transport the client was connected with. */
  readonly transport: any;
  /** Everything that crossed the wire so far. Over stdio: of the process that serves the session. */
  wire(): Wire;
  /** Over stdio, the wire of the process that was only probed. */
  probe(): Wire | undefined;
  close(): Promise<void>;
}

export const CLIENTS: readonly ClientKind[] = ['v1', 'v2-legacy', 'v2-modern'];
export const SERVERS: readonly ServerKind[] = ['v1', 'v2', 'wired'];
export const TRANSPORTS: readonly TransportKind[] = ['memory', 'http-json', 'http-sse', 'stdio'];

/** Returns why a combination does not exist. A modern client with `v1` or `wired` exists: it falls back. */
export function impossible({ client, server, transport }: Cell): string | undefined {
  if (client === 'v2-pinned' && server !== 'v2')
    return 'only the entries of SDK v2 offer revision 2026-07-28, and a pinned client does not fall back';
  if (server === 'v2' && transport === 'http-json' && (client === 'v1' || client === 'v2-legacy'))
    return 'the legacy leg of createMcpHandler always answers with a stream';
  return undefined;
}

export const CELLS: readonly Cell[] = TRANSPORTS.flatMap((transport) =>
  CLIENTS.flatMap((client) => SERVERS.map((server) => ({ client, server, transport }))),
).filter((cell) => impossible(cell) === undefined);

export const nameOf = ({ client, server, transport }: Cell): string => `${client} client, ${server} server, ${transport}`;

const CONNECT = { timeout: 30_000 };
const CHILD = fileURLToPath(new URL('./fixtures/stdio.mjs', import.meta.url));

export async function open(cell: Cell, layers: Layers = {}): Promise<Journey> {
  const client = peerOf(cell.client, layers.options, layers.client?.classOf);
  const start = { stdio: overStdio, memory: inMemory, 'http-json': overHttp, 'http-sse': overHttp }[cell.transport];
  const { transport, ready, ...rest } = await start(cell, layers);
  const hooked: unknown = layers.client?.transport?.(transport) ?? transport;
  try {
    await client.connect(hooked, CONNECT);
    await ready?.(client);
  } catch (error) {
    await client.close().catch(() => undefined);
    await rest.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await client.close();
    await rest.close();
  };
  return { cell, client, transport: hooked, ...rest, close };
}

interface Started {
  transport: object;
  wire(): Wire;
  probe(): Wire | undefined;
  close(): Promise<void>;
  ready?(client: Peer): Promise<void>;
}

async function overStdio(cell: Cell, layers: Layers): Promise<Started> {
  if (layers.server !== undefined && !(layers.server instanceof URL)) throw new TypeError('over stdio a server layer is a module');
  const files = new WireFiles();
  const transport = stdioTransport(cell.client, [CHILD, cell.server, layers.server?.href ?? '', files.path]);
  return {
    transport,
    wire: () => files.read().at(-1)!,
    probe: () => (files.read().length > 1 ? files.read()[0] : undefined),
    close: async () => files.remove(),
  };
}

async function overHttp(cell: Cell, layers: Layers): Promise<Started> {
  const served = await serveHttp(cell.server, { json: cell.transport === 'http-json', layer: await layerOf(layers.server) });
  const recorder = new Recorder();
  const fetch = layers.client?.fetch?.(recorder.fetch()) ?? recorder.fetch();
  return {
    transport: httpTransport(cell.client, served.url, fetch),
    wire: () => recorder,
    probe: () => undefined,
    close: () => served.close(),
    // A legacy client opens its stream for unsolicited messages after the handshake, in its own time: earlier messages are lost.
    ready: async (client) => (client.era() === 'legacy' ? recorder.standalone : undefined),
  };
}

/** Each SDK's own linked pair, and a bridge between them: so SDKs may differ, and code that changes a message in passing is caught. */
async function inMemory(cell: Cell, layers: Layers): Promise<Started> {
  const recorder = new Recorder();
  const [clientEnd, near] = memoryPair(cell.client === 'v1' ? 'v1' : 'v2');
  const [far, serverEnd] = memoryPair(cell.server === 'v1' ? 'v1' : 'v2');
  bridge(near, far, (message) => recorder.note('sent', message));
  bridge(far, near, (message) => recorder.note('received', message));
  const server = await serveTransport(cell.server, serverEnd, await layerOf(layers.server), createStage());
  return { transport: clientEnd, wire: () => recorder, probe: () => undefined, close: () => server.close() };
}

function bridge(from: any, to: any, note: (message: unknown) => void): void {
  from.onmessage = (message: unknown) => {
    note(message);
    void to.send(frozen(message));
  };
  // Once: SDK v1's pair reports each close.
  from.onclose = () => {
    from.onclose = undefined;
    void to.close();
  };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

async function layerOf(layer: ServerLayer | URL | undefined): Promise<ServerLayer> {
  return layer instanceof URL ? ((await import(/* @vite-ignore */ layer.href)) as { default: ServerLayer }).default : (layer ?? {});
}
