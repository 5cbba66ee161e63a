/** The HTTP edge: finds the upstream, checks where a request comes from and what it says of itself, and hands it to the hop. */
import { ContextError, keys } from 'waybill';
import { agreeOnRequest, Bodies, diagnoseMismatch, errorAnswer, type Chunks } from 'waybill/adapter';
import { Refusal, type Answer, type Headers } from '../answer.js';
import type { GatewayConfig } from '../config/types.js';
import type { Caller } from '../face.js';
import type { Feed } from '../feed.js';
import type { UpstreamHop } from '../hop.js';
import { eraOf, messageOf, type Era, type Message } from '../message.js';
import { own } from '../json/values.js';
import { readHeaderText } from '../pairs/envelope.js';
import { reply, type ReplyAbout, type Sink } from './reply.js';

/** One HTTP request, of `node:http` or of `fetch`. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Lower case; repeated lines are joined. */
  readonly headers: Headers;
  readonly body: Chunks;
  readonly signal: AbortSignal;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const HEADER_MISMATCH = -32020;

export class Edge {
  readonly #config: GatewayConfig;
  readonly #hops: ReadonlyMap<string, UpstreamHop>;
  readonly #bodies: Bodies;
  readonly #feed: Feed;

  constructor(config: GatewayConfig, hops: ReadonlyMap<string, UpstreamHop>, feed: Feed) {
    this.#config = config;
    this.#hops = hops;
    this.#feed = feed;
    this.#bodies = new Bodies({ size: config.limits.body, depth: config.limits.depth, time: config.limits.time });
  }

  /** Answers a request. Never rejects. */
  async handle(request: HttpRequest, sink: Sink): Promise<void> {
    const about = { id: undefined, era: 'legacy' as Era, isStream: request.method === 'GET', metadata: undefined as string | undefined };
    const note = this.#feed.begin();
    let told: ReplyAbout = about;
    try {
      const cors = this.#admit(request);
      if (request.method === 'OPTIONS') {
        await reply({ kind: 'whole', status: 204, headers: {} }, withCors(sink, cors), about);
        return;
      }
      const hop = this.#find(request.path);
      note.upstream = hop.name;
      const answer = await this.#answer(hop, request, (message, era) => {
        told = { ...about, id: message.id, era };
        note.request(message);
      });
      const { metadata } = this.#target(hop);
      note.end(await reply(answer, withCors(sink, cors), { ...told, metadata }));
    } catch (error) {
      if (request.signal.aborted) {
        note.end({ status: 499, size: 0 });
        sink.destroy();
        return;
      }
      const answer = refusalOf(error, told);
      note.end(await reply(answer, sink, { ...told, isStream: false }).catch(() => ({ status: 500, size: 0 })));
    }
  }

  #target(hop: UpstreamHop): { metadata: string | undefined } {
    const target = this.#config.upstreams.find(({ name }) => name === hop.name)?.target;
    return { metadata: target?.kind === 'http' ? target.metadata : undefined };
  }

  /** A page of another site must not reach a gateway on this machine, by its own name (DNS rebinding) or ours. */
  #admit({ headers }: HttpRequest): Headers {
    const { host, origin } = headers;
    if (host === undefined || !(LOOPBACK.test(host) || this.#config.hosts.includes(host.replace(/:\d+$/, ''))))
      throw new Refusal(403, -32000, 'Forbidden: this Host is not served here');
    if (origin === undefined) return {};
    if (!this.#config.origins.includes(origin)) throw new Refusal(403, -32000, 'Forbidden: this Origin is not allowed');
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
      'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
      vary: 'Origin',
    };
  }

  #find(path: string): UpstreamHop {
    const name = /^\/([^/]+)\/mcp\/?$/.exec(path)?.[1];
    const only = this.#hops.size === 1 && /^\/mcp\/?$/.test(path) ? this.#hops.values().next().value : undefined;
    const hop = only ?? (name === undefined ? undefined : this.#hops.get(decodeURIComponent(name)));
    if (hop === undefined) throw new Refusal(404, -32000, 'Not Found: no upstream is served at this address');
    return hop;
  }

  async #answer(hop: UpstreamHop, request: HttpRequest, seen: (message: Message, era: Era) => void): Promise<Answer> {
    const { method, headers, signal } = request;
    const caller: Caller = this.#config.principal === undefined ? {} : { principal: this.#config.principal };
    const version = headers['mcp-protocol-version'];
    const incoming = { caller, session: headers['mcp-session-id'], version, received: headers, signal };
    if (method === 'GET') return hop.get({ ...incoming, era: 'legacy' });
    if (method === 'DELETE') return hop.delete({ ...incoming, era: 'legacy' });
    if (method !== 'POST') return { kind: 'whole', status: 405, headers: { allow: 'POST, GET, DELETE' } };
    if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
      throw new Refusal(415, -32000, 'Unsupported Media Type: the body must be application/json');
    if (headers['content-encoding'] !== undefined)
      throw new Refusal(415, -32000, 'Unsupported Media Type: the body must not be compressed');
    const text = await this.#bodies.readText(request.body);
    const value = this.#bodies.parse(text);
    if (Array.isArray(value)) throw new Refusal(400, -32600, 'Invalid Request: batches are not supported');
    const message = messageOf(text, value);
    if (message === undefined) throw new Refusal(400, -32600, 'Invalid Request: the body is not a JSON-RPC message');
    const era = eraOf(message, version);
    seen(message, era);
    agree(message, era, headers);
    return hop.post(message, { ...incoming, era });
  }
}

/** BASE-08, BASE-09, LANG-46: headers that repeat the body must say the same. */
function agree(message: Message, era: Era, headers: Headers): void {
  const language = message.meta[keys.ACCEPT_LANGUAGE];
  const header = headers['accept-language'];
  if (typeof language === 'string' && header !== undefined && agreeOnRequest(language, header) === 'disagree')
    throw new ContextError('language-mismatch', { ...diagnoseMismatch('Accept-Language', header, language) });
  if (era === 'legacy' || message.kind !== 'request') return;
  const { name, method } = message;
  const version = own(message.meta, keys.PROTOCOL_VERSION);
  const rows = [
    ['MCP-Protocol-Version', version, headers['mcp-protocol-version']],
    ['Mcp-Method', method, headers['mcp-method']],
    ...(name === undefined ? [] : [['Mcp-Name', name, headers['mcp-name'] && readHeaderText(headers['mcp-name'])]]),
  ] as const;
  for (const [field, expected, found] of rows)
    if (found !== expected) {
      const problem = found === undefined ? 'is missing' : 'differs from the body';
      throw new Refusal(400, HEADER_MISMATCH, `Header mismatch: ${field} ${problem}`, { header: field });
    }
}

function refusalOf(error: unknown, { id }: ReplyAbout): Answer {
  if (error instanceof Refusal) return error.answer(id);
  if (error instanceof ContextError)
    return { kind: 'whole', status: error.status, headers: { connection: 'close' }, text: JSON.stringify(errorAnswer(id, error)) };
  return new Refusal(500, -32603, 'Internal error').answer(id);
}

function withCors(sink: Sink, cors: Headers): Sink {
  if (Object.keys(cors).length === 0) return sink;
  return {
    head: (status, headers) => sink.head(status, { ...headers, ...cors, ...(headers['vary'] && { vary: `${headers['vary']}, Origin` }) }),
    write: (chunk) => sink.write(chunk),
    end: () => sink.end(),
    destroy: () => sink.destroy(),
  };
}
