import type { Exchange, Message } from '../transport/index.js';
import { withoutQuestions } from '../wire/capabilities.js';
import { liftEnvironment } from '../wire/environment.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Issue } from '../wire/issue.js';
import { isObject, own, type JsonObject } from '../wire/json.js';
import { PROTOCOL_VERSION } from '../wire/keys.js';
import type { LanguageChoice } from '../wire/language.js';
import { metaOf } from '../wire/message.js';
import { readRequestMeta, type Context } from '../wire/read.js';
import { agreementOf, type Agreement } from './agreement.js';
import { Answer } from './answer.js';
import type { PeerConnection } from './connection.js';
import type { RequestContext } from './context.js';
import { withoutTicket, withTicket } from './find.js';
import { AnswerHead, type EdgePlace } from './head.js';
import type { Layer } from './layer.js';
import type { ServerRequest } from './part.js';

/** The connection and exchange that serve a request. */
interface Delivery {
  readonly connection: PeerConnection;
  /** `undefined` once the request has been answered. */
  exchange: Exchange | undefined;
}

/**
 * One request on its way through this layer. The message and everything read from it do not change. `answer` and `head` hold what is decided
 * about the answer; `deliver` and `release` note once who serves the request, and that it is over. Everything is read lazily: the
 * validators of the SDKs keep messages, and everything they reference, until the next full collection.
 */
export class IncomingRequest implements ServerRequest {
  readonly layer: Layer;
  readonly message: Message;
  readonly headers: HeaderSource | undefined;
  readonly answer = new Answer();
  /** The head of the HTTP answer. */
  readonly head: AnswerHead;
  /** The first edge of this layer that the message came through; `undefined` if it came through none. */
  readonly edge: EdgePlace | undefined;
  /** `_meta` as it came, without anything under the name of our ticket. */
  readonly #meta: unknown;
  #agreement: Agreement | undefined;
  #received: Context<'request'> | undefined;
  #context: RequestContext | undefined;
  #choice: LanguageChoice | undefined;
  #issues: Issue[] | undefined;
  #delivery: Delivery | undefined;

  constructor(layer: Layer, given: Message, headers: HeaderSource | undefined, edge?: EdgePlace) {
    this.layer = layer;
    this.headers = headers;
    this.edge = edge;
    this.head = new AnswerHead(edge);
    // CTX-21: a context beside `params` moves into `_meta`.
    const lifted = liftEnvironment(given, layer.wire);
    this.#meta = withoutTicket(metaOf(lifted, 'request'));
    this.message = withTicket(lifted, this);
    Object.freeze(this);
  }

  get method(): string {
    return this.message['method'] as string;
  }

  get era(): 'modern' | 'legacy' {
    return isObject(this.#meta) && typeof own(this.#meta, PROTOCOL_VERSION) === 'string' ? 'modern' : 'legacy';
  }

  get agreement(): Agreement {
    return (this.#agreement ??= agreementOf(this.message, this.headers, this.layer));
  }

  get received(): Context<'request'> {
    // Issues of an answered request were reported before.
    return (this.#received ??= readRequestMeta(this.#meta, this.#isAnswered ? this.layer.wire : this.layer.reading));
  }

  get target(): string | undefined {
    return this.connection?.target ?? this.layer.targets.only;
  }

  /** BASE-02, CAP-02: on 2026-07-28 nothing is inferred; on 2025-11-25 `initialize` declared for the whole connection. */
  get declared(): JsonObject | undefined {
    return this.received.capabilities ?? (this.era === 'legacy' ? this.connection?.declared : undefined);
  }

  /** D-29: on 2026-07-28 a question is part of a result, so every connection carries it. */
  get canAskBack(): boolean | undefined {
    return this.era === 'modern' ? true : this.connection?.canAskBack();
  }

  get usable(): JsonObject | undefined {
    return this.canAskBack === false ? withoutQuestions(this.declared) : this.declared;
  }

  get choice(): LanguageChoice {
    return (this.#choice ??= this.layer.choose(this.received));
  }

  get context(): RequestContext {
    return (this.#context ??= this.layer.view(this));
  }

  get issues(): readonly Issue[] {
    const read = this.received.issues;
    return this.#issues === undefined ? read : [...read, ...this.#issues];
  }

  get exchange(): Exchange | undefined {
    return this.#delivery?.exchange;
  }

  get connection(): PeerConnection | undefined {
    return this.#delivery?.connection;
  }

  /** True once a server has it. A later message with the same ticket was made from the `_meta` of this one. */
  get isDelivered(): boolean {
    return this.#delivery !== undefined;
  }

  get #isAnswered(): boolean {
    return this.isDelivered && this.exchange === undefined;
  }

  report(issue: Issue): void {
    (this.#issues ??= []).push(issue);
    this.layer.report(issue);
  }

  fault(error: unknown): void {
    this.layer.fault(error);
  }

  /** Called when a server takes the request. The exchange leads back to it. */
  deliver(connection: PeerConnection, exchange: Exchange): void {
    this.#delivery = { connection, exchange };
    exchange.note = this;
  }

  /** Called when the answer has left. Releases what only served to make it; a context that a handler still holds goes on working. */
  release(): void {
    const exchange = this.#delivery?.exchange;
    if (exchange !== undefined) exchange.note = undefined;
    if (this.#delivery !== undefined) this.#delivery.exchange = undefined;
    this.#context = undefined;
    this.#received = undefined;
  }
}
