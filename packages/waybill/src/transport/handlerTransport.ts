import { rejectedWith } from '../wire/maybe.js';
import { kindOf } from '../wire/message.js';
import type { Message, RequestId, SendOptions } from './types.js';

interface LeavingOptions extends SendOptions {
  /** Gets the message as it leaves the layer. */
  readonly leave?: (message: Message) => void;
}

/** The layer's own answer, or what the handler gave. */
export type Handled<T> = { readonly answer: Message } | { readonly served: T };

/**
 * A transport for a server that has none: an HTTP handler. Hooked like any other, it gives the handler's messages everything that a hook
 * does. There is one for each HTTP request. The name of `handleRequest` tells `sdk.ts` that this is HTTP.
 */
export class HandlerTransport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly sessionId: string | undefined;
  #answered: ((answer: Message) => void) | undefined;

  constructor(sessionId: string | undefined) {
    this.sessionId = sessionId;
  }

  send(message: unknown, options?: LeavingOptions): Promise<void> {
    const leave = options?.leave ?? this.#answered;
    leave?.(message as Message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** Calls `serve` inside the context of the hooks, unless they answer the request themselves. */
  handleRequest<T>(message: Message, extra: unknown, serve: () => T): Promise<Handled<T>> {
    return new Promise((resolve) => {
      this.#answered = (answer) => resolve({ answer });
      this.onmessage = () => {
        try {
          resolve({ served: serve() });
        } catch (error) {
          resolve(rejectedWith(error));
        }
      };
      this.onmessage(message, extra);
    });
  }

  /**
   * Returns a message of the handler as the hooks leave it. A question to the client stays as it is: its answer comes with another HTTP request.
   */
  async leaving(message: Message, relatedRequestId: RequestId | undefined): Promise<Message> {
    if (kindOf(message) === 'request') return message;
    let final = message;
    const leave = (left: Message): void => {
      final = left;
    };
    await this.send(message, { ...(relatedRequestId !== undefined && { relatedRequestId }), leave });
    return final;
  }
}
