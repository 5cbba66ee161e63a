/** A server of either SDK with the layer on it, called with messages as a transport carries them. */
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport as MemoryV2, McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type Sdk = 'v1' | 'v2';
export const SDKS: readonly Sdk[] = ['v1', 'v2'];
type Message = Record<string, any>;
type Tool = (ctx: any, args: any) => unknown;

export interface Rig {
  readonly server: any;
  /** Every message that came out, in order. */
  readonly out: Message[];
  /** Sends a request and returns its answer. */
  ask(method: string, params?: Message, beside?: Message): Promise<Message>;
  call(name: string, meta?: unknown, args?: Message): Promise<Message>;
  send(message: Message): Promise<void>;
  close(): Promise<void>;
}

const INFO = { name: 'rig', version: '1.0.0' };

export function buildServer(sdk: Sdk, tools: Record<string, Tool>): any {
  const server: any = sdk === 'v1' ? new McpServerV1(INFO) : new McpServerV2(INFO);
  for (const [name, run] of Object.entries(tools)) {
    const inputSchema = sdk === 'v1' ? {} : z.looseObject({});
    server.registerTool(name, { inputSchema }, async (args: any, ctx: any) => run(ctx, args));
  }
  return server;
}

export async function openRig(sdk: Sdk, tools: Record<string, Tool>, attach: (server: any) => any): Promise<Rig> {
  const server = attach(buildServer(sdk, tools));
  const [near, far] = (sdk === 'v1' ? MemoryV1 : MemoryV2).createLinkedPair() as [any, any];
  const out: Message[] = [];
  const waiting = new Map<unknown, (answer: Message) => void>();
  near.onmessage = (message: Message) => {
    out.push(message);
    if (message['method'] === undefined) waiting.get(message['id'])?.(message);
  };
  await server.connect(far);
  await near.start();
  let next = 0;
  const ask = (method: string, params?: Message, beside: Message = {}): Promise<Message> =>
    new Promise((resolve) => {
      const id = ++next;
      waiting.set(id, resolve);
      void near.send({ jsonrpc: '2.0', id, method, ...(params && { params }), ...beside });
    });
  return {
    server,
    out,
    ask,
    call: (name, meta, args = {}) => ask('tools/call', { name, arguments: args, ...(meta !== undefined && { _meta: meta }) }),
    send: (message) => near.send(message),
    close: () => near.close(),
  };
}

export const text = (value: unknown): any => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined') }],
});
export const textOf = (answer: Message): any => answer['result']?.content?.[0]?.text;
