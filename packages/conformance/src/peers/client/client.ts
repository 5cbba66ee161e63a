/** The reference client: plain code that carries out the steps of a scenario and keeps every rule, except those whose fault is switched on. */
import type { StartClient } from '../../scenarios/run.js';
import type { Step } from '../../scenarios/scenarios.js';
import { type Exchange, header, type Link } from '../../wire/exchange.js';
import { HttpLink } from '../../wire/http.js';
import { at, isObject, type Message } from '../../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CLIENT_INFO,
  HEADER_MISMATCH,
  LEGACY,
  MODERN,
  PROTOCOL_VERSION,
} from '../../wire/keys.js';
import { StdioLink } from '../../wire/stdio.js';
import { TRACE_ID } from '../../wire/trace.js';
import type { Faults } from '../reply.js';
import { Drawers } from './drawers.js';
import { isMissing, isValid } from './answers.js';
import { environment, headers } from './outgoing.js';
import { offers } from './requirements.js';

const INFO = { name: 'reference-client', version: '1.0.0' };

/** `words` as a client gets them: a URL, or `--` and a command. */
export const openLink = (words: readonly string[]): Link =>
  words[0] === '--' ? new StdioLink(words.slice(1)) : new HttpLink(new URL(words[0] ?? ''));

/** The reference client as a subject of `check client`. */
export const referenceClient =
  (faults: Iterable<string>, wire: 'current' | 'seed' = 'current', open = openLink): StartClient =>
  async ({ words, env }) => {
    const context: unknown = JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
    const servers = { first: words, other: (at(context, 'other') ?? words) as string[] };
    const client = new ReferenceClient(servers, env['MCP_CONFORMANCE_PROTOCOL_VERSION'] !== LEGACY, new Set(faults), wire, open);
    try {
      await client.run(at(context, 'language') as string | undefined, at(context, 'steps') as Step[]);
      return 'ended with code 0';
    } catch (error) {
      return `ended with ${String(error)}`;
    } finally {
      await client.close();
    }
  };

class ReferenceClient {
  readonly #servers: Readonly<Record<'first' | 'other', readonly string[]>>;
  readonly #modern: boolean;
  readonly #faults: Faults;
  readonly #wire: 'current' | 'seed';
  readonly #drawers: Drawers;
  readonly #open: typeof openLink;
  readonly #started = new Date().toISOString();
  #link: Link | undefined;
  #words: readonly string[] = [];
  #language: string | undefined;
  #session: string | undefined;
  #id = 0;
  #spans = 0;
  /** The newest request whose answer has been applied. */
  #applied = 0;
  #tools: Message[] | undefined;

  constructor(
    servers: Readonly<Record<'first' | 'other', readonly string[]>>,
    modern: boolean,
    faults: Faults,
    wire: 'current' | 'seed',
    open: typeof openLink,
  ) {
    this.#servers = servers;
    this.#drawers = new Drawers(faults);
    this.#open = open;
    this.#modern = modern;
    this.#faults = faults;
    this.#wire = wire;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  get #keeps(): boolean {
    return this.#drawers.keepsFor(this.#words);
  }

  async close(): Promise<void> {
    await this.#link?.close();
  }

  async #connect(words: readonly string[]): Promise<void> {
    await this.close();
    this.#words = words;
    this.#drawers.open(words);
    this.#link = this.#open(words);
    [this.#session, this.#tools] = [undefined, undefined];
    if (this.#modern) {
      await this.#request('server/discover', {});
      return;
    }
    const capabilities = this.#capabilities('initialize');
    const opened = await this.#request('initialize', { protocolVersion: LEGACY, capabilities, clientInfo: INFO });
    this.#session = header(opened, 'mcp-session-id');
    const params = this.#has('state-in-notifications') ? { params: { _meta: this.#drawers.sent() } } : {};
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized', ...params };
    await this.#link.send(initialized, { timeout: 5000, headers: headers(this.#faults, '', {}, false, this.#session) });
  }

  async run(language: string | undefined, steps: readonly Step[]): Promise<void> {
    this.#language = language;
    await this.#connect(this.#servers.first);
    for (const step of steps) await this.#step(step);
  }

  async #step(step: Step): Promise<void> {
    if (step.op === 'language') {
      const sameTag = tagOf(this.#language) === tagOf(step.value);
      this.#language = step.value;
      // LANG-60: what was kept belongs to the preference it was asked with.
      if (!this.#has('language-cached') && !(sameTag && this.#has('language-cached-by-tag'))) this.#tools = undefined;
    } else if (step.op === 'list') await this.#list();
    else if (step.op === 'connect') await this.#connect(this.#servers[step.to]);
    else if (step.op === 'together') await Promise.all(step.steps.map((one) => this.#call(one.name, one.arguments)));
    else if (step.op === 'call') {
      const succeeded = await this.#call(step.name, step.arguments);
      if (!succeeded && step.otherwise !== undefined) await this.#call(step.otherwise, {});
    } else for (const tool of await this.#list()) if (offers(this.#faults, tool)) await this.#call(String(tool['name']), {});
  }

  async #list(): Promise<Message[]> {
    if (this.#tools !== undefined && this.#modern) return this.#tools;
    if (this.#tools !== undefined && this.#has('language-cached')) return this.#tools;
    const listed = await this.#request('tools/list', {});
    const tools = at(listed.answer, 'result', 'tools');
    return (this.#tools = Array.isArray(tools) ? tools.filter(isObject) : []);
  }

  async #call(name: string, args: Message): Promise<boolean> {
    const inArguments = this.#has('environment-in-arguments') ? { timezone: 'Europe/Vienna' } : {};
    const params = { name, arguments: this.#has('arguments-as-text') ? asText(args) : { ...args, ...inArguments } };
    const called = await this.#request('tools/call', params);
    const code = at(called.answer, 'error', 'code');
    for (let more = 0; code === HEADER_MISMATCH && more < (this.#has('retries-refused') ? 3 : 0); more++)
      await this.#request('tools/call', params);
    // CAP-16: the list that offered the tool is stale.
    if (isMissing(this.#faults, called) && !this.#has('capabilities-keeps-list')) this.#tools = undefined;
    const type = at(called.answer, 'result', 'resultType');
    if (type !== 'input_required') return isValid(this.#faults, called);
    const state = String(at(called.answer, 'result', 'requestState'));
    if (this.#has('reuses-id')) this.#id--;
    const requestState = this.#has('changes-request-state') ? encodeURIComponent(state) : state;
    await this.#request('tools/call', {
      ...params,
      requestState,
      inputResponses: { colour: { action: 'accept', content: { colour: 'blue' } } },
    });
    return true;
  }

  #capabilities(method: string): Message {
    const state = this.#keeps || this.#has('state-declared-on-loopback');
    const forgets = this.#has('state-undeclared') && (this.#modern ? method === 'tools/list' : true);
    return { elicitation: {}, ...(state && !forgets && { state: {} }) };
  }

  async #request(method: string, params: Message): Promise<Exchange> {
    const call = method === 'tools/call';
    const retry = params['requestState'] !== undefined;
    const meta: Message = {
      ...(this.#modern && this.#envelope(method)),
      ...(retry && this.#has('language-missed-on-retry') ? {} : this.#preference(call)),
      ...(call && { progressToken: this.#token() }),
      [this.#has('trace-prefixed') ? 'io.modelcontextprotocol.traceparent' : 'traceparent']: this.#trace(),
      tracestate: this.#has('trace-state-spaces') ? 'my vendor=1' : 'vendor=1',
      baggage: this.#has('trace-baggage-spaces') ? 'user=a b' : this.#has('state-in-baggage') ? this.#drawers.asBaggage() : 'app=reference',
      ...(call && !this.#beside && { [CLIENT_CONTEXT]: environment(this.#faults, this.#started) }),
      ...(this.#has('key-with-space') && { 'sent by': 'me' }),
      ...(this.#keeps &&
        !(this.#has('state-only-calls') && !call) &&
        !(this.#has('state-missed-on-opening') && ['server/discover', 'initialize'].includes(method)) &&
        !(retry && this.#has('state-missed-on-retry')) &&
        this.#drawers.sent()),
    };
    const message = {
      jsonrpc: '2.0',
      id: ++this.#id,
      method,
      params: { ...params, _meta: meta, ...(this.#has('trace-in-params') && { traceparent: this.#trace() }) },
      ...(call && this.#beside && { clientContext: environment(this.#faults, this.#started) }),
    };
    const exchange = await this.#link?.send(message, {
      timeout: 5000,
      headers: headers(this.#faults, method, message.params, this.#modern, this.#session),
    });
    if (exchange === undefined) throw new Error('not connected');
    const { id } = message;
    const stale = this.#has('state-by-request-order') && id < this.#applied;
    this.#applied = Math.max(id, this.#applied);
    if (this.#keeps && !stale) this.#drawers.apply(at(exchange.answer, 'result', '_meta'));
    return exchange;
  }

  /** All requests belong to one trace; each is a span of its own. */
  #trace(): string {
    const number = (++this.#spans).toString(16);
    const trace = this.#has('trace-new-trace') ? number.padStart(32, '0') : TRACE_ID;
    const whole = `00-${trace}-${(this.#has('trace-same-span') ? '1' : number).padStart(16, '0')}-01`;
    return this.#has('trace-upper-case') ? whole.toUpperCase() : whole;
  }

  #token(): unknown {
    if (this.#has('progress-token-object')) return {};
    return this.#has('progress-token-constant') ? 'progress' : this.#id + 1;
  }

  get #beside(): boolean {
    return this.#wire === 'seed' ? !this.#has('environment-in-meta') : this.#has('environment-beside');
  }

  #envelope(method: string): Message {
    const capabilities =
      this.#has('no-envelope') && method === 'server/discover' ? {} : { [CLIENT_CAPABILITIES]: this.#capabilities(method) };
    return { [PROTOCOL_VERSION]: MODERN, [CLIENT_INFO]: INFO, ...capabilities };
  }

  #preference(call: boolean): Message {
    if (this.#language === undefined || (this.#has('language-only-calls') && !call)) return {};
    return { [ACCEPT_LANGUAGE]: this.#has('language-underscore') ? this.#language.replaceAll('-', '_') : this.#language };
  }
}

/** The first tag of a preference. */
const tagOf = (preference: string | undefined): string | undefined => preference?.split(/[,;]/)[0];

const asText = (args: Message): Message => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
