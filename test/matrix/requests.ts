/** Requests of either revision, as bytes and lines. */
import { keys } from 'waybill';
import type { Kind } from './servers.js';
import { post, type Answer } from './socket.js';

export interface Asking {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly meta?: Record<string, unknown>;
  readonly capabilities?: unknown;
  /** Header lines as they are: `Accept-Language: fr`. */
  readonly lines?: readonly string[];
  /** Members beside `params`. */
  readonly beside?: Record<string, unknown>;
  readonly id?: unknown;
}

const BASE = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];

export function tool(name: string, asking: Asking = {}): Asking {
  return { ...asking, method: 'tools/call', params: { name, arguments: {}, ...asking.params } };
}

export function ask(kind: Pick<Kind, 'era'>, port: number, asking: Asking): Promise<Answer> {
  const { method = 'tools/list', params = {}, meta = {}, capabilities = {}, lines = [], beside = {}, id = 1 } = asking;
  const isModern = kind.era === 'modern';
  const envelope = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: capabilities };
  const _meta = isModern ? { ...envelope, ...meta } : meta;
  const body = { jsonrpc: '2.0', id, method, params: { ...params, ...(Object.keys(_meta).length > 0 && { _meta }) }, ...beside };
  const name = params['name'] ?? params['uri'];
  const mirrored = [
    'MCP-Protocol-Version: 2026-07-28',
    `Mcp-Method: ${method}`,
    ...(name === undefined ? [] : [`Mcp-Name: ${name as string}`]),
  ];
  const own = isModern ? mirrored.filter((line) => !lines.some((other) => nameOf(other) === nameOf(line))) : [];
  return post(port, [...BASE, ...own, ...lines], JSON.stringify(body));
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':')).toLowerCase();

/** The answer itself: the last message. */
export function last(answer: Answer): any {
  return answer.messages.at(-1);
}

export const textOf = (answer: Answer): unknown => last(answer).result?.content?.[0]?.text;
