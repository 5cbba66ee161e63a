/** The `mcpServers` file that hosts have, as upstreams. */
import { isObject, own, type JsonRecord } from '../json/values.js';
import type { Problem } from './problem.js';

export function isHostFile(value: unknown): boolean {
  return isObject(own(value, 'mcpServers'));
}

export function upstreamsOfHosts(value: unknown, problems: Problem[]): JsonRecord {
  const servers = own(value, 'mcpServers') as JsonRecord;
  const upstreams: JsonRecord = Object.create(null) as JsonRecord;
  for (const [name, server] of Object.entries(servers)) {
    const upstream = upstreamOf(server, ['mcpServers', name], problems);
    const path = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
    if (path in upstreams) problems.push({ path: ['mcpServers', name], text: `has the same path as another one: /${path}/mcp` });
    if (path === '') problems.push({ path: ['mcpServers', name], text: 'has no letters that can stand in an address' });
    if (upstream !== undefined) upstreams[path] = upstream;
  }
  return { upstreams };
}

function upstreamOf(server: unknown, path: readonly string[], problems: Problem[]): JsonRecord | undefined {
  const tell = (text: string): undefined => {
    problems.push({ path, text });
    return undefined;
  };
  if (!isObject(server)) {
    tell('expected an object');
    return;
  }
  const { type, command, args = [], env, cwd, headers } = server;
  const url = server['url'] ?? server['serverUrl'];
  if (type === 'sse') {
    tell('type "sse" (HTTP+SSE) is not supported; ask the server for its Streamable HTTP address (type "http")');
    return;
  }
  if (typeof command === 'string' && Array.isArray(args))
    return { command: [command, ...(args as unknown[])], ...(isObject(env) && { env }), ...(typeof cwd === 'string' && { cwd }) };
  if (typeof url === 'string') return { url, ...(isObject(headers) && { credentials: headers }) };
  tell('expected a command with its args, or a url');
}
