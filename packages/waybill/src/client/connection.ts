import { commandOf, endpointOf, type Message, type TransportLike } from '../transport/index.js';
import type { WireOptions } from '../wire/concern.js';
import type { Report } from '../wire/issue.js';
import { isObject, own, type JsonObject } from '../wire/json.js';
import { EXTENSION_ID } from '../wire/keys.js';
import type { ClientConnection, Conversation } from './part.js';
import type { CallValues } from './values.js';

export interface AttachOptions {
  /** The identity of the server, where it cannot be derived or should not be. Its state is kept under this name. */
  readonly server?: string;
  /** Whose calls these are (`null`: nobody's in particular) and in which conversation, unless `run()` says otherwise. */
  readonly principal?: string | null;
  readonly conversation?: Conversation;
  /** `false`: leave the `fetch` of the transport alone. Answers are then not checked against their headers. */
  readonly fetch?: boolean;
  /** The SDK's client: asked for the server's capabilities where a connection is resumed without asking the server. */
  readonly client?: { getServerCapabilities?(): unknown };
}

export interface Shared {
  readonly wire: WireOptions;
  readonly onIssue: Report;
  onFault(error: unknown): void;
}

/** The lists that a local notification can tell of, by the capability of a server that has them. */
const CHANGED = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};

/** However often a conversation is resumed, it is one; and `fetch` is left alone only where that was said. */
function sameOption(name: keyof AttachOptions, again: unknown, first: unknown): boolean {
  if (name === 'conversation') {
    const [one, other] = [again, first] as [Conversation, Conversation | undefined];
    return one.id === other?.id && one.principal === other.principal;
  }
  return again === (name === 'fetch' ? (first ?? true) : first);
}

/** One attached transport, or one address that requests go to through our `fetch`. */
export class Attached implements ClientConnection {
  readonly transport: TransportLike | undefined;
  readonly seesAnswers: boolean;
  followsRedirects = false;
  /** Until the transport is closed, and again when something is sent through it. */
  open = true;
  readonly url: URL | undefined;
  readonly command: ClientConnection['command'];
  readonly options: AttachOptions;
  /** What `attach` said of whose calls these are; nothing where it said nothing. */
  readonly values: CallValues | undefined;
  readonly #shared: Shared;
  #capabilities: JsonObject | undefined;
  #extended: { readonly by: JsonObject | undefined; readonly settings: JsonObject | undefined } = { by: undefined, settings: undefined };

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

  /** Attached again: what is said then has to be what was said first, since nothing of it is heard any more. */
  checkSame(again: AttachOptions): void {
    for (const [name, value] of Object.entries(again) as [keyof AttachOptions, unknown][]) {
      if (value === undefined || sameOption(name, value, this.options[name])) continue;
      throw new TypeError(`attach.${name}: this transport is attached already, with another; say it the first time`);
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

  get extension(): JsonObject | undefined {
    const { capabilities } = this;
    if (capabilities !== this.#extended.by) this.#extended = { by: capabilities, settings: settingsIn(capabilities) };
    return this.#extended.settings;
  }

  /** What a server says of itself at the beginning. */
  learn(method: string, message: Message): void {
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

  /** As if the server had sent it; it never sees it. */
  #tell(notification: Message): void {
    this.transport?.onmessage?.(notification as never);
  }
}

/** The connections that are open; one that nobody holds any more is forgotten. */
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

function settingsIn(capabilities: JsonObject | undefined): JsonObject | undefined {
  const extensions = capabilities && own(capabilities, 'extensions');
  const settings = isObject(extensions) ? own(extensions, EXTENSION_ID) : undefined;
  return isObject(settings) ? (settings as JsonObject) : undefined;
}
