/** The three kinds of client behind one interface, so that a journey is written once. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2, InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { keys } from 'waybill';
import type { Fetch, Message } from './wire.js';

export type ClientKind = 'v1' | 'v2-legacy' | 'v2-modern' | 'v2-pinned';

export interface CallOptions {
  signal?: AbortSignal;
  timeout?: number;
  onprogress?: (progress: Message) => void;
}
export interface ToolCall {
  name: string;
  arguments?: Message;
  _meta?: Message;
}

/** The functions of both SDKs' clients, in one shape; `sdk` is the client itself. */
export interface Peer {
  readonly sdk: any;
  era(): 'legacy' | 'modern';
  connect(transport: unknown, options?: CallOptions): Promise<void>;
  close(): Promise<void>;
  callTool(call: ToolCall, options?: CallOptions): Promise<Message>;
  /** Returns the whole tool list, page by page; SDK v2 walks the pages itself. */
  allTools(): Promise<Message[]>;
  /** Sends any method, known to the SDK or not. */
  request(method: string, params?: Message, options?: CallOptions): Promise<Message>;
  onNotification(method: string, listener: (params: Message) => void): void;
  onElicit(answer: (params: Message) => Message | Promise<Message>): void;
}

export const CLIENT_INFO = { name: 'journey', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };
const anything = z.looseObject({});

/** `classOf` derives another class from the SDK's client class; most journeys do not use it. */
export function peerOf(kind: ClientKind, options: Message = {}, classOf: (Client: any) => any = (Client) => Client): Peer {
  return kind === 'v1' ? peerV1(options, classOf(ClientV1)) : peerV2(kind, options, classOf(ClientV2));
}

function peerV1(options: Message, Client: typeof ClientV1): Peer {
  const sdk = new Client(CLIENT_INFO, { capabilities, ...options });
  return {
    sdk,
    era: () => 'legacy',
    connect: (transport, given) => sdk.connect(transport as MemoryV1, given),
    close: () => sdk.close(),
    callTool: (call, given) => sdk.callTool(call, undefined, given),
    request: (method, params, given) => sdk.request({ method, ...(params && { params }) }, anything, given),
    onNotification: (method, listener) =>
      sdk.setNotificationHandler(z.object({ method: z.literal(method), params: z.any().optional() }), (notification) => {
        listener((notification.params ?? {}) as Message);
      }),
    onElicit: (answer) => sdk.setRequestHandler(ElicitRequestSchema, (request) => answer(request.params) as never),
    async allTools() {
      const tools: Message[] = [];
      let cursor: string | undefined;
      do {
        const page = await sdk.listTools(cursor === undefined ? undefined : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
  };
}

const MODES = { 'v2-legacy': 'legacy', 'v2-modern': 'auto', 'v2-pinned': { pin: '2026-07-28' } } as const;

function peerV2(kind: Exclude<ClientKind, 'v1'>, options: Message, Client: typeof ClientV2): Peer {
  const sdk = new Client(CLIENT_INFO, { capabilities, versionNegotiation: { mode: MODES[kind] }, ...options });
  return {
    sdk,
    era: () => (sdk.getNegotiatedProtocolVersion() === '2026-07-28' ? 'modern' : 'legacy'),
    connect: (transport, given) => sdk.connect(transport as MemoryV2, given),
    close: () => sdk.close(),
    callTool: (call, given) => sdk.callTool(call, given),
    request: (method, params, given) => sdk.request({ method, ...(params && { params }) }, anything, given as never),
    onNotification: (method, listener) =>
      sdk.setNotificationHandler(method as 'notifications/message', (notification) => {
        listener((notification as Message)['params'] ?? {});
      }),
    onElicit: (answer) => sdk.setRequestHandler('elicitation/create', (request) => answer(request.params) as never),
    allTools: async () => (await sdk.listTools()).tools,
  };
}

export const memoryPair = (sdk: 'v1' | 'v2'): [any, any] => (sdk === 'v1' ? MemoryV1 : MemoryV2).createLinkedPair() as [any, any];

export function stdioTransport(kind: ClientKind, args: string[]): any {
  return new (kind === 'v1' ? StdioV1 : StdioV2)({ command: process.execPath, args, stderr: 'inherit' });
}

export function httpTransport(kind: ClientKind, url: URL, fetch: Fetch): any {
  return new (kind === 'v1' ? HttpV1 : HttpV2)(url, { fetch });
}

/** Node's `fetch` adds the header `*`: a client that writes a preference by hand must set the header too (LANG-40). */
export const mirrored =
  (base: Fetch = fetch): Fetch =>
  (url, init) => {
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Message) : {};
    const language = body['params']?._meta?.[keys.ACCEPT_LANGUAGE];
    const headers = new Headers(init?.headers);
    if (language !== undefined) headers.set('accept-language', language);
    return base(url, { ...init, headers });
  };
