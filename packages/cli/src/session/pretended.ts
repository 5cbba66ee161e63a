/** Answers in place of a server, for a preview: enough that a client connects and sends its request. */
import type { Crossing } from './wire.js';

type Message = Crossing['message'];

const SERVER = { serverInfo: { name: 'nobody', version: '0' }, capabilities: { tools: {}, resources: {}, prompts: {} } };

/** The answer to one message; nothing for a notification. */
export function pretended({ id, method, params }: Message): Message | undefined {
  if (id === undefined) return undefined;
  const { protocolVersion } = (params ?? {}) as { protocolVersion?: string };
  const results: Readonly<Record<string, object>> = {
    initialize: { ...SERVER, protocolVersion },
    'server/discover': { ...SERVER, supportedVersions: ['2026-07-28'], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    'tools/call': { content: [], resultType: 'complete' },
    'prompts/get': { messages: [], resultType: 'complete' },
    'resources/read': { contents: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
  };
  return { jsonrpc: '2.0', id, result: results[String(method)] ?? {} };
}
