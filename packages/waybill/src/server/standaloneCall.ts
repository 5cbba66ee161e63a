import { HandlerTransport, type Handled } from '../transport/handlerTransport.js';
import { hookTransport, type Message, type Observer, type RequestId, type TransportLike } from '../transport/index.js';
import type { AsyncStorage } from '../transport/runtime.js';
import type { JsonObject } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import { declaredBy } from './connection.js';
import { connectionHooks } from './hook.js';
import type { Layer } from './layer.js';

/** One handler without an SDK server, and what all HTTP requests to it share. */
export interface Standalone {
  readonly layer: Layer;
  readonly observers: ReadonlySet<Observer>;
  readonly ambient: AsyncStorage;
  readonly settings: JsonObject;
  readonly target: string;
  readonly sessions: Sessions;
}

/** One HTTP request to such a handler: its messages go in, and those of the answer come out. */
export class StandaloneCall {
  readonly #sessions: Sessions;
  readonly #transport: HandlerTransport;
  readonly #extra: object;
  #initialize: Message | undefined;
  #only: RequestId | undefined;

  constructor(standalone: Standalone, sessionId: string | undefined, extra: { authInfo: unknown; request: unknown }) {
    const { layer, observers, ambient, target, settings, sessions } = standalone;
    this.#sessions = sessions;
    this.#extra = extra;
    this.#transport = new HandlerTransport(sessionId);
    const transport = this.#transport as TransportLike;
    const declared = sessions.declaredIn(sessionId);
    const about = { target, lifts: () => true, declares: settings, declared };
    hookTransport(transport, connectionHooks(layer, transport, observers, ambient, about));
  }

  /** `serve` runs unless the layer answers the request itself. `contextOf()` finds the request while it does. */
  enter<T>(message: Message, serve: () => T): Promise<Handled<T>> {
    if (message['method'] === 'initialize') this.#initialize = message;
    this.#only = message['id'] as RequestId;
    return this.#transport.handleRequest(message, this.#extra, serve);
  }

  leave(message: Message): Promise<Message> {
    return this.#transport.leaving(message, kindOf(message) === 'notification' ? this.#only : undefined);
  }

  /** The handler gave out a session: what its `initialize` declared holds for the requests that follow. */
  noteSession(id: string | null | undefined): void {
    if (typeof id === 'string' && this.#initialize !== undefined) this.#sessions.note(id, declaredBy(this.#initialize));
  }

  /** Called when the response has ended. A request without an answer ends here. */
  end(): void {
    void this.#transport.close();
  }
}

/** More sessions than this are not remembered at once; the one that was used least recently goes first. */
const MAX_SESSIONS = 4096;
/** A client that declares more, in characters of JSON, declares nothing. */
const MAX_DECLARED = 4096;

/**
 * The capabilities that `initialize` declared on 2025-11-25, by the session id that the server gave out, for servers whose transport the
 * layer does not see. An unknown session declared nothing.
 */
export class Sessions {
  readonly #declared = new Map<string, JsonObject>();

  note(id: string, declared: JsonObject | undefined): void {
    this.#declared.delete(id);
    if (declared === undefined || JSON.stringify(declared).length > MAX_DECLARED) return;
    const [oldest] = this.#declared.keys();
    if (this.#declared.size >= MAX_SESSIONS && oldest !== undefined) this.#declared.delete(oldest);
    this.#declared.set(id, declared);
  }

  declaredIn(id: string | undefined): JsonObject | undefined {
    const declared = id === undefined ? undefined : this.#declared.get(id);
    if (id === undefined || declared === undefined) return undefined;
    this.#declared.delete(id);
    this.#declared.set(id, declared);
    return declared;
  }

  forget(id: string): void {
    this.#declared.delete(id);
  }
}
