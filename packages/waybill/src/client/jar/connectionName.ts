import { wireOf } from '../../transport/sdk.js';
import type { Issue } from '../../wire/issue.js';
import { isLoopback, nameHttpServer, nameStdioServer, type IdentityOptions, type Named } from './identity.js';
import type { ClientConnection } from '../part.js';

/** STATE-30…39: returns the given identity, or one that can be derived. The rules for hosts apply to both. */
export function nameConnection(connection: ClientConnection, options: IdentityOptions): Named {
  const { server, url, command } = connection;
  if (!connection.seesAnswers) return { refused: 'sends answers that do not pass this client' };
  if (url !== undefined) {
    if (!connection.followsRedirects) return { refused: 'is reached through a transport whose redirects this client cannot follow' };
    const named = nameHttpServer(url, options);
    return server !== undefined && 'name' in named ? { name: server } : named;
  }
  if (server !== undefined) return { name: server };
  return command === undefined ? { refused: 'has no name' } : nameStdioServer(command, options);
}

/** D-33: says why this program gets no state from a server that it started or serves itself, and what to write instead. */
export function setupProblem(
  { seesAnswers, followsRedirects, server, url, command, transport }: ClientConnection,
  named: Named,
): Issue | undefined {
  if ('name' in named || !seesAnswers || server !== undefined) return undefined;
  const issue = { side: 'setup', concern: 'state' } as const;
  if (url !== undefined) {
    if (!followsRedirects || !isLoopback(url.hostname)) return undefined;
    const problem =
      "lists no loopback host, so this server keeps no state; write jar({ allowHosts: ['localhost'] }), with the host of the URL";
    return { ...issue, key: 'jar.allowHosts', problem };
  }
  if (command !== undefined)
    return {
      ...issue,
      key: 'jar.stdio',
      problem:
        'gives no name for a command, so its server keeps no state; write jar({ stdio: stdioIdentity() }) or attach(transport, { server })',
    };
  if (transport === undefined || wireOf(transport) !== 'stdio') return undefined;
  return {
    ...issue,
    key: 'attach.server',
    problem:
      'is missing for a stdio transport whose command cannot be read, so its server keeps no state; write attach(transport, { server })',
  };
}

/** A given identity applies to its endpoint, and to every endpoint that shares the drawer anyway. */
export function sameEndpoint({ url }: ClientConnection, to: URL, options: IdentityOptions): boolean {
  if (url === undefined) return false;
  const [one, other] = [nameHttpServer(url, options), nameHttpServer(to, options)];
  return 'name' in one && 'name' in other && one.name === other.name;
}
