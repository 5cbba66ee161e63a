import { nameHttpServer, nameStdioServer, type IdentityOptions, type Named } from './identity.js';
import type { ClientConnection } from '../part.js';

/** STATE-30…39: the identity given, or what can be derived; the rules for hosts hold for both. */
export function nameConnection(connection: ClientConnection, options: IdentityOptions): Named {
  const { server, url, command } = connection;
  if (!connection.seesAnswers) return { refused: 'answers where nobody sees it' };
  if (url !== undefined) {
    if (!connection.followsRedirects) return { refused: 'is reached through a transport whose redirects cannot be followed here' };
    const named = nameHttpServer(url, options);
    return server !== undefined && 'name' in named ? { name: server } : named;
  }
  if (server !== undefined) return { name: server };
  return command === undefined ? { refused: 'has no name' } : nameStdioServer(command, options);
}

/** A given identity stands for the endpoint it was given for, and what shares its drawer anyway. */
export function sameEndpoint({ url }: ClientConnection, to: URL, options: IdentityOptions): boolean {
  if (url === undefined) return false;
  const [one, other] = [nameHttpServer(url, options), nameHttpServer(to, options)];
  return 'name' in one && 'name' in other && one.name === other.name;
}
