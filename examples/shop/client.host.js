// A minimal host: one client of either SDK, its transport with the layer, and a user who answers questions.
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const INFO = { name: 'shop-client', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {} } };
const MODES = { 2025: 'legacy', 2026: { pin: '2026-07-28' }, auto: 'auto' };
/** The headers of a request that carry context. */
const SHOWN = ['accept-language', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'traceparent'];

export class Host {
  /** The messages since the last step. */
  messages = [];
  /** The user's answer to a question, and the questions. */
  answer = undefined;
  asked = [];
  /** True if the server closed the connection or is gone. */
  lost = false;
  #connected;
  #closing = false;
  #sdk;

  constructor(waybill, options) {
    this.waybill = waybill;
    this.options = options;
    this.#sdk = options.sdk === 'v1' ? this.#clientV1() : this.#clientV2();
    this.#sdk.onclose = () => (this.lost = !this.#closing);
    this.client = this.#sdk;
  }

  /** Sets the conversation of all later calls. Without one, the connection itself is the conversation. */
  talk(conversation) {
    this.conversation = conversation;
    this.client = conversation === undefined ? this.#sdk : this.waybill.with({ conversation }).client(this.#sdk);
  }

  connect() {
    return (this.#connected ??= this.#sdk.connect(this.waybill.attach(this.#transport(), { client: this.#sdk })));
  }

  async close() {
    this.#closing = true;
    if (this.#connected !== undefined) await this.#sdk.close();
  }

  #clientV1() {
    const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, (request) => this.#elicit(request.params));
    return client;
  }

  #clientV2() {
    // The second line: lists stay cached, one for each language.
    const client = new ClientV2(
      INFO,
      this.waybill.clientOptions({ capabilities: CAPABILITIES, versionNegotiation: { mode: MODES[this.options.era] } }),
    );
    client.setRequestHandler('elicitation/create', (request) => this.#elicit(request.params));
    return client;
  }

  #elicit(params) {
    const { message, requestedSchema } = params;
    this.asked.push({ message, requestedSchema, language: this.waybill.languageOf(params) });
    return this.answer === undefined ? { action: 'decline' } : { action: 'accept', content: this.answer };
  }

  #transport() {
    const { url, command, sdk } = this.options;
    if (url === undefined) {
      const [file, ...args] = command;
      const params = { command: file, args, env: process.env, stderr: 'inherit' };
      return this.#recorded(sdk === 'v1' ? new StdioV1(params) : new StdioV2(params), true);
    }
    const fetch = (to, init) => {
      if (typeof init?.body === 'string') this.#sent(JSON.parse(init.body), init.headers);
      return globalThis.fetch(to, init).then(
        (response) => ((this.lost = false), response),
        (error) => {
          if (init?.signal?.aborted !== true) this.lost = true;
          throw error;
        },
      );
    };
    return this.#recorded(sdk === 'v1' ? new HttpV1(new URL(url), { fetch }) : new HttpV2(new URL(url), { fetch }), false);
  }

  #sent(message, headers) {
    const shown = headers && Object.fromEntries([...new Headers(headers)].filter(([name]) => SHOWN.includes(name)));
    this.messages.push({ direction: 'sent', message, ...(shown && { headers: shown }) });
  }

  /** Records messages below the layer, so it is put on the transport before it. */
  #recorded(transport, sends) {
    if (sends) {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        this.#sent(structuredClone(message));
        return send(message, options);
      };
    }
    let handler = transport.onmessage;
    Object.defineProperty(transport, 'onmessage', {
      configurable: true,
      enumerable: true,
      get: () => handler,
      set: (next) => {
        handler =
          next &&
          ((message, extra) => {
            this.messages.push({ direction: 'received', message: structuredClone(message) });
            next(message, extra);
          });
      },
    });
    return transport;
  }
}
