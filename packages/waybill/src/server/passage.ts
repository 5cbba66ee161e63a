import { HandlerTransport, type Handled } from '../transport/handlerTransport.js';
import { hookTransport, type Message, type Observer, type RequestId, type TransportLike } from '../transport/index.js';
import type { AsyncStorage } from '../transport/storage.js';
import type { JsonObject } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import { declaredBy } from './connection.js';
import { connectionHooks } from './hook.js';
import type { Layer } from './layer.js';
import type { Sessions } from './sessions.js';

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
export class Passage {
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

  /** Nothing more comes. A request without an answer ends here. */
  end(): void {
    void this.#transport.close();
  }
}
