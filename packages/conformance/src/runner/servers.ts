/** The side of a server under test: sessions opened when they are needed and shared by the checks, and what they have in common. */
import { expect, Failure } from '../check.js';
import type { Exchange, HeaderLine, Link } from '../wire/exchange.js';
import { HttpLink } from '../wire/http.js';
import { at, canonical, equal, isObject, type Message, short } from '../wire/json.js';
import { CONTENT_LANGUAGE, MODERN, type Revision, STATE_KEYS, type Transport } from '../wire/keys.js';
import { type Ask, Session } from '../wire/session.js';
import { StdioLink } from '../wire/stdio.js';

export type Target = { readonly url: URL; readonly headers?: readonly HeaderLine[] } | { readonly command: readonly string[] };

export interface Harmless {
  readonly name: string;
  readonly args: Message;
}

const openLink = (target: Target): Link => ('url' in target ? new HttpLink(target.url, target.headers) : new StdioLink(target.command));

/** One server, spoken to in one revision. */
export class ServerPeer {
  readonly revision: Revision;
  readonly transport: Transport;
  readonly #target: Target;
  readonly #timeout: number;
  readonly #starting: number;
  readonly #sessions = new Map<string, Promise<Session>>();
  /** Every exchange since somebody last took them out. */
  readonly exchanges: Exchange[] = [];

  constructor(target: Target, revision: Revision, { timeout, starting = timeout }: { timeout: number; starting?: number }) {
    this.#target = target;
    this.revision = revision;
    this.transport = 'url' in target ? 'http' : 'stdio';
    this.#timeout = timeout;
    // A server at a URL has started already.
    this.#starting = this.transport === 'stdio' ? starting : timeout;
  }

  /** A request. On 2025-11-25 capabilities are declared by the handshake, so each set of them has a session of its own. */
  async request(method: string, ask: Ask = {}): Promise<Exchange> {
    const session = await this.session(ask.capabilities);
    const exchange = await session.request(method, ask);
    this.exchanges.push(exchange);
    return exchange;
  }

  call(name: string, args: Message = {}, ask: Ask = {}): Promise<Exchange> {
    return this.request('tools/call', { ...ask, params: { name, arguments: args, ...ask.params } });
  }

  async session(capabilities: Message = {}): Promise<Session> {
    const key = this.revision === MODERN ? '' : canonical(capabilities);
    const known = await this.#sessions.get(key)?.catch(() => undefined);
    if (known?.link.alive === true) return known;
    const opening = this.#open(capabilities);
    this.#sessions.set(key, opening);
    return opening;
  }

  async #open(capabilities: Message): Promise<Session> {
    const session = new Session(this.revision, openLink(this.#target), this.#timeout, capabilities);
    const opened = await session.open(this.#starting);
    this.exchanges.push(opened);
    if (at(opened.answer, 'result') !== undefined) return session;
    await session.link.close();
    throw new Failure(`no connection: ${inWords(opened)}`, opened, ['answer']);
  }

  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(async (one) => (await one.catch(() => undefined))?.link.close()));
  }
}

/** An exchange in a few words. */
export function inWords(exchange: Exchange): string {
  const status = exchange.status === undefined ? '' : `HTTP ${exchange.status}, `;
  if (exchange.problem !== undefined) return exchange.problem;
  const error = at(exchange.answer, 'error');
  if (error !== undefined) return `${status}error ${short(at(error, 'code'))} ${short(at(error, 'message'))}`;
  return `${status}${short(at(exchange.answer, 'result'))}`;
}

export const resultOf = (exchange: Exchange): unknown => at(exchange.answer, 'result');
export const codeOf = (exchange: Exchange): unknown => at(exchange.answer, 'error', 'code');

/** The result; anything else is a failure. */
export function expectResult(exchange: Exchange, why: string): Message {
  const result = resultOf(exchange);
  expect(isObject(result), `${why}: ${inWords(exchange)}`, exchange, ['answer']);
  return result;
}

/** The error with this code and, over HTTP on 2026-07-28, this status. */
export function expectRefusal(exchange: Exchange, codes: readonly number[], status: number | undefined, why: string): void {
  expect(codes.includes(codeOf(exchange) as number), `${why}: expected error ${codes.join(' or ')}, got ${inWords(exchange)}`, exchange, [
    'answer',
  ]);
  if (status !== undefined && exchange.status !== undefined)
    expect(exchange.status === status, `${why}: expected HTTP ${status}, got ${inWords(exchange)}`, exchange, ['status']);
}

/** The language that an answer reports: of a result or of an error. */
export const languageOf = (exchange: Exchange): unknown =>
  at(exchange.answer, 'result', '_meta', CONTENT_LANGUAGE) ?? at(exchange.answer, 'error', 'data', '_meta', CONTENT_LANGUAGE);

/** The `_meta` of the answer and of everything that came with it. */
export const metasOf = ({ answer, others }: Exchange): Message[] =>
  [at(answer, 'result', '_meta'), at(answer, 'error', 'data', '_meta'), ...others.map((one) => at(one, 'params', '_meta'))].filter(
    isObject,
  );

/** State set by a result, by scope and under any spelling of its key. */
export function stateIn(holder: unknown): { scope: 'session' | 'server'; key: string; value: unknown }[] {
  const meta = at(holder, '_meta');
  return (['session', 'server'] as const).flatMap((scope) =>
    STATE_KEYS[scope].filter((key) => at(meta, key) !== undefined).map((key) => ({ scope, key, value: at(meta, key) })),
  );
}

/** The data that a tool returned: structured content, or JSON as its first text. */
export function dataOf(exchange: Exchange): unknown {
  const structured = at(exchange.answer, 'result', 'structuredContent');
  if (structured !== undefined) return structured;
  const text = at(exchange.answer, 'result', 'content', 0, 'text');
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** Two answers that say the same, apart from their `_meta`. Two requests that nobody answered have nothing in common. */
export function sameAnswer(one: Exchange, other: Exchange): boolean {
  const bare = (exchange: Exchange) => {
    const result = resultOf(exchange);
    if (!isObject(result)) return { error: codeOf(exchange), problem: exchange.problem };
    const { tools } = result;
    // The order of a list is a rule of its own.
    const sorted = Array.isArray(tools) ? { tools: tools.map(canonical).sort() } : {};
    return { ...result, ...sorted, _meta: undefined };
  };
  return one.answer !== undefined && equal(bare(one), bare(other));
}
