/** The HTTP edge: finds the upstream, checks where a request comes from and what it says of itself, and hands it to the hop. */
import { ContextError, keys } from 'waybill';
import { agreeOnRequest, Bodies, diagnoseMismatch, errorAnswer, type Chunks } from 'waybill/adapter';
import { Refusal, wholeAnswer, type Answer, type Headers } from '../answer.js';
import type { GatewayConfig } from '../config/types.js';
import type { Caller } from '../face.js';
import type { Exchange, Exchanges } from '../operations/exchanges.js';
import type { Served, Serving } from '../serving.js';
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
  readonly #serving: Serving;
  readonly #bodies: Bodies;
  readonly #exchanges: Exchanges;

  constructor(config: GatewayConfig, serving: Serving, exchanges: Exchanges) {
    this.#config = config;
    this.#serving = serving;
    this.#exchanges = exchanges;
    this.#bodies = new Bodies({ size: config.limits.body, depth: config.limits.depth, time: config.limits.time });
  }

  /** Answers a request. Never rejects. */
  async handle(request: HttpRequest, out: Sink): Promise<void> {
    const about = { id: undefined, era: 'legacy' as Era, isStream: request.method === 'GET', metadata: undefined as string | undefined };
    if (request.path === '/healthz') {
      await reply(wholeAnswer('{"status":"ok"}'), out, { ...about, isStream: false });
      return;
    }
    const exchange = this.#exchanges.begin(request.method);
    const sink = exchange === undefined ? out : exchange.watch(out);
    let told: ReplyAbout = about;
    try {
      const cors = this.#admit(request);
      if (request.method === 'OPTIONS') {
        await reply({ kind: 'whole', status: 204, headers: {} }, withCors(sink, cors), about);
        return;
      }
      const served = this.#find(request.path);
      if (exchange) exchange.upstream = served.hop.name;
      await served.run(async () => {
        const answer = await this.#answer(served, request, exchange, (message, era) => {
          told = { ...about, id: message.id, era };
          exchange?.request(message);
        });
        const { target } = served.config;
        const metadata = target.kind === 'http' ? target.metadata : undefined;
        await reply(answer, withCors(sink, cors), { ...told, metadata });
      });
    } catch (error) {
      if (request.signal.aborted) sink.destroy();
      else await reply(refusalOf(error, told), sink, { ...told, isStream: false }).catch(() => undefined);
    } finally {
      exchange?.end(request.signal.aborted && request.method !== 'GET' ? 499 : undefined);
    }
  }

  /** A page of another site must not reach a gateway on this machine, by its own name (DNS rebinding) or ours. */
  #admit({ headers }: HttpRequest): Headers {
    const { host, origin } = headers;
    if (host === undefined || !(LOOPBACK.test(host) || this.#config.hosts.includes(host.replace(/:\d+$/, ''))))
      throw new Refusal(403, -32000, 'Forbidden: this Host is not served here');
    if (origin === undefined) return {};
    if (!isSameOrigin(origin, host) && !this.#config.origins.includes(origin))
      throw new Refusal(403, -32000, 'Forbidden: this Origin is not allowed');
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
      'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
      vary: 'Origin',
    };
  }

  #find(path: string): Served {
    const name = /^\/([^/]+)\/mcp\/?$/.exec(path)?.[1];
    const only = this.#serving.size === 1 && /^\/mcp\/?$/.test(path) ? this.#serving.values().next().value : undefined;
    const served = only ?? (name === undefined ? undefined : this.#serving.get(decoded(name)));
    if (served === undefined) throw new Refusal(404, -32000, 'Not Found: no upstream is served at this address');
    return served;
  }

  async #answer(
    { hop }: Served,
    request: HttpRequest,
    exchange: Exchange | undefined,
    seen: (message: Message, era: Era) => void,
  ): Promise<Answer> {
    const { method, headers, signal } = request;
    const caller: Caller = this.#config.principal === undefined ? {} : { principal: this.#config.principal };
    const version = headers['mcp-protocol-version'];
    const incoming = { caller, session: headers['mcp-session-id'], version, received: headers, signal, ...(exchange && { exchange }) };
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

/** A name that is not encoded as it should be names nothing. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
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
  if (version === undefined) throw new Refusal(400, -32602, `Invalid params: _meta lacks ${keys.PROTOCOL_VERSION}`);
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

/** A page that this address itself serves. The Host header was checked before, so it is not a name that somebody else has pointed here. */
function isSameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
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
