import type { IncomingMessage, ServerResponse } from 'node:http';
import { Bodies, type Chunks } from '../body.js';
import { finishedAnswer, mayBeJson, passEdge, refusalOf, type EdgeHooks } from '../edge.js';
import { interceptHead } from './head.js';

/** The `next` function of Express and similar frameworks. */
type Next = (...args: unknown[]) => void;

/**
 * A request with the types that handlers may expect. In Node's types `method` and `url` may be `undefined`; in `toNodeHandler` of SDK v2
 * they may not, and under `exactOptionalPropertyTypes` these are different types.
 */
type NodeRequest = IncomingMessage & { method?: string; url?: string };

/** A `node:http` handler that takes a parsed body, like the Node transports of both SDKs. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse, parsedBody?: unknown, next?: Next) => void | Promise<void>;

/**
 * The edge for plain `node:http` and for frameworks on top of it. A body that a parser in front (Express) has read is taken from
 * `parsedBody` or `request.body`; otherwise it is read here, once, within limits. The handler finds it in both places. A function in place
 * of the body is the `next` of Express: the handler gets it after the body.
 */
export function nodeEdge(
  handler: NodeHandler,
  hooks: EdgeHooks,
): (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => Promise<void> {
  const bodies = hooks.bodies ?? new Bodies(hooks.limits);
  // An app of Express or Connect takes its third argument for a `next`.
  const { handle, use } = handler as { handle?: unknown; use?: unknown };
  const isApp = typeof handle === 'function' && typeof use === 'function';
  const run: NodeHandler = isApp ? (request, response, _body, next) => handler(request, response, next) : handler;
  return async (given, response, third) => {
    const request = given as NodeRequest;
    const next = typeof third === 'function' ? (third as Next) : undefined;
    const parsedBody = next === undefined ? third : undefined;
    if (request.method === 'GET') interceptHead(response, undefined, hooks);
    if (request.method !== 'POST' || !mayBeJson(request.headers['content-type'])) return run(request, response, parsedBody, next);
    const incoming = request as { body?: unknown };
    let body: unknown = parsedBody ?? incoming.body;
    try {
      // `null` is valid JSON, but some frameworks set it for a body that was not read.
      if (body === undefined || (body === null && !request.readableEnded)) body = await bodies.read(chunksOf(request));
      body = passEdge(body, request.headers, hooks);
      incoming.body = body;
      interceptHead(response, body, hooks);
    } catch (error) {
      interceptHead(response, body, hooks);
      const refused = refusalOf(error, body);
      // The rest of a body that broke a limit is not read, so the connection cannot be used again.
      const headers = { 'Content-Type': 'application/json', ...(request.complete ? {} : { Connection: 'close' }) };
      response.writeHead(refused.status, headers).end(refused.body);
      return;
    }
    const early = finishedAnswer(body, { headers: request.headers, authInfo: (request as { auth?: unknown }).auth }, hooks);
    if (early === undefined) {
      if (isApp || next !== undefined) {
        readAgain(request, body);
        // The body-parser of Express 4 goes by this flag: without it express.json() reads the stream again, and fails with 500.
        Object.assign(request, { _body: true });
      }
      return run(request, response, body, next);
    }
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': early.byteLength }).end(early);
  };
}

/** For a later handler that reads the stream itself, like `toNodeHandler` of SDK v2 as a route of Express. */
export function readAgain(request: IncomingMessage, body: unknown): void {
  const again = async function* (): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    yield new TextEncoder().encode(JSON.stringify(body));
  };
  Object.defineProperty(request, Symbol.asyncIterator, { value: again, configurable: true });
}

function chunksOf(request: IncomingMessage): Chunks {
  const chunks = (request as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return { next: () => chunks.next(), stop: async () => chunks.return?.() };
}
