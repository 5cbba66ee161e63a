/** Messages that the servers of the kit receive, and how a server in a process of its own hands them to the kit. */
import { createServer } from 'node:http';
import type { Lines } from '../peers/reply.js';
import { listen, type Served } from '../peers/serve.js';
import { at, isObject, type Message } from '../wire/json.js';
import { CLIENT_CAPABILITIES } from '../wire/keys.js';

/** One message, with its header lines and the capabilities that hold for it. */
export interface Received {
  readonly message: Message;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly declared: Message;
  /** Tells the two servers of scenario `servers` apart. */
  readonly server?: 'first' | 'other';
}

export type Keep = (received: Received) => Promise<void> | void;

const WATCHED = ['accept-language', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** `session` are the capabilities of the handshake. */
export function receivedOf(message: Message, session: Message, lines?: Lines): Received {
  const declared = at(message, 'params', '_meta', CLIENT_CAPABILITIES) ?? at(message, 'params', 'capabilities');
  const headers = Object.fromEntries(WATCHED.map((name) => [name, lines?.(name) ?? []]));
  return { message, headers, declared: isObject(declared) ? declared : session };
}

/** Sends everything to the kit, which listens at this URL. */
export const reportTo =
  (url: string, server: Pick<Received, 'server'> = {}): Keep =>
  async (received) => {
    await fetch(url, { method: 'POST', body: JSON.stringify({ ...received, ...server }) });
  };

export function listenForReports(keep: Keep): Promise<Served> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      void keep(JSON.parse(text) as Received);
      response.end();
    });
  });
  return listen(server);
}
