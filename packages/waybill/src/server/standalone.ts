/** Context without an SDK server: the whole pipeline at the HTTP edge, in front of a handler that does not know the layer. */
import type { Message } from '../transport/index.js';
import { rebuilt, type FetchHandler } from '../transport/edge.js';
import { interceptBody } from '../transport/node/body.js';
import { readAgain, type NodeHandler } from '../transport/node/edge.js';
import { eventRewriter } from '../transport/events.js';
import type { AsyncStorage } from '../transport/storage.js';
import { ContextError, errorAnswer } from '../wire/errors.js';
import { fieldValue, isMediaType } from '../wire/headers.js';
import { isObject } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import type { PeerConnection } from './connection.js';
import { requestOf } from './find.js';
import type { Layer } from './layer.js';
import { admit, finish, finishNotification } from './pipeline.js';
import type { IncomingRequest } from './request.js';
import { tellChanged } from './runParts.js';

/** For a fetch-shaped handler behind the edge. The handler reads the request itself, as without the layer. */
export function standaloneFetch(layer: Layer, ambient: AsyncStorage, handler: FetchHandler): FetchHandler {
  const target = layer.targets.ofFactory(handler);
  return async (given, options) => {
    const body = options?.parsedBody;
    if (body === undefined) return handler(given, options);
    const { authInfo } = (options ?? {}) as { authInfo?: unknown };
    const request = claim(layer, body, target, { request: given, authInfo });
    if (request === undefined) return handler(rebuilt(given, body), options);
    const instead = await answerInstead(request);
    if (instead !== undefined) return Response.json(instead);
    const response = await ambient.run(request, () => handler(rebuilt(given, body), options));
    return finishResponse(response, request);
  };
}

/** For a listener of `node:http` behind the edge. It finds the body as its third argument, in `request.body`, and in the stream again. */
export function standaloneNode(layer: Layer, ambient: AsyncStorage, handler: NodeHandler): NodeHandler {
  const target = layer.targets.ofFactory(handler);
  return async (given, response, body, next) => {
    const { auth: authInfo } = given as { auth?: unknown };
    const request = claim(layer, body, target, { request: given, authInfo });
    if (body !== undefined) readAgain(given, body);
    if (request === undefined) return handler(given, response, body, next);
    const instead = await answerInstead(request);
    if (instead !== undefined) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(instead));
      return;
    }
    interceptBody(response, {
      json: (text) => finishJson(text, request),
      events: () => eventRewriter((message) => finishEvent(message, request)),
      onFault: (error) => layer.fault(error),
    });
    await ambient.run(request, () => handler(given, response, body, next));
  };
}

/** Returns the request that the edge has made of this body. `undefined` for notifications, answers and batches. */
function claim(layer: Layer, body: unknown, target: string, extra: { authInfo: unknown; request: unknown }): IncomingRequest | undefined {
  const request = isObject(body) ? requestOf(body) : undefined;
  if (request?.layer !== layer || request.isDelivered) return undefined;
  const connection: PeerConnection = {
    target,
    declared: undefined,
    canAskBack: () => fieldValue(request.headers, 'Mcp-Session-Id') !== undefined,
    lifts: () => true,
  };
  const { message, method } = request;
  request.deliver(connection, { id: message['id'] as string | number, method, asked: 'them', request: message, extra });
  return request;
}

/** Returns the answer of a part, or a refusal: the handler never sees the request. */
async function answerInstead(request: IncomingRequest): Promise<Message | undefined> {
  try {
    return await admit(request);
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    return finish(errorAnswer(request.message['id'], error), request);
  }
}

async function finishResponse(response: Response, request: IncomingRequest): Promise<Response> {
  const type = response.headers.get('content-type');
  const isStream = isMediaType(type, 'text/event-stream');
  if (response.body === null || (!isStream && !isMediaType(type, 'application/json'))) {
    request.release();
    return response;
  }
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const body = isStream ? rewritten(response.body, request) : await finishJson(await response.text(), request);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

function rewritten(body: ReadableStream<Uint8Array<ArrayBuffer>>, request: IncomingRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  const events = eventRewriter((message) => finishEvent(message, request));
  const transform = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    async transform(chunk, controller) {
      for await (const bytes of events.push(chunk)) controller.enqueue(bytes);
    },
    flush(controller) {
      const rest = events.rest();
      if (rest.byteLength > 0) controller.enqueue(rest);
    },
  });
  return body.pipeThrough(transform);
}

async function finishJson(text: string, request: IncomingRequest): Promise<string> {
  const message = parsed(text);
  const final = message === undefined ? undefined : await finishEvent(message, request);
  if (final === undefined || final === message) {
    request.release();
    return text;
  }
  return JSON.stringify(final);
}

/** Finishes a message of the handler as it leaves. Requests of the server to its client pass unchanged. */
function finishEvent(message: Message, request: IncomingRequest): Message | Promise<Message> {
  const kind = kindOf(message);
  if (kind === 'notification') {
    tellChanged(request.layer, message);
    return finishNotification(message, request);
  }
  const isAnswer = (kind === 'result' || kind === 'error') && message['id'] === request.message['id'];
  return isAnswer ? finish(message, request) : message;
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
