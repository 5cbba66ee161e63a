import { commandOf, endpointOf, type Message, type ResponseLanguage, type TransportLike } from '../transport/index.js';
import { isStreamableHttp, sessionOf } from '../transport/sdk.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import { isObject, own, type JsonObject } from '../wire/json.js';
import { EXTENSION_ID } from '../wire/keys.js';
import type { AttachOptions } from './options.js';
import type { ClientConnection, Conversation } from './part.js';
import type { CallValues } from './values.js';

export interface Shared {
  readonly wire: WireOptions;
  readonly onIssue: Report;
  onFault(error: unknown): void;
}

/** The local notification for each list, by the capability of a server that has the list. */
const CHANGED = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};

/** A conversation that is resumed is the same conversation. `fetch` is wrapped unless the first call said `false`. */
function sameOption(name: keyof AttachOptions, again: unknown, first: unknown): boolean {
  if (name === 'conversation') {
    const [one, other] = [again, first] as [Conversation, Conversation | undefined];
    return one.id === other?.id && one.principal === other.principal;
  }
  return again === (name === 'fetch' ? (first ?? true) : first);
}

/** One attached transport, or one address that receives requests through our `fetch`. */
export class Attached implements ClientConnection {
  readonly transport: TransportLike | undefined;
  readonly seesAnswers: boolean;
  followsRedirects = false;
  /** True until the transport is closed, and again when something is sent through it. */
  open = true;
  readonly url: URL | undefined;
  readonly command: ClientConnection['command'];
  readonly options: AttachOptions;
  /** Principal and conversation given to `attach`; `undefined` if neither was given. */
  readonly values: CallValues | undefined;
  readonly #shared: Shared;
  #capabilities: JsonObject | undefined;
  #isJsonOnly = false;

  constructor(at: TransportLike | URL, options: AttachOptions, shared: Shared) {
    const transport = at instanceof URL ? undefined : at;
    this.transport = transport;
    this.seesAnswers = transport !== undefined;
    this.url = at instanceof URL ? at : endpointOf(at);
    this.command = transport && commandOf(transport);
    this.options = options;
    const { principal, conversation } = options;
    if (principal !== undefined || conversation !== undefined)
      this.values = { ...(principal !== undefined && { principal }), ...(conversation && { conversation }) };
    this.#shared = shared;
  }

  /** Only the first `attach` has an effect, so different options in a later one would be ignored silently. */
  checkSame(again: AttachOptions): void {
    for (const [name, value] of Object.entries(again) as [keyof AttachOptions, unknown][]) {
      if (value === undefined || sameOption(name, value, this.options[name])) continue;
      throw new TypeError(`attach.${name}: this transport is already attached with another value; give the value in the first attach()`);
    }
  }

  get server(): string | undefined {
    return this.options.server;
  }

  get wire(): WireOptions {
    return this.#shared.wire;
  }

  get onIssue(): Report {
    return this.#shared.onIssue;
  }

  onFault(error: unknown): void {
    this.#shared.onFault(error);
  }

  get capabilities(): JsonObject | undefined {
    if (this.#capabilities === undefined) {
      const found = this.options.client?.getServerCapabilities?.();
      if (isObject(found)) this.#capabilities = found as JsonObject;
    }
    return this.#capabilities;
  }

  /**
   * D-29: tells whether a server of 2025-11-25 can ask back over this connection. Streamable HTTP cannot without a session, or if the
   * server answers in JSON only. All other transports can.
   */
  get carriesQuestions(): boolean {
    const { transport } = this;
    if (transport === undefined || this.url === undefined || !isStreamableHttp(transport)) return true;
    return sessionOf(transport) !== undefined && !this.#isJsonOnly;
  }

  get extension(): JsonObject | undefined {
    const extensions = this.capabilities && own(this.capabilities, 'extensions');
    const settings = isObject(extensions) ? own(extensions, EXTENSION_ID) : undefined;
    return isObject(settings) ? settings : undefined;
  }

  /** Reads what a server says about itself in its first answer, and whether its answers come as streams. */
  learn(method: string, message: Message, response?: ResponseLanguage): void {
    if (method === 'initialize' || this.#isJsonOnly) this.#isJsonOnly = response?.kind === 'json';
    if (method !== 'initialize' && method !== 'server/discover') return;
    const { result } = message;
    const found = isObject(result) ? own(result, 'capabilities') : undefined;
    if (isObject(found)) this.#capabilities = found as JsonObject;
  }

  listsChanged(): void {
    for (const [name, method] of Object.entries(CHANGED)) {
      if (this.capabilities === undefined || own(this.capabilities, name) !== undefined) this.#tell({ jsonrpc: '2.0', method });
    }
  }

  resourceChanged(uri: string): void {
    this.#tell({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  }

  /** Delivers a notification to the application as if the server had sent it. */
  #tell(notification: Message): void {
    this.transport?.onmessage?.(notification as never);
  }
}

/** Holds the open connections weakly, so that unused ones can be collected. */
export class OpenConnections {
  readonly #refs = new Set<WeakRef<Attached>>();

  add(connection: Attached): void {
    for (const ref of this.#refs) if (ref.deref() === undefined) this.#refs.delete(ref);
    this.#refs.add(new WeakRef(connection));
  }

  *[Symbol.iterator](): Iterator<Attached> {
    for (const ref of this.#refs) {
      const connection = ref.deref();
      if (connection?.open === true) yield connection;
    }
  }
}
