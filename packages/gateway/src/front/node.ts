/** The edge for `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Headers } from '../answer.js';
import type { Edge } from './edge.js';
import type { Sink } from './reply.js';

export function handleNode(edge: Edge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const chunks = request[Symbol.asyncIterator]();
  return edge.handle(
    {
      method: request.method ?? 'GET',
      path: (request.url ?? '/').split('?', 1)[0] as string,
      headers: headersOf(request),
      values: (name) => request.headersDistinct[name] ?? [],
      peer: request.socket.remoteAddress,
      body: { next: () => chunks.next(), stop: async () => chunks.return?.() },
      signal: gone.signal,
    },
    sinkOf(request, response),
  );
}

function headersOf({ headers }: IncomingMessage): Headers {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  return plain;
}

function sinkOf(request: IncomingMessage, response: ServerResponse): Sink {
  return {
    head(status, headers) {
      // The rest of a body that broke a limit is not read, so the connection cannot be used again.
      response.writeHead(status, request.complete || request.method !== 'POST' ? headers : { ...headers, connection: 'close' });
      if (headers['content-type'] === 'text/event-stream') response.flushHeaders();
    },
    write(chunk) {
      if (response.write(chunk) || response.destroyed) return;
      return new Promise((resolve) => {
        const done = (): void => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.once('drain', done).once('close', done);
      });
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  };
}
