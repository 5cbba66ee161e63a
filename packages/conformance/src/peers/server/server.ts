/**
 * The reference server: plain code, all five concerns, both revisions. It keeps every rule, except those whose fault is switched on.
 * Checks are proven by it: it passes each, and with one fault it fails exactly the checks that name the fault.
 */
import { at, isObject, type Message } from '../../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CONTENT_LANGUAGE,
  FORM,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  LEGACY,
  MODERN,
  PROTOCOL_VERSION,
  REQUIRED_CAPABILITIES,
  SEED_MISMATCH,
  SERVER_INFO,
  SESSION_STATE,
} from '../../wire/keys.js';
import { type Faults, type Lines, newReply, type Reply } from '../reply.js';
import { AskTool, BOTH } from './capabilities.js';
import { format, range } from './environment.js';
import { agree, Chooser, label, speak } from './language.js';
import { answer, Refusal, type Request } from './request.js';
import { refuseKeys, refuseTrace, requireHeaders } from './refuse.js';
import { resources, text } from './resources.js';
import { SharedPlace } from './shared.js';
import { StateTool } from './state.js';
import { DEFAULT, WORDS } from './words.js';

const TEXT = { ...BOTH, extensions: 'paint' };
const INFO = { name: 'reference-server', version: '1.0.0' };

export class ReferenceServer {
  readonly #faults: Faults;
  readonly #mismatch: number;
  readonly #chooser: Chooser;
  readonly #state: StateTool;
  readonly #ask: AskTool;
  readonly #shared: SharedPlace;
  #lists = 0;
  #calls = 0;
  #parent: unknown;

  constructor(faults: Iterable<string> = [], wire: 'current' | 'seed' = 'current') {
    this.#faults = new Set(faults);
    this.#mismatch = wire === 'seed' ? SEED_MISMATCH : HEADER_MISMATCH;
    this.#chooser = new Chooser(this.#faults);
    this.#state = new StateTool(this.#faults);
    this.#ask = new AskTool(this.#faults);
    this.#shared = new SharedPlace(this.#faults);
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  /** Answers one message. `declared` are the capabilities of the handshake, `lines` reads headers over HTTP. */
  async answer(message: Message, declared: Message, lines?: Lines): Promise<Reply> {
    const reply = newReply();
    const { id } = message;
    if (id === undefined) return { ...reply, status: 202 };
    try {
      const request = await this.#shared.take(this.#read(message, declared, lines, reply));
      const result = this.#dispatch(request);
      this.#finish(request, result);
      const { method } = message;
      const bare = method === 'tools/list' && this.#has('language-bare-lists');
      if ((method === 'tools/list' || method === 'tools/call') && !bare) this.#forCaches(request.meta[ACCEPT_LANGUAGE], reply, lines);
      reply.message = { jsonrpc: '2.0', id, result };
    } catch (error) {
      const { code, message: text, status, data } = error instanceof Refusal ? error : new Refusal(-32603, String(error));
      reply.status = status;
      reply.message = { jsonrpc: '2.0', id, error: { code, message: text, ...(data !== undefined && { data }) } };
      const language = at(data, '_meta', CONTENT_LANGUAGE);
      const headed = !this.#has('language-no-header-on-error');
      if (typeof language === 'string' && headed) reply.headers.push(['Content-Language', language]);
      if (!this.#has('language-bare-errors')) this.#forCaches(at(message, 'params', '_meta', ACCEPT_LANGUAGE), reply, lines);
    }
    return reply;
  }

  #read(message: Message, declared: Message, lines: Lines | undefined, reply: Reply): Request {
    const params = isObject(message['params']) ? message['params'] : {};
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const modern = meta[PROTOCOL_VERSION] !== undefined;
    const capabilities = modern ? (meta[CLIENT_CAPABILITIES] as Message) : declared;
    if (this.#has('capabilities-before-agreement') && params['name'] === 'check_ask') this.#ask.require(capabilities, modern);
    if (lines !== undefined) {
      if (modern) requireHeaders(this.#faults, message, meta, lines);
      if (message['method'] === 'tools/call' || !this.#has('language-checks-calls-only')) agree(this.#faults, meta, lines, this.#mismatch);
    }
    if (modern && !isObject(meta[CLIENT_CAPABILITIES]) && !this.#has('accepts-no-envelope'))
      throw new Refusal(INVALID_PARAMS, 'clientCapabilities is missing', 400);
    refuseKeys(this.#faults, message, meta, modern, capabilities);
    if (!(message['method'] === 'tools/list' && this.#has('trace-refuses-on-calls'))) refuseTrace(this.#faults, meta, lines);
    return { message, params, meta, modern, capabilities, ...this.#chooser.choose(meta, lines), reply };
  }

  #dispatch(request: Request): Message {
    switch (request.message['method']) {
      case 'initialize':
        return { protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo: INFO };
      case 'server/discover':
        return this.#cacheable(request, { supportedVersions: [MODERN, LEGACY], capabilities: { tools: {}, resources: {} } });
      case 'resources/list':
        return this.#cacheable(request, resources(this.#faults, request));
      case 'resources/read':
        return this.#cacheable(request, text(request));
      case 'tools/list':
        return this.#cacheable(request, { tools: this.#tools(request) });
      case 'tools/call':
        this.#calls++;
        return this.#call(request);
      default:
        throw new Refusal(this.#has('invents-code') ? -32050 : -32601, 'Method not found', request.modern ? 404 : 200);
    }
  }

  #cacheable({ modern, message, params }: Request, result: Message): Message {
    const missing = { 'server/discover': 'no-hints-on-discovery', 'resources/read': 'no-hints-on-reads' }[String(message['method'])];
    if (!modern || this.#has('no-cache-hints') || this.#has(missing ?? '')) return result;
    const later = params['cursor'] !== undefined && this.#has('scope-by-page');
    return { ...result, ttlMs: 0, cacheScope: later ? 'private' : 'public' };
  }

  #tools({ language, capabilities, meta }: Request): Message[] {
    const words = WORDS[this.#has('language-titles-untranslated') ? DEFAULT : (language ?? DEFAULT)];
    const tone = this.#has('language-translates-values') ? words?.tones : WORDS[DEFAULT]?.tones;
    const tool = (name: string, properties: Message, rest: Message = {}) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema: { type: 'object', properties },
      ...rest,
    });
    const tools = [
      tool('check_language', { tone: { type: 'string', enum: tone }, title: { type: 'string' } }, { title: words?.title }),
      tool('check_range', { phrase: { type: 'string' } }),
      tool('check_format', { number: { type: 'number' } }),
      tool('check_state', { name: { type: 'string' }, value: {} }),
      tool('check_meta', {}),
      tool('check_ask', {}, { _meta: { [REQUIRED_CAPABILITIES]: this.#has('capabilities-annotation-list') ? ['elicitation'] : FORM } }),
      tool('check_both', {}, { _meta: { [REQUIRED_CAPABILITIES]: this.#has('capabilities-annotation-text') ? TEXT : BOTH } }),
    ];
    if (this.#has('capabilities-public-variant') && capabilities['elicitation'] !== undefined) tools.push(tool('check_form', {}));
    if (this.#has('state-in-lists') && meta[SESSION_STATE] !== undefined) tools.push(tool('check_more', {}));
    if (this.#has('list-grows')) tools.push(tool(`after_${this.#calls}_calls`, {}));
    return this.#has('shuffles-tools') && this.#lists++ % 2 === 1 ? tools.reverse() : tools;
  }

  #call(request: Request): Message {
    const args = isObject(request.params['arguments']) ? request.params['arguments'] : {};
    switch (request.params['name']) {
      case 'check_language':
        return speak(this.#faults, request, args);
      case 'check_range':
        return range(this.#faults, request, String(args['phrase']));
      case 'check_format':
        return format(this.#faults, request, Number(args['number']));
      case 'check_state':
        return this.#state.keep(request, args);
      case 'check_ask':
        return this.#ask.ask(request);
      case 'check_both':
        return this.#ask.both(request);
      case 'check_meta':
        return this.#meta(request.meta);
      default:
        throw new Refusal(this.#has('invents-code-for-tools') ? -32002 : INVALID_PARAMS, 'Unknown tool');
    }
  }

  #meta({ traceparent: sent, ...rest }: Message): Message {
    const traceparent = sent ?? (this.#has('trace-sticky') ? this.#parent : undefined);
    this.#parent = traceparent;
    const data = { ...rest, ...(traceparent !== undefined && !this.#has('trace-lost') && { traceparent }) };
    return { ...answer(data), ...(this.#has('trace-writes-prefixed') && { _meta: { 'io.modelcontextprotocol/traceparent': sent } }) };
  }

  /** Labels the result, and the head of an HTTP answer. */
  #finish(request: Request, result: Message): void {
    const { modern, language, message, reply, capabilities } = request;
    const listed = message['method'] === 'tools/list';
    const untyped = this.#has('no-result-type') || (this.#has('no-result-type-on-calls') && message['method'] === 'tools/call');
    if (modern && !untyped) result['resultType'] ??= 'complete';
    if (language !== undefined && listed) result['_meta'] = { [CONTENT_LANGUAGE]: language };
    if (listed && isObject(capabilities['state']) && this.#has('state-on-public-lists'))
      addMeta(result, { [SESSION_STATE]: { listed: true } });
    label(this.#faults, request, result);
    const info = this.#has('language-in-version') ? { ...INFO, version: `${INFO.version}+${language ?? DEFAULT}` } : INFO;
    if (modern) addMeta(result, { [SERVER_INFO]: info });
    if (this.#has('key-with-space')) addMeta(result, { 'served by': 'me' });
    if (this.#has('key-reserved-prefix')) addMeta(result, { 'dev.mcp/served-by': 'me' });
    if (this.#has('trace-writes-malformed')) addMeta(result, { traceparent: 'served-by-me' });
    const tag = at(result, '_meta', CONTENT_LANGUAGE);
    const streamed = reply.before.length > 0;
    const bare = this.#has('language-no-content-language') || (listed && this.#has('language-bare-lists'));
    if (typeof tag === 'string' && !streamed && !bare) {
      reply.headers.push(['Content-Language', tag]);
      if (this.#has('language-two-lines')) reply.headers.push(['Content-Language', tag]);
    }
    if (streamed && this.#has('language-stream-header')) reply.headers.push(['Content-Language', 'ja']);
  }

  /** LANG-62, LANG-63: the head tells caches that the answer depends on the preference. */
  #forCaches(preference: unknown, reply: Reply, lines: Lines | undefined): void {
    if (lines === undefined) return;
    const varies = !this.#has('language-no-vary') && (preference !== undefined || !this.#has('language-vary-on-preference'));
    if (varies) reply.headers.push(['Vary', 'Accept-Language']);
    const unseen = preference !== undefined && lines('accept-language').length === 0;
    if (unseen && !this.#has('language-public-unseen')) reply.headers.push(['Cache-Control', 'private']);
  }
}

function addMeta(result: Message, meta: Message): void {
  result['_meta'] = { ...(isObject(result['_meta']) && result['_meta']), ...meta };
}
