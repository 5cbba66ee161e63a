/** The edge in the shape of `fetch`, for embedding in other servers. */
import type { Headers as Plain } from '../answer.js';
import type { Edge } from './edge.js';

/** `peer`: the address that the connection comes from, which a `Request` does not tell. */
export function handleFetch(edge: Edge, request: Request, peer: string | undefined): Promise<Response> {
  const url = new URL(request.url);
  const reader = request.body?.getReader();
  const gone = new AbortController();
  request.signal.addEventListener('abort', () => gone.abort(), { once: true });
  const body = {
    next: () => reader?.read() ?? Promise.resolve({ done: true }),
    stop: () => reader?.cancel() ?? Promise.resolve(),
  };
  const headers: Record<string, string> = { host: url.host, ...Object.fromEntries(request.headers) };
  return new Promise((resolve, reject) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let wake: (() => void) | undefined;
    const encoder = new TextEncoder();
    const sink = {
      head(status: number, given: Plain) {
        const { connection: _, ...kept } = given;
        const stream = new ReadableStream<Uint8Array>({
          start: (made) => void (controller = made),
          pull: () => wake?.(),
          cancel: () => {
            gone.abort();
            wake?.();
          },
        });
        resolve(new Response(status === 204 || status === 202 || status === 304 ? null : stream, { status, headers: kept }));
      },
      write(chunk: string | Uint8Array) {
        controller?.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
        if ((controller?.desiredSize ?? 1) > 0) return;
        return new Promise<void>((resume) => (wake = resume));
      },
      end: () => closed(() => controller?.close()),
      destroy: () => {
        // Without a head there is no response that could break off.
        reject(new Error('The client went away before the answer began'));
        closed(() => controller?.error(new Error('The upstream broke off')));
      },
    };
    const values = (name: string): string[] => headers[name]?.split(',') ?? [];
    void edge.handle({ method: request.method, path: url.pathname, headers, values, peer, body, signal: gone.signal }, sink);
  });
}

function closed(close: () => void): void {
  try {
    close();
  } catch {
    // The reader has gone away already.
  }
}
