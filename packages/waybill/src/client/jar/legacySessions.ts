import { keyOf, type JarConversation } from './conversations.js';

/** The conversations that used one connection by their key, and the servers each spoke to: more than one only after redirects. */
export type ConnectionUse = Map<string, { readonly conversation: JarConversation; readonly servers: Set<string> }>;

/** A conversation that was redirected to more servers than this meets a broken or hostile server, so further redirects are not remembered. */
const MAX_SERVERS = 256;

/**
 * On 2025-11-25 a conversation ends, for one server, no later than the connection it used (D-05). This remembers which conversation used
 * which connection: closing a connection has to find its conversations, and ending a conversation has to forget it on every connection.
 */
export class LegacySessions {
  readonly #connectionsOf = new Map<string, Set<ConnectionUse>>();

  /** Remembers that a conversation spoke to `server` over this connection. A conversation that has ended is not remembered. */
  recordUse(connection: ConnectionUse, conversation: JarConversation, server: string): void {
    if (conversation.ended) return;
    const key = keyOf(conversation);
    const use = connection.get(key);
    if (use !== undefined) {
      if (use.servers.size < MAX_SERVERS) use.servers.add(server);
      return;
    }
    connection.set(key, { conversation, servers: new Set([server]) });
    const connections = this.#connectionsOf.get(key);
    if (connections === undefined) this.#connectionsOf.set(key, new Set([connection]));
    else connections.add(connection);
  }

  /** Tells whether a conversation uses an open connection. */
  knows(conversation: JarConversation): boolean {
    return this.#connectionsOf.has(keyOf(conversation));
  }

  endConversation(key: string): void {
    for (const connection of this.#connectionsOf.get(key) ?? []) connection.delete(key);
    this.#connectionsOf.delete(key);
  }

  closeConnection(connection: ConnectionUse): void {
    for (const key of connection.keys()) {
      const connections = this.#connectionsOf.get(key);
      connections?.delete(connection);
      if (connections?.size === 0) this.#connectionsOf.delete(key);
    }
    connection.clear();
  }
}
