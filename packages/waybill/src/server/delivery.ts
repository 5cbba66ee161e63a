import type { Exchange } from '../transport/index.js';
import type { Issue } from '../wire/issue.js';
import type { PeerConnection } from './connection.js';

/** The service of one request: the connection and exchange that serve it, and the issues that parts report meanwhile. */
export class Delivery {
  #connection: PeerConnection | undefined;
  #exchange: Exchange | undefined;
  #issues: readonly Issue[] = [];

  /** `undefined` until a server takes the request. */
  get connection(): PeerConnection | undefined {
    return this.#connection;
  }

  /** `undefined` until a server takes the request, and again once it has been answered. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  get issues(): readonly Issue[] {
    return this.#issues;
  }

  /** True once a server has the request. A later message with the same ticket was made from the `_meta` of this one. */
  get hasBegun(): boolean {
    return this.#connection !== undefined;
  }

  get isOver(): boolean {
    return this.hasBegun && this.#exchange === undefined;
  }

  begin(connection: PeerConnection, exchange: Exchange): void {
    this.#connection = connection;
    this.#exchange = exchange;
  }

  note(issue: Issue): void {
    this.#issues = [...this.#issues, issue];
  }

  /** Called when the answer has left. The exchange no longer leads to the request. */
  end(): void {
    if (this.#exchange !== undefined) this.#exchange.note = undefined;
    this.#exchange = undefined;
  }
}
