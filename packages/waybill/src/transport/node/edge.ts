import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkLimits, parseBody, readBody } from '../body.js';
import { passEdge, refusalOf, type EdgeHooks } from '../edge.js';

/** A `node:http` handler that takes a body already parsed, as both SDKs' Node transports do. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => void | Promise<void>;

/**
 * The edge for plain `node:http` and for frameworks on top of it. A body that a parser in front (Express) has already
 * read is taken from `parsedBody` or `request.body`; otherwise it is read here, once, within limits.
 */
export function nodeEdge(
  handler: NodeHandler,
  hooks: EdgeHooks,
): (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => Promise<void> {
  const limits = checkLimits(hooks.limits);
  return async (request, response, parsedBody) => {
    if (request.method !== 'POST') return handler(request, response, parsedBody);
    let body: unknown = parsedBody ?? (request as { body?: unknown }).body;
    try {
      body ??= parseBody(await readBody(request, limits), limits);
      body = passEdge(body, request.headers, hooks);
    } catch (error) {
      const refused = refusalOf(error, body);
      // The rest of a body that was too large is not read: the connection cannot be used again.
      const headers = { 'Content-Type': 'application/json', ...(request.complete ? {} : { Connection: 'close' }) };
      response.writeHead(refused.status, headers).end(refused.body);
      return;
    }
    return handler(request, response, body);
  };
}
