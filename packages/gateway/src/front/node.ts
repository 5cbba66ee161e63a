/** The edge for `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Chunks } from 'waybill/adapter';
import type { Headers } from '../answer.js';
import { drained } from '../chunks.js';
import type { Edge } from './edge.js';
import type { Sink } from './reply.js';

export function handleNode(edge: Edge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return edge.handle(
    {
      method: request.method ?? 'GET',
      path: (request.url ?? '/').split('?', 1)[0] as string,
      headers: headersOf(request),
      values: (name) => request.headersDistinct[name] ?? [],
      peer: request.socket.remoteAddress,
      body: chunksOf(request),
      signal: gone.signal,
    },
    sinkOf(request, response),
  );
}

/** Reads a body piece by piece. The async iterator of a stream would cost more than all else on the way. */
function chunksOf(request: IncomingMessage): Chunks {
  let isBegun = false;
  let wake = (): void => undefined;
  return {
    async next() {
      if (!isBegun) for (const event of ['readable', 'end', 'error', 'close']) request.on(event, () => wake());
      isBegun = true;
      for (;;) {
        const value = request.read() as Buffer | null;
        if (value !== null) return { value };
        if (request.readableEnded) return { done: true };
        if (request.destroyed) throw new Error('The client went away');
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    stop: () => Promise.resolve(request.pause()),
  };
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
      return response.write(chunk) ? undefined : drained(response);
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  };
}
