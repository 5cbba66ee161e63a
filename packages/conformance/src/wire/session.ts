/** The parts that one revision adds to a raw request: the envelope and mirrored headers, or a handshake and a session. */
import { type Exchange, type HeaderLine, header, type Link } from './exchange.js';
import { at, type Message } from './json.js';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CLIENT_INFO, LEGACY, MODERN, NAMED_BY, PROTOCOL_VERSION, type Revision } from './keys.js';

export interface Ask {
  readonly params?: Message | undefined;
  readonly meta?: Message | undefined;
  /** The preference: it goes into `_meta` and, over HTTP, into the header. */
  readonly language?: unknown;
  /** Accept-Language lines instead of the mirrored one. */
  readonly acceptLanguage?: readonly string[] | undefined;
  readonly capabilities?: Message | undefined;
  /** Further headers; a name given here replaces the one that the revision asks for. */
  readonly headers?: readonly HeaderLine[] | undefined;
  /** Keys of the envelope and names of headers, in lower case, to leave out. */
  readonly without?: readonly string[] | undefined;
  /** Members beside `params`. */
  readonly beside?: Message | undefined;
}

const INFO = { name: 'waybill-conformance', version: '0.1.0' };

export class Session {
  readonly revision: Revision;
  readonly link: Link;
  readonly #timeout: number;
  readonly #capabilities: Message;
  #session: string | undefined;
  #next = 1;

  constructor(revision: Revision, link: Link, timeout: number, capabilities: Message = {}) {
    this.revision = revision;
    this.link = link;
    this.#timeout = timeout;
    this.#capabilities = capabilities;
  }

  /** The handshake of 2025-11-25, or discovery: both show whether the revision is spoken. */
  async open(timeout = this.#timeout): Promise<Exchange> {
    if (this.revision === MODERN) return this.request('server/discover', {}, timeout);
    const params = { protocolVersion: LEGACY, capabilities: this.#capabilities, clientInfo: INFO };
    const opened = await this.link.send({ jsonrpc: '2.0', id: this.#id(), method: 'initialize', params }, { timeout, headers: [] });
    this.#session = header(opened, 'mcp-session-id');
    if (at(opened.answer, 'result') !== undefined) await this.#initialized();
    return opened;
  }

  request(method: string, ask: Ask = {}, timeout = this.#timeout): Promise<Exchange> {
    const id = this.#id();
    const message = { jsonrpc: '2.0', id, method, params: this.#params(ask), ...ask.beside };
    return this.link.send(message, { timeout, headers: this.#headers(message, ask) });
  }

  #initialized(): Promise<Exchange> {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized', params: {} };
    return this.link.send(message, { timeout: this.#timeout, headers: this.#headers(message, {}) });
  }

  #id(): number {
    return this.#next++;
  }

  #params({ params = {}, meta, language, capabilities = {}, without = [] }: Ask): Message {
    const envelope = {
      [PROTOCOL_VERSION]: MODERN,
      [CLIENT_INFO]: INFO,
      [CLIENT_CAPABILITIES]: capabilities,
    };
    const kept = Object.fromEntries(
      Object.entries({
        ...(this.revision === MODERN ? envelope : {}),
        ...(language === undefined ? {} : { [ACCEPT_LANGUAGE]: language }),
        ...meta,
      }).filter(([key]) => !without.includes(key)),
    );
    return Object.keys(kept).length === 0 ? params : { ...params, _meta: kept };
  }

  #headers(message: Message, { language, acceptLanguage, headers = [], without = [] }: Ask): HeaderLine[] {
    if (this.link.transport === 'stdio') return [];
    const mirrored = acceptLanguage ?? (typeof language === 'string' ? [language] : []);
    const name = at(message, 'params', NAMED_BY[String(message['method'])] ?? '');
    const own: HeaderLine[] = [
      ['MCP-Protocol-Version', this.revision],
      ...(this.#session === undefined ? [] : [['Mcp-Session-Id', this.#session] as const]),
      ...(this.revision === MODERN ? [['Mcp-Method', String(message['method'])] as const] : []),
      ...(this.revision === MODERN && typeof name === 'string' ? [['Mcp-Name', name] as const] : []),
    ];
    const replaced = new Set([...headers.map(([key]) => key.toLowerCase()), ...without]);
    return [
      ...own.filter(([key]) => !replaced.has(key.toLowerCase())),
      ...mirrored.map((value) => ['Accept-Language', value] as const),
      ...headers,
    ];
  }
}
