/** Serves the raw peers over HTTP and stdin. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { parse } from '../wire/http.js';
import { at, isObject, type Message } from '../wire/json.js';
import type { Lines, Reply } from './reply.js';

/** Answers a message; `declared` are the capabilities of the handshake. */
export type Answer = (message: Message, declared: Message, lines?: Lines) => Reply | Promise<Reply>;

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Streamable HTTP whose sessions of 2025-11-25 remember what their handshake declared. */
export async function serveHttp(answer: Answer, port = 0): Promise<Served> {
  const sessions = new Map<string, Message>();
  return serveRaw(async (message, request) => {
    const reply = await answer(message, sessions.get(String(request.headers['mcp-session-id'])) ?? {}, linesOf(request));
    if (message['method'] === 'initialize' && at(reply.message, 'result') !== undefined) {
      const id = randomUUID();
      const declared = at(message, 'params', 'capabilities');
      sessions.set(id, isObject(declared) ? declared : {});
      reply.headers.push(['Mcp-Session-Id', id]);
    }
    return reply;
  }, port);
}

/** Streamable HTTP without sessions. */
export async function serveRaw(answer: (message: Message, request: IncomingMessage) => Promise<Reply>, port = 0): Promise<Served> {
  const server = createServer((request, response) => {
    void respond(request, response, answer).catch(() => response.destroy());
  });
  return listen(server, port);
}

/** Listens on the loopback address; port 0 takes a free one. */
export async function listen(server: Server, port = 0): Promise<Served> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** All lines of a request header: node joins some names and drops repeats of others. */
export function linesOf(request: IncomingMessage): Lines {
  const flat = request.rawHeaders;
  return (name) => flat.flatMap((key, index) => (index % 2 === 0 && key.toLowerCase() === name ? [(flat[index + 1] ?? '').trim()] : []));
}

const UNREADABLE = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (message: Message, request: IncomingMessage) => Promise<Reply>,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    return;
  }
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const message = parse(text);
  if (message === undefined) {
    response.writeHead(400, { 'Content-Type': 'application/json' }).end(UNREADABLE);
    return;
  }
  const reply = await answer(message, request);
  const streamed = reply.message !== undefined && (reply.streamed === true || reply.before.length > 0);
  const type = ['Content-Type', streamed ? 'text/event-stream' : 'application/json'];
  response.writeHead(reply.status, [...(reply.message ? type : []), ...reply.headers.flat()]);
  if (streamed) for (const one of [...reply.before, reply.message]) response.write(`event: message\ndata: ${JSON.stringify(one)}\n\n`);
  response.end(streamed || reply.message === undefined ? undefined : JSON.stringify(reply.message));
}

/** Reads messages from stdin until it ends. */
export async function serveStdin(answer: Answer): Promise<void> {
  let declared: Message = {};
  for await (const line of createInterface({ input: process.stdin })) {
    const message = parse(line);
    if (message === undefined) continue;
    const capabilities = at(message, 'params', 'capabilities');
    if (message['method'] === 'initialize' && isObject(capabilities)) declared = capabilities;
    // Requests that come at once are answered at once, as over HTTP.
    void Promise.resolve(answer(message, declared)).then((reply) => {
      for (const one of [...reply.before, reply.message]) if (one !== undefined) process.stdout.write(`${JSON.stringify(one)}\n`);
    });
  }
}
