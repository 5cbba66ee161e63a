/** Context without an SDK server: the whole pipeline at the HTTP edge, in front of a handler that does not know the layer. */
import type { IncomingMessage } from 'node:http';
import { requestWithBody, type FetchHandler } from '../transport/edge.js';
import { eventRewriter, isStream, rewriteStream, joinResponses } from '../transport/events.js';
import { interceptBody } from '../transport/node/body.js';
import { readAgain, type NodeHandler } from '../transport/node/edge.js';
import { fieldValue, isMediaType, type HeaderSource } from '../wire/headers.js';
import { isRequest, parsed } from './edge.js';
import { StandaloneCall, type Standalone } from './standaloneCall.js';

const SESSION = 'Mcp-Session-Id';

/** For a fetch-shaped handler behind the edge. The handler reads the request itself, as without the layer. */
export function standaloneFetch(standalone: Standalone, handler: FetchHandler): FetchHandler {
  const serve = async (given: Request, body: unknown, options: object | undefined): Promise<Response> => {
    const { authInfo } = (options ?? {}) as { authInfo?: unknown };
    const sessionId = sessionIn(given.headers);
    const call = new StandaloneCall(standalone, sessionId, { request: given, authInfo });
    const next = (): Promise<Response> => Promise.resolve(handler(body === undefined ? given : requestWithBody(given, body), options));
    try {
      if (!isRequest(body)) {
        const response = await next();
        if (given.method === 'DELETE') forgetSession(standalone, sessionId, response.status);
        return finishStream(response, call);
      }
      const handled = await call.enter(body, next);
      if ('answer' in handled) {
        call.end();
        return Response.json(handled.answer);
      }
      const response = await handled.served;
      call.noteSession(response.headers.get(SESSION));
      return await finishResponse(response, call);
    } catch (error) {
      call.end();
      throw error;
    }
  };
  return async (given, options) => {
    const body = options?.parsedBody;
    if (!Array.isArray(body) || body.length === 0) return serve(given, body, options);
    // Each message of an old revision's batch is served alone, so that `contextOf()` finds the right request.
    return joinResponses(await Promise.all(body.map((message) => serve(given, message, options))));
  };
}

/** For a listener of `node:http` behind the edge. It finds the body as its third argument, in `request.body`, and in the stream again. */
export function standaloneNode(standalone: Standalone, handler: NodeHandler): NodeHandler {
  return async (given, response, body, next) => {
    const { auth: authInfo } = given as { auth?: unknown };
    const sessionId = sessionIn(given.headers);
    if (body !== undefined) readAgain(given, body);
    if (!isRequest(body) && !isListening(given)) {
      if (given.method === 'DELETE') response.once('finish', () => forgetSession(standalone, sessionId, response.statusCode));
      return handler(given, response, body, next);
    }
    const call = new StandaloneCall(standalone, sessionId, { request: given, authInfo });
    response.once('close', () => call.end());
    const intercept = (): void =>
      interceptBody(response, {
        head: (get) => call.noteSession(get(SESSION)),
        json: (text) => finishJson(text, call),
        events: () => eventRewriter((message) => call.leave(message)),
        onFault: (error) => standalone.layer.fault(error),
      });
    const serve = (): void | Promise<void> => {
      intercept();
      return handler(given, response, body, next);
    };
    if (!isRequest(body)) return serve();
    const handled = await call.enter(body, serve);
    if ('served' in handled) await handled.served;
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(handled.answer));
  };
}

function sessionIn(headers: HeaderSource): string | undefined {
  return fieldValue(headers, SESSION);
}

/** True if the client listens for messages that answer no request. */
function isListening({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/event-stream') === true;
}

/** Called when the client has ended its session and the handler agreed. */
function forgetSession({ sessions }: Standalone, sessionId: string | undefined, status: number): void {
  if (sessionId !== undefined && status < 300) sessions.forget(sessionId);
}

async function finishResponse(response: Response, call: StandaloneCall): Promise<Response> {
  if (!isMediaType(response.headers.get('content-type'), 'application/json')) return finishStream(response, call);
  const text = await finishJson(await response.text(), call);
  call.end();
  return withBody(response, text);
}

/** Finishes the messages of a stream as they pass. Any other response stays unchanged. */
function finishStream(response: Response, call: StandaloneCall): Response {
  if (response.body !== null && isStream(response))
    return withBody(
      response,
      rewriteStream(
        response.body,
        (message) => call.leave(message),
        () => call.end(),
      ),
    );
  call.end();
  return response;
}

function withBody(response: Response, body: BodyInit): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

async function finishJson(text: string, call: StandaloneCall): Promise<string> {
  const message = parsed(text);
  const final = message && (await call.leave(message));
  return final === message ? text : JSON.stringify(final);
}
