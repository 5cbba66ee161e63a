/** The file in which a host lists its servers, as upstreams: `mcpServers`, or `servers` of VS Code. */
import { isObject, own, type JsonRecord } from '../json/values.js';
import type { Problem } from './problem.js';

export const NO_SSE = 'type "sse" (HTTP+SSE) is not supported; ask the server for its Streamable HTTP address (type "http")';

export interface HostServers {
  readonly member: 'mcpServers' | 'servers';
  readonly servers: JsonRecord;
}

/** Undefined if the file is not one of a host. Its other members are the host's own business. */
export function hostServersOf(value: unknown): HostServers | undefined {
  for (const member of ['mcpServers', 'servers'] as const) {
    const servers = own(value, member);
    if (isObject(servers) && own(value, 'upstreams') === undefined) return { member, servers };
  }
  return undefined;
}

/** Servers that the host does not start are left out. */
export function upstreamsOfHosts({ member, servers }: HostServers, problems: Problem[]): JsonRecord {
  const upstreams: JsonRecord = Object.create(null) as JsonRecord;
  for (const [name, server] of Object.entries(servers)) {
    if (own(server, 'disabled') === true || own(server, 'enabled') === false) continue;
    const upstream = upstreamOfServer(server, [member, name], problems);
    const path = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
    if (path in upstreams) problems.push({ path: [member, name], text: `has the same path as another one: /${path}/mcp` });
    if (path === '') problems.push({ path: [member, name], text: 'has no letters that can stand in an address' });
    if (upstream !== undefined) upstreams[path] = upstream;
  }
  if (Object.keys(upstreams).length === 0 && problems.length === 0)
    problems.push({ path: [member], text: 'has no server that is switched on' });
  return { upstreams };
}

function upstreamOfServer(server: unknown, path: readonly string[], problems: Problem[]): JsonRecord | undefined {
  const tell = (text: string): JsonRecord | undefined => {
    problems.push({ path, text });
    return undefined;
  };
  if (!isObject(server)) return tell('expected an object');
  const { type, command, args = [], env, envFile, cwd, headers } = server;
  const url = server['url'] ?? server['serverUrl'] ?? server['httpUrl'];
  if (type === 'sse') return tell(NO_SSE);
  if (envFile !== undefined) tell('`envFile` is not read; write what is in it as `env`');
  if (typeof command === 'string' && Array.isArray(args))
    return {
      command: [command, ...args.map(textOfWord)],
      ...(isObject(env) && { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, textOfWord(value)])) }),
      ...(typeof cwd === 'string' && { cwd }),
    };
  if (typeof url === 'string') return { url, ...(isObject(headers) && { credentials: headers }) };
  return tell('expected a command with its args, or a url');
}

/** Hosts take numbers and true for texts. */
function textOfWord(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
