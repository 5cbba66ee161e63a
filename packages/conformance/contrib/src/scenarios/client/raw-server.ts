/** The server of a client scenario, by node:http: it keeps every message with all lines of its headers. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { at, type Json } from '../json.js';

export interface Received {
  message: Json;
  lines(name: string): string[];
}

/** Gives the result of a request, and headers for its answer; without a result the method is not known. */
export type Respond = (received: Received) => { result?: Json; headers?: Record<string, string> };

const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' };

export class RawServer {
  readonly received: Received[] = [];
  #server: http.Server | undefined;

  async start(respond: Respond): Promise<string> {
    this.#server = http.createServer((request, response) => void this.#answer(request, response, respond));
    await new Promise<void>((resolve, reject) => {
      this.#server?.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => (this.#server === undefined ? resolve(undefined) : this.#server.close(resolve)));
  }

  /** Requests of a method, or all. */
  requests(method?: string): Received[] {
    return this.received.filter(({ message }) => message['id'] !== undefined && (method === undefined || message['method'] === method));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse, respond: Respond): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405, { Allow: 'POST' }).end();
      return;
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const message = JSON.parse(text) as Json;
    const flat = request.rawHeaders;
    const received: Received = {
      message,
      lines: (name) =>
        flat.flatMap((key, index) => (index % 2 === 0 && key.toLowerCase() === name ? [(flat[index + 1] ?? '').trim()] : [])),
    };
    this.received.push(received);
    const { id, method } = message;
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const { result, headers = {} } = method === 'server/discover' ? { result: DISCOVERED } : respond(received);
    const answer =
      result === undefined
        ? { error: { code: -32601, message: `Method not found: ${String(method)}` } }
        : { result: { resultType: 'complete', ...result } };
    response.writeHead(result === undefined ? 404 : 200, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
}

export const metaOf = ({ message }: Received, ...path: string[]): unknown => at(message, 'params', '_meta', ...path);
