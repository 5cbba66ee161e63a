/**
 * The reference server: plain code, all five concerns, both revisions. It keeps every rule, except those whose fault is switched on.
 * Checks are proven by it: it passes each, and with one fault it fails exactly the checks that name the fault.
 */
import { at, isObject, type Message } from '../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CONTENT_LANGUAGE,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  LEGACY,
  MISSING_CAPABILITY,
  MODERN,
  PROTOCOL_VERSION,
  REQUIRED_CAPABILITIES,
  SEED_MISMATCH,
  SESSION_STATE,
} from '../wire/keys.js';
import { dayAround, fixedZone, namedZone, type Zone } from './days.js';
import { choose, DEFAULT, ranges, WORDS } from './words.js';

export type Lines = (name: string) => readonly string[];

export interface Reply {
  status: number;
  headers: [string, string][];
  message: Message | undefined;
  /** Notifications before the answer. */
  before: Message[];
  /** Over HTTP, answer with an event stream even without notifications. */
  streamed?: boolean;
}

interface Request {
  readonly message: Message;
  readonly params: Message;
  readonly meta: Message;
  readonly modern: boolean;
  readonly capabilities: Message;
  /** The chosen language; undefined without a preference. */
  readonly language: string | undefined;
  readonly reply: Reply;
}

class Refusal extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, status = 200, data?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

const FORM = { elicitation: { form: {} } };
const INFO = { name: 'reference-server', version: '1.0.0' };

export class ReferenceServer {
  readonly #faults: ReadonlySet<string>;
  readonly #mismatch: number;
  #lastLanguage: string | undefined;
  #earlier: Message = {};
  #lists = 0;

  constructor(faults: Iterable<string> = [], wire: 'current' | 'seed' = 'current') {
    this.#faults = new Set(faults);
    this.#mismatch = wire === 'seed' ? SEED_MISMATCH : HEADER_MISMATCH;
  }

  has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  /** Answers one message. `declared` are the capabilities of the handshake, `lines` reads headers over HTTP. */
  answer(message: Message, declared: Message, lines?: Lines): Reply {
    const reply: Reply = { status: 200, headers: [], message: undefined, before: [] };
    const { id } = message;
    if (id === undefined) return { ...reply, status: 202 };
    try {
      const request = this.#read(message, declared, lines, reply);
      const result = this.#dispatch(request);
      this.#finish(request, result, lines !== undefined && lines('accept-language').length === 0);
      reply.message = { jsonrpc: '2.0', id, result };
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(-32603, String(error));
      reply.status = refusal.status;
      reply.message = {
        jsonrpc: '2.0',
        id,
        error: { code: refusal.code, message: refusal.message, ...(refusal.data !== undefined && { data: refusal.data }) },
      };
      const language = at(refusal.data, '_meta', CONTENT_LANGUAGE);
      if (typeof language === 'string') reply.headers.push(['Content-Language', language]);
    }
    return reply;
  }

  #read(message: Message, declared: Message, lines: Lines | undefined, reply: Reply): Request {
    const params = isObject(message['params']) ? message['params'] : {};
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const modern = meta[PROTOCOL_VERSION] !== undefined;
    if (lines !== undefined) this.#agree(message, meta, modern, lines);
    if (modern && !isObject(meta[CLIENT_CAPABILITIES]) && !this.has('accepts-no-envelope'))
      throw new Refusal(INVALID_PARAMS, 'clientCapabilities is missing', 400);
    if (this.has('refuses-unknown-meta') && 'com.example/conformance' in meta) throw new Refusal(INVALID_PARAMS, 'unknown key');
    if (this.has('refuses-client-context') && CLIENT_CONTEXT in meta && message['method'] !== 'tools/call')
      throw new Refusal(INVALID_PARAMS, 'clientContext');
    this.#readTrace(meta, lines);
    if (this.has('state-trusts') && SESSION_STATE in meta && !isObject(meta[SESSION_STATE])) throw new TypeError('state is no object');
    const capabilities = modern ? (meta[CLIENT_CAPABILITIES] as Message) : declared;
    return { message, params, meta, modern, capabilities, language: this.#language(meta, lines), reply };
  }

  /** LANG-42, LANG-46, LANG-47: agreement comes before everything else that is done with the language. */
  #agree(message: Message, meta: Message, modern: boolean, lines: Lines): void {
    if (modern && !this.has('ignores-headers') && lines('mcp-method').join(', ') !== message['method'])
      throw new Refusal(HEADER_MISMATCH, 'Mcp-Method differs', 400);
    const preference = meta[ACCEPT_LANGUAGE];
    const sent = lines('accept-language');
    if (this.has('language-needs-header') && typeof preference === 'string' && sent.length === 0)
      throw new Refusal(this.#mismatch, 'no header', 400);
    if (typeof preference !== 'string' || sent.length === 0 || this.has('language-unchecked')) return;
    const joined = this.has('language-first-line') ? (sent[0] ?? '') : sent.join(', ');
    const loose = (text: string) => canonicalRanges(text);
    if (joined === preference || (this.has('language-first-line') && sent.length > 1 && preference === sent[0])) return;
    if (this.has('language-lenient-agreement') && loose(joined) !== undefined && loose(joined) === loose(preference)) return;
    if (this.has('language-grammar-first') && ranges(preference) === undefined) return;
    throw new Refusal(this.has('language-mismatch-code') ? -32001 : this.#mismatch, 'Accept-Language and _meta disagree', 400, {
      headerValue: joined,
      metaValue: preference,
    });
  }

  #readTrace(meta: Message, lines: Lines | undefined): void {
    const { traceparent } = meta;
    if (traceparent === undefined) return;
    if (this.has('trace-refuses')) throw new Refusal(INVALID_PARAMS, 'traceparent is not known here');
    const fits = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(typeof traceparent === 'string' ? traceparent : '');
    if (this.has('trace-refuses-malformed') && !fits) throw new Refusal(INVALID_PARAMS, 'traceparent is malformed');
    const [sent] = lines?.('traceparent') ?? [];
    if (this.has('trace-demands-agreement') && sent !== undefined && sent !== traceparent)
      throw new Refusal(HEADER_MISMATCH, 'traceparent', 400);
  }

  #language(meta: Message, lines: Lines | undefined): string | undefined {
    let preference = meta[ACCEPT_LANGUAGE];
    if (preference === undefined && this.has('language-header-alone')) preference = lines?.('accept-language')[0];
    if (preference !== undefined && typeof preference !== 'string' && this.has('language-breaks-on-number'))
      throw new TypeError('not a string');
    const found = typeof preference === 'string' ? ranges(preference, this.has('language-ignores-zero')) : undefined;
    if (typeof preference === 'string' && found === undefined && this.has('language-refuses-malformed'))
      throw new Refusal(INVALID_PARAMS, 'malformed preference', 400);
    if (found === undefined || found.length === 0) return this.has('language-sticky') ? this.#lastLanguage : undefined;
    if (this.has('language-star-refused') && preference === '*') throw new Refusal(INVALID_PARAMS, 'no such language');
    if (this.has('language-refuses-unmatched') && preference === 'tlh') throw new Refusal(INVALID_PARAMS, 'no such language');
    return (this.#lastLanguage = choose(found, this.#faults));
  }

  #dispatch(request: Request): Message {
    switch (request.message['method']) {
      case 'initialize':
        return { protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo: INFO };
      case 'server/discover':
        return this.#cacheable(request, { supportedVersions: [MODERN, LEGACY], capabilities: { tools: {} }, serverInfo: INFO });
      case 'tools/list':
        return this.#cacheable(request, { tools: this.#tools(request) });
      case 'tools/call':
        return this.#call(request);
      default:
        throw new Refusal(this.has('invents-code') ? -32050 : -32601, 'Method not found', request.modern ? 404 : 200);
    }
  }

  #cacheable({ modern }: Request, result: Message): Message {
    return modern && !this.has('no-cache-hints') ? { ...result, ttlMs: 0, cacheScope: 'public' } : result;
  }

  #tools({ language, capabilities }: Request): Message[] {
    const words = WORDS[this.has('language-titles-untranslated') ? DEFAULT : (language ?? DEFAULT)];
    const tone = this.has('language-translates-values') && language === 'de' ? ['förmlich', 'einfach'] : ['formal', 'plain'];
    const tool = (name: string, properties: Message, rest: Message = {}) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema: { type: 'object', properties },
      ...rest,
    });
    const tools = [
      tool('check_language', { tone: { type: 'string', enum: tone }, title: { type: 'string' } }, { title: words?.title }),
      tool('check_range', { phrase: { type: 'string' } }),
      tool('check_state', { name: { type: 'string' }, value: {} }),
      tool('check_meta', {}),
      tool('check_ask', {}, { _meta: { [REQUIRED_CAPABILITIES]: this.has('capabilities-annotation-list') ? ['elicitation'] : FORM } }),
    ];
    if (this.has('capabilities-public-variant') && capabilities['elicitation'] !== undefined) tools.push(tool('check_form', {}));
    return this.has('shuffles-tools') && this.#lists++ % 2 === 1 ? tools.reverse() : tools;
  }

  #call(request: Request): Message {
    const args = isObject(request.params['arguments']) ? request.params['arguments'] : {};
    const name = String(request.params['name']);
    if (name === 'check_language') return this.#speak(request, args);
    if (name === 'check_range') return answer(this.#range(request, String(args['phrase'])));
    if (name === 'check_state') return this.#keep(request, args);
    if (name === 'check_meta') {
      const { traceparent, ...rest } = request.meta;
      return answer({ ...rest, ...(traceparent !== undefined && !this.has('trace-lost') && { traceparent }) });
    }
    if (name === 'check_ask') return this.#ask(request);
    throw new Refusal(INVALID_PARAMS, `Unknown tool ${name}`);
  }

  #speak(request: Request, { fail, steps, language: argument }: Message): Message {
    const named = typeof argument === 'string' && argument in WORDS && !this.has('language-ignores-argument') ? argument : undefined;
    const language = named ?? request.language;
    const words = WORDS[language ?? DEFAULT];
    if (fail === true) {
      const labelled = language !== undefined && !this.has('language-error-unlabelled');
      const code = this.has('language-error-code') && language === 'de' ? -31_998 : -31_999;
      throw new Refusal(code, words?.failed ?? '', 200, labelled ? { _meta: { [CONTENT_LANGUAGE]: language } } : undefined);
    }
    const token = request.meta['progressToken'];
    for (let done = 1; typeof steps === 'number' && token !== undefined && done <= steps; done++) {
      const other = this.has('language-progress-other') ? 'fr' : language;
      const label = language !== undefined && !this.has('language-progress-unlabelled') && { [CONTENT_LANGUAGE]: other };
      const _meta = { ...label, ...(this.has('state-in-progress') && { [SESSION_STATE]: { step: done } }) };
      const params = { progressToken: token, progress: done, total: steps, message: words?.step, _meta };
      request.reply.before.push({ jsonrpc: '2.0', method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: words?.hello }], ...(language !== undefined && { _meta: { [CONTENT_LANGUAGE]: language } }) };
  }

  #range(request: Request, phrase: string): Message {
    const beside = this.has('environment-no-sibling') ? undefined : request.message['clientContext'];
    const context = [request.meta[CLIENT_CONTEXT], beside].find(isObject) ?? {};
    const { timezone, currentTimestamp: stamp, locale } = context;
    const named = typeof timezone === 'string' ? namedZone(timezone) : undefined;
    const match = typeof stamp === 'string' ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|([+-])(\d\d):(\d\d))$/.exec(stamp) : null;
    const bad =
      (timezone !== undefined && named === undefined) || (locale !== undefined && (typeof locale !== 'string' || locale.includes('_')));
    if (bad && this.has('environment-refuses-bad')) throw new Refusal(INVALID_PARAMS, 'bad client context');
    const offset =
      match === null ? 0 : match[1] === 'Z' ? 0 : (match[2] === '-' ? -1 : 1) * (Number(match[3]) * 60 + Number(match[4])) * 60_000;
    const now = match === null || this.has('environment-own-clock') ? Date.now() : Date.parse(match[0]);
    if (
      named !== undefined &&
      match?.[1] !== 'Z' &&
      match !== null &&
      named.offset(now) !== offset &&
      this.has('environment-refuses-disagreement')
    )
      throw new Refusal(INVALID_PARAMS, 'offset and zone disagree');
    const strange = typeof timezone === 'string' && /^[a-z]+\/[a-z]+$/.test(timezone) && this.has('environment-case-sensitive');
    const dropped = bad && this.has('environment-drops-all');
    let zone: Zone = named ?? fixedZone(this.has('environment-needs-zone') && timezone === undefined ? 0 : offset);
    if (this.has('environment-ignores-zone') && named !== undefined) zone = fixedZone(offset);
    if (strange || dropped) zone = fixedZone(0);
    const moved = { yesterday: -1, today: 0, tomorrow: 1 }[phrase];
    if (moved === undefined) throw new Refusal(INVALID_PARAMS, `no such phrase: ${phrase}`);
    return { ...dayAround(zone, now, moved, this.has('environment-24-hours')) };
  }

  #keep({ capabilities, modern, reply }: Request, { name, value }: Message): Message {
    const remembered = this.has('state-remembers-capability') && modern && isObject(this.#earlier['state']);
    this.#earlier = { ...this.#earlier, ...capabilities };
    if (!isObject(capabilities['state']) && !remembered && !this.has('state-undeclared')) return answer({ set: false });
    const kept = this.has('state-only-text') && typeof value !== 'string' && value !== null ? JSON.stringify(value) : value;
    const plain = this.has('state-plain-names') ? String(name).replaceAll(/\W/g, '_') : String(name);
    const names = this.has('state-null-dropped') && value === null ? {} : { [plain]: kept };
    if (!this.has('state-public')) reply.headers.push(['Cache-Control', 'no-store']);
    return {
      ...answer({ set: true }),
      _meta: {
        [SESSION_STATE]: this.has('state-list') ? [name, value] : names,
        ...(this.has('state-two-spellings') && { [`${SESSION_STATE}/`]: names }),
      },
    };
  }

  #ask({ capabilities, meta, modern, language, params }: Request): Message {
    const remembered = this.has('capabilities-remembered') ? this.#earlier : {};
    this.#earlier = { ...this.#earlier, ...capabilities };
    const declared = { ...remembered, ...capabilities }['elicitation'];
    const url = isObject(declared) && 'url' in declared && !('form' in declared);
    const bare = isObject(declared) && Object.keys(declared).length === 0;
    let met = isObject(declared) && !url && !(bare && this.has('capabilities-literal'));
    met ||= url && this.has('capabilities-any-mode');
    met ||= (declared === false || declared === null) && this.has('capabilities-false-counts');
    if (!met && !this.has('capabilities-unchecked')) {
      const all = this.has('capabilities-names-all') ? { ...FORM, ...capabilities } : FORM;
      const data = { requiredCapabilities: this.has('capabilities-name-list') ? ['elicitation'] : all };
      const code = this.has('capabilities-code') ? -32003 : MISSING_CAPABILITY;
      throw new Refusal(code, 'Missing required client capability', modern && !this.has('capabilities-status') ? 400 : 200, data);
    }
    if (!modern || params['inputResponses'] !== undefined || this.has('capabilities-request'))
      return answer({ asked: meta[CLIENT_CAPABILITIES] !== undefined });
    const colour = {
      method: 'elicitation/create',
      params: { mode: 'form', message: WORDS[language ?? DEFAULT]?.colour, requestedSchema: { type: 'object', properties: {} } },
    };
    const more = this.has('capabilities-asks-more') && {
      think: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    };
    const label = language !== undefined && !this.has('language-question-unlabelled') && { _meta: { [CONTENT_LANGUAGE]: language } };
    return { resultType: 'input_required', inputRequests: { colour, ...more }, requestState: 's', ...label };
  }

  /** Labels the result, and the head of an HTTP answer. */
  #finish({ modern, language, message, reply, meta }: Request, result: Message, unseen: boolean): void {
    if (modern && !this.has('no-result-type')) result['resultType'] ??= 'complete';
    const localised = message['method'] === 'tools/list' || at(result, '_meta', CONTENT_LANGUAGE) !== undefined;
    if (language !== undefined && message['method'] === 'tools/list') result['_meta'] = { [CONTENT_LANGUAGE]: language };
    this.#relabel(result, meta);
    const label = at(result, '_meta', CONTENT_LANGUAGE);
    const streamed = reply.before.length > 0;
    if (typeof label === 'string' && !streamed && !this.has('language-no-content-language')) {
      reply.headers.push(['Content-Language', label]);
      if (this.has('language-two-lines')) reply.headers.push(['Content-Language', label]);
    }
    if (streamed && this.has('language-stream-header')) reply.headers.push(['Content-Language', 'ja']);
    if ((localised || message['method'] === 'tools/call') && !this.has('language-no-vary')) reply.headers.push(['Vary', 'Accept-Language']);
    if (meta[ACCEPT_LANGUAGE] !== undefined && unseen && !this.has('language-public-unseen'))
      reply.headers.push(['Cache-Control', 'private']);
  }

  /** Faults of the report itself. */
  #relabel(result: Message, meta: Message): void {
    const { [CONTENT_LANGUAGE]: label, ...rest } = isObject(result['_meta']) ? result['_meta'] : {};
    const preference = meta[ACCEPT_LANGUAGE];
    if (typeof label !== 'string' || typeof preference !== 'string') return;
    const unmatched = preference === 'tlh';
    if (this.has('language-unreported') && preference.split(',').length === 2) result['_meta'] = rest;
    if (this.has('language-fallback-unreported') && unmatched) result['_meta'] = rest;
    if (this.has('language-underscore') && unmatched) result['_meta'] = { ...rest, [CONTENT_LANGUAGE]: 'en_US' };
    if (this.has('language-echo') && preference.includes('-x-')) result['_meta'] = { ...rest, [CONTENT_LANGUAGE]: preference };
  }
}

const answer = (data: Message): Message => ({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });

const canonicalRanges = (text: string): string | undefined =>
  ranges(text)
    ?.map(({ range, weight }) => `${range};${weight}`)
    .sort()
    .join();
