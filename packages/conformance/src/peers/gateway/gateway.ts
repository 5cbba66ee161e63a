/** The reference gateway: forwards every message as it came and keeps every rule, except those whose fault is switched on. */
import type { Exchange } from '../../wire/exchange.js';
import { HttpLink } from '../../wire/http.js';
import { at, canonical, isObject, type Message } from '../../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CONTEXT,
  CLIENT_INFO,
  CONTENT_LANGUAGE,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  PROTOCOL_VERSION,
  SESSION_STATE,
} from '../../wire/keys.js';
import { linesOf, type Served, serveRaw } from '../serve.js';
import { type Faults, type Lines, newReply, type Reply } from '../reply.js';
import { forward } from './forward.js';
import { differing, upstreamHeaders } from './headers.js';

/** Milliseconds that a call waits in a gateway that keeps values in one place, if no other call comes. */
const SLOW = 25;
const RETURNED = new Set(['content-language', 'mcp-session-id', 'vary', 'cache-control']);

export async function serveGateway(upstream: string, faults: Iterable<string> = [], port = 0): Promise<Served> {
  const gateway = new ReferenceGateway(new URL(upstream), new Set(faults));
  return serveRaw((message, request) => gateway.answer(message, linesOf(request)), port);
}

class ReferenceGateway {
  readonly #link: HttpLink;
  readonly #faults: Faults;
  readonly #lists = new Map<string, Message>();
  readonly #progress = new Map<unknown, Message[]>();
  #state: unknown;
  #newest: unknown;
  #wake: () => void = () => undefined;
  #last: Message | undefined;

  constructor(upstream: URL, faults: Faults) {
    this.#link = new HttpLink(upstream);
    this.#faults = faults;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  async answer(message: Message, lines: Lines): Promise<Reply> {
    const reply = newReply();
    const { id, method } = message;
    const modern = at(message, 'params', '_meta', PROTOCOL_VERSION) !== undefined;
    const refused = (status: number, code: number, text: string) => ({
      ...reply,
      status,
      message: { jsonrpc: '2.0', id, error: { code, message: text } },
    });
    const other = modern ? differing(this.#faults, message, lines) : undefined;
    if (other !== undefined) return refused(400, HEADER_MISMATCH, `${other} differs from the body`);
    if (this.#has('environment-refused') && at(message, 'params', '_meta', CLIENT_CONTEXT) !== undefined)
      return refused(400, INVALID_PARAMS, 'no client context here');
    const [parent, sent] = [lines('traceparent')[0], at(message, 'params', '_meta', 'traceparent')];
    if (this.#has('trace-demands-agreement') && parent !== undefined && parent !== sent)
      return refused(400, HEADER_MISMATCH, 'traceparent differs');
    const key = this.#cacheKey(message);
    const cached = method === 'tools/list' ? this.#lists.get(key) : undefined;
    if (cached !== undefined) return { ...reply, message: { ...cached, id } };
    const own = this.#has('language-of-newest') ? await this.#inNewest(message) : message;
    const forwarded = forward(this.#faults, own, this.#state, parent);
    const exchange = await this.#link.send(forwarded, { timeout: 5000, headers: upstreamHeaders(this.#faults, lines, forwarded) });
    const answer = exchange.answer && this.#back(exchange.answer, method);
    const lasts = Number(at(answer, 'result', 'ttlMs') ?? 0) > 0 || this.#has('language-cached');
    const shared = at(answer, 'result', 'cacheScope') !== 'private' || this.#has('shares-private');
    if (answer !== undefined && method === 'tools/list' && lasts && shared) this.#lists.set(key, answer);
    const headers = (exchange.headers ?? []).filter(([name]) => RETURNED.has(name.toLowerCase()));
    return {
      status: this.#has('capabilities-status') ? 200 : (exchange.status ?? 502),
      headers: headers.map(([name, value]) => [
        name,
        this.#has('language-relabels') && name.toLowerCase() === 'content-language' ? 'de' : value,
      ]),
      message: answer,
      before: this.#notices(exchange),
    };
  }

  /** TRACE-14, LANG-60: everything that may change the answer, and nothing else. */
  #cacheKey({ params }: Message): string {
    const { _meta: meta, cursor, ...rest } = isObject(params) ? params : {};
    const ignored = new Set([
      ...(this.#has('trace-in-cache-key') ? [] : ['traceparent', 'tracestate', 'baggage']),
      ...['progressToken', CLIENT_INFO, ...(this.#has('language-cached') ? [ACCEPT_LANGUAGE] : [])],
    ]);
    const kept = Object.entries(isObject(meta) ? meta : {})
      .filter(([key]) => !ignored.has(key))
      .map(([key, value]) => [
        key,
        this.#has('language-cached-by-tag') && key === ACCEPT_LANGUAGE ? String(value).split(/[,;]/)[0] : value,
      ]);
    return canonical([rest, Object.fromEntries(kept), this.#has('cursor-ignored') ? undefined : cursor]);
  }

  /** A fault: the preference stands in one place for all calls, and by the time a call goes on another one may have come. */
  async #inNewest(message: Message): Promise<Message> {
    const language = at(message, 'params', '_meta', ACCEPT_LANGUAGE);
    if (message['method'] !== 'tools/call' || language === undefined) return message;
    this.#newest = language;
    this.#wake();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, SLOW);
    });
    const params = message['params'] as Message;
    return { ...message, params: { ...params, _meta: { ...(params['_meta'] as Message), [ACCEPT_LANGUAGE]: this.#newest } } };
  }

  #back(answer: Message, method: unknown): Message {
    const state = at(answer, 'result', '_meta', SESSION_STATE);
    if (state !== undefined) this.#state = state;
    if (this.#has('capabilities-flattens') && answer['error'] !== undefined)
      return { ...answer, error: { code: -32603, message: 'upstream failed' } };
    const result = answer['result'];
    if (!isObject(result)) return answer;
    let changed = result;
    if (this.#has('capabilities-strips') && Array.isArray(result['tools']))
      changed = { ...result, tools: result['tools'].filter(isObject).map(({ _meta, ...tool }) => tool) };
    if (this.#has('language-relabels') && at(result, '_meta', CONTENT_LANGUAGE) !== undefined)
      changed = { ...result, _meta: { ...(result['_meta'] as Message), [CONTENT_LANGUAGE]: 'de' } };
    // A fault: the answer to the call before this one, as if answers were paired by order.
    if (this.#has('mixes-answers') && method === 'tools/call') [this.#last, changed] = [changed, this.#last ?? changed];
    return { ...answer, result: changed };
  }

  #notices({ others }: Exchange): Message[] {
    const notices = others.map((one) => this.#notice(one));
    if (!this.#has('progress-by-token')) return notices;
    // A fault: progress is kept by token, and two callers may use the same one.
    const token = at(notices[0], 'params', 'progressToken');
    const all = [...(this.#progress.get(token) ?? []), ...notices];
    this.#progress.set(token, all);
    return all;
  }

  #notice(one: Message): Message {
    const params = one['params'];
    return this.#has('wrong-token') && isObject(params) ? { ...one, params: { ...params, progressToken: 1 } } : one;
  }
}
