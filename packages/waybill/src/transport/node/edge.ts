import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkLimits, Gathered, parseBody, unread, type BodyLimits } from '../body.js';
import { finishedBy, mayBeJson, passEdge, refusalOf, type EdgeHooks } from '../edge.js';
import { interceptHead } from './head.js';

/** A `node:http` handler that takes a body already parsed, as both SDKs' Node transports do. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => void | Promise<void>;

/**
 * The edge for plain `node:http` and for frameworks on top of it. A body that a parser in front (Express) has already
 * read is taken from `parsedBody` or `request.body`; otherwise it is read here, once, within limits. The handler finds it in both
 * places. A function in place of the body is the `next` of Express: it is passed on as it is.
 */
export function nodeEdge(
  handler: NodeHandler,
  hooks: EdgeHooks,
): (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => Promise<void> {
  const limits = checkLimits(hooks.limits);
  return async (request, response, parsedBody) => {
    if (request.method === 'GET') interceptHead(response, undefined, hooks);
    if (request.method !== 'POST' || !mayBeJson(request.headers['content-type'])) return handler(request, response, parsedBody);
    const next = typeof parsedBody === 'function' ? parsedBody : undefined;
    const incoming = request as { body?: unknown };
    let body: unknown = (next === undefined ? parsedBody : undefined) ?? incoming.body;
    try {
      // `null` is JSON, and is what some frameworks say of a body that nobody has read.
      if (body === undefined || (body === null && !request.readableEnded)) body = parseBody(await readBody(request, limits), limits);
      body = passEdge(body, request.headers, hooks);
      incoming.body = body;
      interceptHead(response, body, hooks);
    } catch (error) {
      interceptHead(response, body, hooks);
      const refused = refusalOf(error, body);
      // The rest of a body that was too large is not read: the connection cannot be used again.
      const headers = { 'Content-Type': 'application/json', ...(request.complete ? {} : { Connection: 'close' }) };
      response.writeHead(refused.status, headers).end(refused.body);
      return;
    }
    const early = finishedBy(body, { headers: request.headers, authInfo: (request as { auth?: unknown }).auth }, hooks);
    if (early === undefined) return handler(request, response, next ?? body);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': early.byteLength }).end(early);
  };
}

async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<string> {
  const body = new Gathered(limits);
  try {
    for await (const chunk of request) body.add(chunk as Uint8Array);
  } catch (error) {
    throw unread(error);
  }
  return body.text();
}
