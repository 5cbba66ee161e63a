/** An upstream over Streamable HTTP. Every post is an HTTP request of its own, so nothing is renamed and answers pass as bytes. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, errors, request, type Dispatcher } from 'undici';
import { broken, garbled, Refusal, tooSlow, unreachable, type Answer, type Headers, type HttpAnswer } from '../answer.js';
import type { Face, FaceRequest, Post } from '../face.js';
import { isJson } from '../sse.js';

export interface HttpOptions {
  readonly name: string;
  readonly url: URL;
  /** Static headers of the configuration. They replace a client's. */
  readonly credentials: Headers;
  /** Milliseconds until the head of an answer, and from there until the end of a JSON body. */
  readonly time: number;
}

const ACCEPT = 'application/json, text/event-stream';
const MAX_REDIRECTS = 3;
const CHECK_TIME = 2_000;

export class HttpUpstream implements Face {
  readonly #options: HttpOptions;
  readonly #agent: Agent;

  constructor(options: HttpOptions) {
    this.#options = options;
    // A stream may be silent for as long as it likes; the head of an answer may not.
    this.#agent = new Agent({
      headersTimeout: options.time,
      bodyTimeout: 0,
      connectTimeout: Math.min(options.time, 10_000),
      connections: null,
    });
  }

  post({ message, ...call }: Post): Promise<Answer> {
    return this.#send('POST', call, message.text);
  }

  get(call: FaceRequest): Promise<Answer> {
    return this.#send('GET', call);
  }

  delete(call: FaceRequest): Promise<Answer> {
    return this.#send('DELETE', call);
  }

  /** Asks for the head of the address. Any answer but one of a broken proxy in between will do. */
  async check(): Promise<string | undefined> {
    const { url } = this.#options;
    try {
      const { statusCode, body } = await request(url, { method: 'HEAD', dispatcher: this.#agent, signal: AbortSignal.timeout(CHECK_TIME) });
      body.on('error', () => undefined).destroy();
      return statusCode >= 502 && statusCode <= 504 ? `answers with status ${statusCode}` : undefined;
    } catch {
      return 'cannot be reached';
    }
  }

  /** Ends every connection. */
  destroy(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(method: 'POST' | 'GET' | 'DELETE', call: FaceRequest, body?: string): Promise<Answer> {
    const { name, credentials } = this.#options;
    const headers: Record<string, string> = {
      accept: method === 'GET' ? 'text/event-stream' : ACCEPT,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(call.version !== undefined && { 'mcp-protocol-version': call.version }),
      ...(call.session !== undefined && { 'mcp-session-id': call.session }),
      ...call.headers,
      ...credentials,
    };
    let url = this.#options.url;
    for (let hops = 0; ; hops++) {
      const reply = await this.#request(url, method, headers, body, call.signal);
      const to = redirection(reply, url);
      if (to === undefined) {
        const given = plain(reply.headers);
        if (isJson(given['content-type'])) limitBody(reply.body, this.#options);
        const answer: HttpAnswer = { kind: 'http', status: reply.statusCode, headers: given, body: reply.body };
        return given['content-encoding'] === undefined ? answer : decoded(answer, given['content-encoding'], name);
      }
      reply.body.destroy();
      reply.body.on('error', () => undefined);
      if (to.origin !== url.origin || hops === MAX_REDIRECTS)
        throw new Refusal(502, -32603, `The upstream ${name} redirects to another place, which is not followed`);
      url = to;
    }
  }

  async #request(
    url: URL,
    method: 'POST' | 'GET' | 'DELETE',
    headers: Record<string, string>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { name } = this.#options;
    try {
      return await request(url, { method, headers, dispatcher: this.#agent, signal, ...(body !== undefined && { body }) });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof errors.InvalidArgumentError)
        throw new Refusal(400, -32600, 'Invalid Request: a part of it that is repeated in a header cannot stand in one');
      if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError) throw tooSlow(name);
      throw error instanceof errors.SocketError ? broken(name) : unreachable(name);
    }
  }
}

const DECODERS: Readonly<Record<string, () => Transform>> = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** The gateway does not ask for compression. An upstream that compresses all the same is decompressed, so that rules and clients can read it. */
function decoded(answer: HttpAnswer, encoding: string, name: string): Answer {
  const decoder = DECODERS[encoding.toLowerCase()];
  if (decoder === undefined) {
    answer.body.on('error', () => undefined).destroy();
    throw garbled(name);
  }
  const { 'content-length': _, ...headers } = answer.headers;
  return { ...answer, headers, body: pipeline(answer.body, decoder(), () => undefined) };
}

/** A JSON body must come within the time too. While bytes wait for a slow client, the upstream is not the one that is late. */
function limitBody(body: Readable, { time, name }: HttpOptions): void {
  const timer = setTimeout(() => {
    if (body.readableLength > 0) timer.refresh();
    else body.destroy(tooSlow(name));
  }, time).unref();
  body.once('close', () => clearTimeout(timer));
}

/** Only redirects that keep the method and the body are followed. */
function redirection({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return undefined;
  const { location } = headers;
  const keepsMethod = statusCode === 307 || statusCode === 308;
  if (!keepsMethod || typeof location !== 'string' || !URL.canParse(location, from.href)) return new URL('about:blank');
  return new URL(location, from);
}

function plain(headers: Dispatcher.ResponseData['headers']): Headers {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  return joined;
}
