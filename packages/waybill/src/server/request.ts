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
import type { RequestContext } from './context.js';
import { Delivery } from './delivery.js';
import { withoutTicket, withTicket } from './find.js';
import type { AnswerHead, EdgePlace } from './head.js';
import type { Layer } from './layer.js';
import type { ServerRequest } from './part.js';

/**
 * One request on its way through this layer. It does not change. What happens to it stands in four small objects: `answer` and `head` hold
 * what is decided about its answer, `delivery` who serves it, `readings` what was parsed so far.
 */
export class IncomingRequest implements ServerRequest {
  readonly layer: Layer;
  readonly message: Message;
  /** `_meta` as it came, without anything under the name of our ticket. */
  readonly meta: unknown;
  readonly headers: HeaderSource | undefined;
  readonly agreement: Agreement;
  readonly answer: Answer = new Answer();
  /** The head of the HTTP answer. */
  readonly head: AnswerHead = { language: undefined, isWritten: false };
  readonly delivery: Delivery = new Delivery();
  readonly readings: Readings = new Readings(this);
  /** The first edge of this layer that the message came through; `undefined` if it came through none. */
  readonly edge: EdgePlace | undefined;

  constructor(layer: Layer, given: Message, headers: HeaderSource | undefined, edge?: EdgePlace) {
    this.layer = layer;
    this.headers = headers;
    this.edge = edge;
    // CTX-21: a context beside `params` moves into `_meta`.
    const lifted = liftEnvironment(given, layer.wire);
    this.meta = withoutTicket(metaOf(lifted, 'request'));
    this.message = withTicket(lifted, this);
    this.agreement = agreementOf(lifted, headers, layer);
    Object.freeze(this);
  }

  get method(): string {
    return this.message['method'] as string;
  }

  get era(): 'modern' | 'legacy' {
    return isObject(this.meta) && typeof own(this.meta, PROTOCOL_VERSION) === 'string' ? 'modern' : 'legacy';
  }

  get received(): Context<'request'> {
    return this.readings.received;
  }

  get choice(): LanguageChoice {
    return this.readings.choice;
  }

  get context(): RequestContext {
    return this.readings.context;
  }

  get exchange(): Exchange | undefined {
    return this.delivery.exchange;
  }

  get target(): string | undefined {
    return this.delivery.connection?.target ?? this.layer.targets.only;
  }

  /** BASE-02, CAP-02: on 2026-07-28 nothing is inferred; on 2025-11-25 `initialize` declared for the whole connection. */
  get declared(): JsonObject | undefined {
    return this.received.capabilities ?? (this.era === 'legacy' ? this.delivery.connection?.declared : undefined);
  }

  /** D-29: on 2026-07-28 a question is part of a result, so every connection carries it. */
  get canAskBack(): boolean | undefined {
    return this.era === 'modern' ? true : this.delivery.connection?.canAskBack();
  }

  get usable(): JsonObject | undefined {
    return this.canAskBack === false ? withoutQuestions(this.declared) : this.declared;
  }

  get issues(): readonly Issue[] {
    return [...this.received.issues, ...this.delivery.issues];
  }

  report(issue: Issue): void {
    this.delivery.note(issue);
    this.layer.report(issue);
  }

  fault(error: unknown): void {
    this.layer.fault(error);
  }
}

/**
 * The values of one request, each made when somebody first asks for it. They are forgotten with the answer, since the validators of the SDKs
 * keep messages, and everything they reference, until the next full collection. A handler that still asks gets them made again.
 */
class Readings {
  readonly #request: IncomingRequest;
  #received: Context<'request'> | undefined;
  #choice: LanguageChoice | undefined;
  #context: RequestContext | undefined;

  constructor(request: IncomingRequest) {
    this.#request = request;
  }

  get received(): Context<'request'> {
    const { layer, meta, delivery } = this.#request;
    // Issues of an answered request were reported before.
    return (this.#received ??= readRequestMeta(meta, delivery.isOver ? layer.wire : layer.reading));
  }

  get choice(): LanguageChoice {
    return (this.#choice ??= this.#request.layer.choose(this.received));
  }

  get context(): RequestContext {
    return (this.#context ??= this.#request.layer.view(this.#request));
  }

  forget(): void {
    this.#received = undefined;
    this.#context = undefined;
  }
}
