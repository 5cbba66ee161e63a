/** The HTTP edge: finds the upstream, checks where a request comes from and what it says of itself, and hands it to the hop. */
import { ContextError, type JsonObject } from 'waybill';
import { Bodies } from 'waybill/adapter';
import { noSession, POST_ONLY, Refusal, wholeAnswer, type Answer, type Headers } from '../answer.js';
import type { GatewayConfig } from '../config/types.js';
import type { Caller } from '../face.js';
import type { Identity } from '../identity/identity.js';
import { errorText, idTextOf, messageOf } from '../message.js';
import { declaredBy, eraOf, isModernVersion } from '../revision.js';
import type { Exchange, Exchanges } from '../operations/exchanges.js';
import type { Served, Serving } from '../serving.js';
import { either } from '../signals.js';
import { admit } from './admit.js';
import { agree } from './agree.js';
import type { Counted, Limits } from './limits.js';
import { reply, type ReplyAbout, type Sink } from './reply.js';
import type { HttpRequest } from './request.js';
import type { SealedSession, SessionOwner, SessionSeal } from './sessions.js';

export interface EdgeParts {
  readonly config: GatewayConfig;
  readonly serving: Serving;
  readonly exchanges: Exchanges;
  readonly identity: Identity;
  readonly limits: Limits;
  /** Rejects while the key of the sessions cannot be read. */
  readonly seal: () => Promise<SessionSeal>;
  /** Aborted when the gateway stops: streams that only wait end then, calls go on. */
  readonly stopping: AbortSignal;
}

export class Edge {
  readonly #parts: EdgeParts;
  readonly #bodies: Bodies;

  constructor(parts: EdgeParts) {
    this.#parts = parts;
    const { body: size, depth, time } = parts.config.limits;
    this.#bodies = new Bodies({ size, depth, time });
  }

  /** Answers a request. Never rejects. */
  async handle(request: HttpRequest, out: Sink): Promise<void> {
    const told: Told = { idText: 'null', era: 'legacy', isStream: request.method === 'GET', metadata: undefined };
    if (request.path === '/healthz') {
      await reply(wholeAnswer('{"status":"ok"}'), out, { ...told, isStream: false });
      return;
    }
    const exchange = this.#parts.exchanges.begin(request.method);
    const sink = exchange === undefined ? out : exchange.watch(out);
    let cors: Headers = {};
    try {
      cors = admit(request, this.#parts.config);
      const early = this.#early(request);
      if (early !== undefined) await reply(early, withCors(sink, cors), { ...told, isStream: false });
      else await this.#serve(request, withCors(sink, cors), told, exchange);
    } catch (error) {
      if (request.signal.aborted) sink.destroy();
      else await reply(refusalOf(error, told), withCors(sink, cors), { ...told, isStream: false, isOwn: true }).catch(() => undefined);
    } finally {
      told.release?.();
      exchange?.end(request.signal.aborted && request.method !== 'GET' ? 499 : undefined);
    }
  }

  /** Answers that are for everybody. */
  #early({ method, path }: HttpRequest): Answer | undefined {
    if (method === 'OPTIONS') return { kind: 'whole', status: 204, headers: {} };
    const document = method === 'GET' ? this.#parts.identity.metadata?.(path) : undefined;
    return document && wholeAnswer(JSON.stringify(document));
  }

  async #serve(request: HttpRequest, sink: Sink, told: Told, exchange: Exchange | undefined): Promise<void> {
    const { identity, limits } = this.#parts;
    const served = this.#find(request.path);
    const { name } = served.hop;
    if (exchange) exchange.upstream = name;
    const caller = await identity.identify(request);
    const { principal } = caller;
    if (exchange) exchange.principal = principal;
    let leave: (() => void) | undefined;
    const count = (kind: Counted): void => {
      leave?.();
      leave = limits.enter(principal, name, kind);
    };
    try {
      await served.run(async () => {
        const { target } = served.hop.config;
        if (target.kind === 'http') told.metadata = target.metadata;
        const opened = await this.#session(request, { upstream: name, principal }, told);
        await reply(await this.#answer(served, request, { caller, opened, exchange, count }, told), sink, told);
      });
    } finally {
      leave?.();
    }
  }

  #find(path: string): Served {
    const { serving } = this.#parts;
    const name = /^\/([^/]+)\/mcp\/?$/.exec(path)?.[1];
    const only = serving.size === 1 && /^\/mcp\/?$/.test(path) ? serving.values().next().value : undefined;
    const served = only ?? (name === undefined ? undefined : serving.get(decoded(name)));
    if (served === undefined) throw new Refusal(404, -32000, 'Not Found: no upstream is served at this address');
    return served;
  }

  /** The session of a request. From now on `told` knows how the id of a session is told to the client. */
  async #session({ headers, method }: HttpRequest, owner: SessionOwner, told: Told): Promise<SealedSession | undefined> {
    // An empty header is what a client without a session may send.
    const given = headers['mcp-session-id'] || undefined;
    // BASE-18: the 2026 revision has no sessions, so the header means nothing there.
    if (isModernVersion(headers['mcp-protocol-version']) || (given === undefined && method !== 'POST')) return undefined;
    const seal = await this.#parts.seal();
    const opened = given === undefined ? undefined : seal.open(given, owner);
    if (given !== undefined && opened === undefined) throw noSession();
    told.sessionId = (id) => (given !== undefined && id === opened?.id ? given : seal.seal({ id, capabilities: told.declared }, owner));
    return opened;
  }

  async #answer({ hop }: Served, request: HttpRequest, { caller, opened, exchange, count }: Asked, told: Told): Promise<Answer> {
    const { method, headers, signal } = request;
    const version = headers['mcp-protocol-version'];
    const incoming = {
      ...{ caller, session: opened?.id, declared: opened?.capabilities, version, received: headers, signal },
      ...(exchange && { exchange }),
    };
    const hasNoStreams = isModernVersion(version) && (method === 'GET' || method === 'DELETE');
    if (hasNoStreams) return POST_ONLY;
    if (method === 'GET' || method === 'DELETE') count(method === 'GET' ? 'streams' : 'calls');
    const whileServing = (): AbortSignal => {
      const both = either(signal, this.#parts.stopping);
      told.release = both.release;
      return both.signal;
    };
    if (method === 'GET') return hop.get({ ...incoming, signal: whileServing(), era: 'legacy' });
    if (method === 'DELETE') return hop.delete({ ...incoming, era: 'legacy' });
    if (method !== 'POST') return { kind: 'whole', status: 405, headers: { allow: 'POST, GET, DELETE' } };
    if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
      throw new Refusal(415, -32000, 'Unsupported Media Type: the body must be application/json');
    if (headers['content-encoding'] !== undefined)
      throw new Refusal(415, -32000, 'Unsupported Media Type: the body must not be compressed');
    // Only the body says what is asked for, and nobody may keep many open by sending them slowly.
    count('bodies');
    const text = await this.#bodies.readText(request.body);
    const value = this.#bodies.parse(text);
    told.idText = idTextOf(text, value);
    if (Array.isArray(value)) throw new Refusal(400, -32600, 'Invalid Request: batches are not supported');
    const message = messageOf(text, value);
    if (message === undefined) throw new Refusal(400, -32600, 'Invalid Request: the body is not a JSON-RPC message');
    const era = eraOf(message, version);
    told.era = era;
    exchange?.request(message);
    const isStream = message.method === 'subscriptions/listen';
    count(isStream ? 'streams' : 'calls');
    if (message.method === 'initialize') told.declared = declaredBy(message, era);
    agree(message, era, headers);
    return hop.post(message, { ...incoming, ...(isStream && { signal: whileServing() }), era });
  }
}

/** The facts about a request that are known when its answer is written. */
type Told = { -readonly [Name in keyof ReplyAbout]: ReplyAbout[Name] } & {
  declared?: JsonObject | undefined;
  /** Lets go of what the request held while it was answered. */
  release?: () => void;
};

interface Asked {
  readonly caller: Caller;
  readonly opened: SealedSession | undefined;
  readonly exchange: Exchange | undefined;
  /** Counts the request against the limits of its caller, from now on as this. Throws a refusal. */
  readonly count: (kind: Counted) => void;
}

/** A name that is badly encoded matches no upstream. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}

function refusalOf(error: unknown, { idText }: ReplyAbout): Answer {
  if (error instanceof Refusal) return error.answer(idText);
  if (error instanceof ContextError) {
    const { status, code, message, data } = error;
    const text = errorText(idText, code, message, Object.keys(data).length > 0 ? data : undefined);
    return { kind: 'whole', status, headers: { connection: 'close' }, text };
  }
  return new Refusal(500, -32603, 'Internal error').answer(idText);
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
