/** The reference gateway: forwards every message as it came and keeps every rule, except those whose fault is switched on. */
import { type HeaderLine } from '../wire/exchange.js';
import { HttpLink } from '../wire/http.js';
import { at, canonical, isObject, type Message } from '../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CLIENT_INFO,
  CONTENT_LANGUAGE,
  isKnownKey,
  PROTOCOL_VERSION,
  SESSION_STATE,
} from '../wire/keys.js';
import { linesOf, type Served, serveRaw } from './serve.js';
import type { Lines, Reply } from './reply.js';

const FORWARDED = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'accept-language'];
/** How long a call takes to go on in a gateway that keeps values in one place, in milliseconds, if no other call comes. */
const SLOW = 25;
const RETURNED = new Set(['content-language', 'mcp-session-id', 'vary', 'cache-control']);

export async function serveGateway(upstream: string, faults: Iterable<string> = [], port = 0): Promise<Served> {
  const gateway = new ReferenceGateway(new URL(upstream), new Set(faults));
  return serveRaw((message, request) => gateway.answer(message, linesOf(request)), port);
}

class ReferenceGateway {
  readonly #link: HttpLink;
  readonly #faults: ReadonlySet<string>;
  readonly #lists = new Map<string, Message>();
  #state: unknown;
  #newest: unknown;
  #wake: () => void = () => undefined;
  #last: Message | undefined;

  constructor(upstream: URL, faults: ReadonlySet<string>) {
    this.#link = new HttpLink(upstream);
    this.#faults = faults;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  async answer(message: Message, lines: Lines): Promise<Reply> {
    const reply: Reply = { status: 200, headers: [], message: undefined, before: [] };
    const { id, method } = message;
    const modern = at(message, 'params', '_meta', PROTOCOL_VERSION) !== undefined;
    const refused = (status: number, code: number, text: string) => ({
      ...reply,
      status,
      message: { jsonrpc: '2.0', id, error: { code, message: text } },
    });
    if (modern && lines('mcp-method').join() !== method && !this.#has('ignores-headers')) return refused(400, -32020, 'Mcp-Method differs');
    if (this.#has('environment-refused') && at(message, 'params', '_meta', CLIENT_CONTEXT) !== undefined)
      return refused(400, -32602, 'no client context here');
    const key = this.#cacheKey(message);
    const cached = method === 'tools/list' ? this.#lists.get(key) : undefined;
    if (cached !== undefined) return { ...reply, message: { ...cached, id } };
    const forwarded = this.#forward(this.#has('language-of-newest') ? await this.#inNewest(message) : message);
    const exchange = await this.#link.send(forwarded, { timeout: 5000, headers: this.#headers(lines, forwarded) });
    const answer = exchange.answer && this.#back(exchange.answer, method);
    const lasts = Number(at(answer, 'result', 'ttlMs') ?? 0) > 0 || this.#has('language-cached');
    if (answer !== undefined && method === 'tools/list' && lasts) this.#lists.set(key, answer);
    const headers = (exchange.headers ?? []).filter(([name]) => RETURNED.has(name.toLowerCase()));
    return {
      status: exchange.status ?? 502,
      headers: headers.map(([name, value]) => [
        name,
        this.#has('language-relabels') && name.toLowerCase() === 'content-language' ? 'de' : value,
      ]),
      message: answer,
      before: exchange.others.map((one) => this.#notice(one)),
    };
  }

  /** TRACE-14, LANG-60: everything that may change the answer, and nothing else. */
  #cacheKey({ params }: Message): string {
    const { _meta: meta, cursor, ...rest } = isObject(params) ? params : {};
    const ignored = new Set([
      ...(this.#has('trace-in-cache-key') ? [] : ['traceparent', 'tracestate', 'baggage']),
      ...['progressToken', CLIENT_INFO, ...(this.#has('language-cached') ? [ACCEPT_LANGUAGE] : [])],
    ]);
    const kept = Object.entries(isObject(meta) ? meta : {}).filter(([key]) => !ignored.has(key));
    return canonical([rest, Object.fromEntries<unknown>(kept), this.#has('cursor-ignored') ? undefined : cursor]);
  }

  #headers(lines: Lines, forwarded: Message): HeaderLine[] {
    const removed = this.#has('removes-language') ? 'accept-language' : undefined;
    const own = FORWARDED.filter((name) => name !== removed).flatMap((name) => lines(name).map((value) => [name, value] as const));
    const stale = this.#has('language-stale-header');
    const language = at(forwarded, 'params', '_meta', ACCEPT_LANGUAGE);
    return own.map(([name, value]) => {
      if (name === 'mcp-name' && this.#has('wrong-upstream-headers')) return [name, 'something'];
      return [name, stale && name === 'accept-language' && typeof language === 'string' ? 'en' : value];
    });
  }

  #forward(message: Message): Message {
    const params = message['params'];
    const meta = at(params, '_meta');
    if (!isObject(params)) return message;
    const call = message['method'] === 'tools/call';
    const dropped = this.#has('removes-language') || this.#has('language-removes-body-only') ? ACCEPT_LANGUAGE : undefined;
    const entries = Object.entries(isObject(meta) ? meta : {}).filter(([key]) => key !== dropped);
    const { traceparent, tracestate, ...rest } = Object.fromEntries(entries);
    const lost = this.#has('trace-lost') || this.#has(call ? 'trace-lost-on-call' : 'trace-lost-on-list');
    const changed: Message = {
      ...rest,
      ...(traceparent !== undefined &&
        !lost && {
          traceparent: this.#has('trace-malformed') ? `x${typeof traceparent === 'string' ? traceparent.slice(1) : ''}` : traceparent,
        }),
      ...(tracestate !== undefined &&
        !lost &&
        !this.#has('trace-state-lost') && {
          tracestate: this.#has('trace-cuts-state') ? (tracestate as string).slice(0, 256) : tracestate,
        }),
      ...(this.#has('baggage-adds') && { baggage: [rest['baggage'], 'user=alice'].filter(Boolean).join(',') }),
    };
    const language = changed[ACCEPT_LANGUAGE];
    if (this.#has('language-rewrites') && typeof language === 'string') changed[ACCEPT_LANGUAGE] = language.replaceAll(', ', ',');
    const context = changed[CLIENT_CONTEXT];
    if (this.#has('environment-restamps') && isObject(context))
      changed[CLIENT_CONTEXT] = { ...context, currentTimestamp: new Date().toISOString() };
    const declared = changed[CLIENT_CAPABILITIES];
    if (this.#has('capabilities-adds') && isObject(declared)) changed[CLIENT_CAPABILITIES] = { ...declared, sampling: {} };
    if (this.#has('state-shared') && this.#state !== undefined) changed[SESSION_STATE] ??= this.#state;
    const kept = this.#has('drops-unknown') ? Object.fromEntries(Object.entries(changed).filter(([key]) => isKnownKey(key))) : changed;
    const args = params['arguments'];
    if (this.#has('arguments-as-text') && isObject(args)) {
      const texts: [string, unknown][] = Object.entries(args).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : value,
      ]);
      return { ...message, params: { ...params, _meta: kept, arguments: Object.fromEntries<unknown>(texts) } };
    }
    const passed = this.#retry(params);
    return { ...message, params: Object.keys(kept).length === 0 && meta === undefined ? passed : { ...passed, _meta: kept } };
  }

  /** Faults of gateways that know only some members of a call. */
  #retry(params: Message): Message {
    const { requestState, inputResponses, ...rest } = params;
    if (this.#has('drops-request-state')) return { ...rest, ...(inputResponses !== undefined && { inputResponses }) };
    if (!this.#has('changes-responses') || inputResponses === undefined) return params;
    return { ...params, inputResponses: JSON.stringify(inputResponses) };
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
    // The answer to the call before this one: what a gateway does that pairs by order.
    if (this.#has('mixes-answers') && method === 'tools/call') [this.#last, changed] = [changed, this.#last ?? changed];
    return { ...answer, result: changed };
  }

  #notice(one: Message): Message {
    const params = one['params'];
    return this.#has('wrong-token') && isObject(params) ? { ...one, params: { ...params, progressToken: 1 } } : one;
  }
}
