import { ContextError, errorAnswer } from '../wire/errors.js';
import { isMediaType, type HeaderSource } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { andThen, isThenable } from '../wire/maybe.js';
import { Bodies, type BodyLimits, type Chunks } from './body.js';
import type { Message } from './types.js';

// D-19
/** The hooks of an HTTP edge, which stands in front of the SDK. */
export interface EdgeHooks {
  /** Sees the message before anything behind the edge. Returns the message that goes on; a `ContextError` refuses it. */
  message?(message: Message, headers: HeaderSource): Message;
  /**
   * Returns a finished JSON-RPC answer as bytes for a message that has passed. It is sent with status 200, and nothing behind the edge sees
   * the message.
   */
  finished?(message: Message, about: EdgeAbout): Uint8Array<ArrayBuffer> | undefined;
  /** Changes the answer of a fetch-shaped handler before it leaves. Not called for refusals. */
  response?(response: Response, message: Message): Response | Promise<Response>;
  /**
   * Sets status and headers of the answer to a POST, also of refusals, or of the stream that answers a GET, just before they leave. `body`:
   * the parsed body; a GET has none.
   */
  head?(head: ResponseHead, body: unknown): void;
  readonly limits?: Partial<BodyLimits>;
  /** Shared by edges that count their bodies together; it has its own limits. */
  readonly bodies?: Bodies;
  onFault?(error: unknown): void;
}

export interface EdgeAbout {
  readonly headers: HeaderSource;
  /** The result of authentication in front of the edge: `authInfo` of a fetch-shaped handler's options, `auth` of a Node request. */
  readonly authInfo: unknown;
}

/** The head of an answer, the same for a fetch-shaped handler and for `node:http`. */
export interface ResponseHead {
  status: number;
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  remove(name: string): void;
}

/** A fetch-shaped handler, such as the result of `createMcpHandler` or a web transport of the SDK. */
export type FetchHandler<Options extends object = object> = (
  request: Request,
  options?: Options & { parsedBody?: unknown },
) => Response | Promise<Response>;

/**
 * Puts an edge in front of a fetch-shaped handler. The body is read and parsed once, within limits, and passed on as `parsedBody`, which
 * both SDKs take. With `rebuild: true` the handler can read the body itself.
 */
export function edge<H extends FetchHandler>(handler: H, hooks: EdgeHooks, options: { readonly rebuild?: boolean } = {}): H {
  const bodies = hooks.bodies ?? new Bodies(hooks.limits);
  const guarded = async (request: Request, given?: { parsedBody?: unknown }): Promise<Response> => {
    if (request.method === 'GET') return withListeningHead(await handler(request, given), hooks);
    if (request.method !== 'POST' || !mayBeJson(request.headers.get('content-type'))) return handler(request, given);
    let parsed: unknown;
    let next: unknown;
    try {
      parsed = given?.parsedBody;
      // `null` is valid JSON, but it may also mean that the body was not read yet.
      if (parsed === undefined || (parsed === null && !request.bodyUsed)) parsed = await bodies.read(chunksOf(request));
      next = passEdge(parsed, request.headers, hooks);
    } catch (error) {
      return withHead(refusal(error, parsed), parsed, hooks);
    }
    const early = finishedAnswer(
      next,
      { headers: request.headers, authInfo: (given as { authInfo?: unknown } | undefined)?.authInfo },
      hooks,
    );
    if (early !== undefined) return withHead(new Response(early, { headers: { 'Content-Type': 'application/json' } }), next, hooks);
    const forwarded = options.rebuild === true ? requestWithBody(request, next) : request;
    const response = expectResponse(await handler(forwarded, { ...given, parsedBody: next }));
    const final = changedResponse(response, next, hooks);
    return withHead(isThenable(final) ? await final : final, next, hooks);
  };
  return guarded as unknown as H;
}

/**
 * The SDK refuses a body of another declared type (415); a body without a type is read. Every type that mentions JSON counts: the SDKs
 * accept more media types than the grammar allows, and none of those may bypass the limits.
 */
export function mayBeJson(contentType: string | null | undefined): boolean {
  return typeof contentType !== 'string' || /json/i.test(contentType);
}

/** Returns the response. A handler may return anything else; most often it is a factory of servers by mistake. */
function expectResponse(response: Response): Response {
  if (typeof (response as Partial<Response> | undefined)?.headers?.get === 'function') return response;
  throw new TypeError('http: the handler returned no Response; pass a function of a Request, such as the result of createMcpHandler()');
}

/** Returns the answer to a GET, with its head changed if it is a stream. A runtime may deliver the answer in another way, and return nothing. */
function withListeningHead(response: Response | undefined, hooks: EdgeHooks): Response {
  const type = (response as Partial<Response> | undefined)?.headers?.get('content-type');
  return isMediaType(type, 'text/event-stream') ? withHead(response as Response, undefined, hooks) : (response as Response);
}

function changedResponse(response: Response, body: unknown, hooks: EdgeHooks): Response | Promise<Response> {
  if (hooks.response === undefined || !isObject(body)) return response;
  const failed = (error: unknown): Response => {
    hooks.onFault?.(error);
    return response;
  };
  try {
    const next = hooks.response(response, body);
    return andThen(next, (given) => given, failed);
  } catch (error) {
    return failed(error);
  }
}

/** Returns the answer with the head that the hook gives it. */
export function withHead(response: Response, body: unknown, hooks: EdgeHooks): Response {
  if (hooks.head === undefined) return response;
  const head = new FetchHead(response);
  try {
    hooks.head(head, body);
    if (head.status === response.status) return head.response;
    return new Response(head.response.body, { status: head.status, headers: head.response.headers });
  } catch (error) {
    hooks.onFault?.(error);
    return head.response;
  }
}

/** Headers that came from a `fetch` cannot be changed, so the answer is replaced by one with the same body. */
class FetchHead implements ResponseHead {
  response: Response;
  status: number;

  constructor(response: Response) {
    this.response = response;
    this.status = response.status;
  }

  // Arrow functions, as on Node: a hook may destructure them.
  readonly get = (name: string): string | undefined => this.response.headers.get(name) ?? undefined;
  readonly set = (name: string, value: string): void => {
    try {
      this.response.headers.set(name, value);
    } catch {
      this.#renewed().set(name, value);
    }
  };
  readonly remove = (name: string): void => {
    try {
      this.response.headers.delete(name);
    } catch {
      this.#renewed().delete(name);
    }
  };

  #renewed(): Headers {
    this.response = new Response(this.response.body, this.response);
    return this.response.headers;
  }
}

/**
 * Passes one message, or each message of an old revision's batch, through the hooks. After a fault of the layer the message passes
 * unchanged.
 */
export function passEdge(body: unknown, headers: HeaderSource, hooks: EdgeHooks): unknown {
  if (Array.isArray(body)) return body.map((one) => passEdge(one, headers, hooks));
  if (!isObject(body) || hooks.message === undefined) return body;
  try {
    return hooks.message(body, headers);
  } catch (error) {
    if (error instanceof ContextError) throw error;
    hooks.onFault?.(error);
    return body;
  }
}

/** Returns a finished answer, if there is one. After a fault of the layer the message passes. */
export function finishedAnswer(body: unknown, about: EdgeAbout, hooks: EdgeHooks): Uint8Array<ArrayBuffer> | undefined {
  if (hooks.finished === undefined || !isObject(body)) return undefined;
  try {
    return hooks.finished(body, about);
  } catch (error) {
    hooks.onFault?.(error);
    return undefined;
  }
}

/** Returns status and JSON-RPC body of a refusal, with the id of the request if the body could be read. */
export function refusalOf(error: unknown, body: unknown): { status: number; body: string } {
  if (!(error instanceof ContextError)) throw error;
  return { status: error.status, body: JSON.stringify(errorAnswer(isObject(body) ? own(body, 'id') : undefined, error)) };
}

function refusal(error: unknown, body: unknown): Response {
  const refused = refusalOf(error, body);
  return new Response(refused.body, { status: refused.status, headers: { 'Content-Type': 'application/json' } });
}

const READ_BEFORE = 'Parse error: code in front has read the body; pass it on as parsedBody';

function chunksOf(request: Request): Chunks {
  if (request.body === null) return { next: () => Promise.resolve({ done: true }), stop: () => Promise.resolve() };
  if (request.body.locked || request.bodyUsed) throw new ContextError('unread-body', {}, { message: READ_BEFORE });
  const reader = request.body.getReader();
  return { next: () => reader.read(), stop: () => reader.cancel() };
}

/** Returns the request with a body that can be read again. */
export function requestWithBody(request: Request, body: unknown): Request {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body), signal: request.signal });
}
