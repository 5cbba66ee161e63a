import { isObject, own } from '../wire/json.js';
import { PROGRESS_TOKEN } from '../wire/keys.js';
import { reportRejection } from '../wire/maybe.js';
import { metaOf } from '../wire/message.js';
import type { Exchange, Message, Observer, ExchangeOutcome, RequestId, ResponseLanguage } from './types.js';

/** A peer cannot make us remember more open requests than this; the oldest is dropped first. */
const MAX_OPEN = 65_536;
/** The number of open requests at which aborted ones are searched; then at twice the rest, so that the search costs little on average. */
const SWEEP_AT = 128;

const RELEASED: Message = Object.freeze({});

export interface OpenExchange extends Exchange {
  request: Message;
  answer?: Message;
  outcome?: ExchangeOutcome | undefined;
  failure?: unknown;
  response?: ResponseLanguage;
  entering?: boolean;
  /** True if progress was passed on in this turn: the SDK has not reported it to the application yet, and would not after the result. */
  progressed?: boolean;
  /** The observers to call at the end; absent if none saw the beginning. */
  endings?: ((exchange: Exchange) => unknown)[];
  /** Aborted when the caller aborts the request without a message. */
  signal?: AbortSignal;
  /** Pending while a hook works on the request. Messages that refer to the request wait for it. */
  held?: Promise<void> | undefined;
  release?: () => void;
}

/**
 * Pairs answers with requests. An entry lives from the request to its answer, its cancellation, its failed send or the end of the
 * connection. If the table is full, the oldest entries are dropped.
 */
export class Pending {
  /** Made with the first request: a server over HTTP may have a connection for each request, and asks nothing itself. */
  #open: Map<RequestId, OpenExchange> | undefined;
  readonly #sender: Exchange['sender'];
  readonly #observers: ReadonlySet<Observer> | undefined;
  readonly #onFault: (error: unknown) => void;
  #sweepAt = SWEEP_AT;

  constructor(sender: Exchange['sender'], observers: ReadonlySet<Observer> | undefined, onFault: (error: unknown) => void) {
    this.#sender = sender;
    this.#observers = observers;
    this.#onFault = onFault;
  }

  get size(): number {
    this.#sweep();
    return this.#open?.size ?? 0;
  }

  /**
   * Watches a request that its caller may abort by a signal. A listener on every call costs more than the rest of a hook, so if nobody
   * waits for the end of the exchange, the signal is only checked when the table has grown.
   */
  watch(exchange: OpenExchange, signal: AbortSignal): void {
    if (exchange.endings === undefined) {
      exchange.signal = signal;
      return;
    }
    const giveUp = (): void => {
      this.end(exchange, 'cancelled');
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  }

  #sweep(): void {
    if (this.#open === undefined) return;
    for (const exchange of this.#open.values()) if (exchange.signal?.aborted === true) this.end(exchange, 'cancelled');
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#open.size);
  }

  begin(message: Message, extra: unknown): OpenExchange {
    const id = own(message, 'id') as RequestId;
    const exchange: OpenExchange = {
      id,
      method: own(message, 'method') as string,
      sender: this.#sender,
      request: message,
      note: undefined,
      traced: undefined,
      outcome: undefined,
    };
    if (extra !== undefined) (exchange as { extra?: unknown }).extra = extra;
    const open = (this.#open ??= new Map<RequestId, OpenExchange>());
    if (open.size >= this.#sweepAt) this.#sweep();
    if (open.size >= MAX_OPEN) {
      const [oldest] = open.values();
      this.end(oldest, 'lost');
    }
    // A peer that reuses an id of an open request makes a mistake; the answer can only reach the newer request.
    this.end(open.get(id), 'lost');
    open.set(id, exchange);
    return exchange;
  }

  /** The request has its final shape: observers are called. */
  passed(exchange: OpenExchange, message: Message): void {
    exchange.request = message;
    if (this.#observers === undefined || this.#observers.size === 0) return;
    exchange.endings ??= [];
    for (const observer of this.#observers) {
      const ending = this.#guard(() => observer(exchange));
      if (typeof ending !== 'function') continue;
      // The request was aborted while a hook worked on it, or by an earlier observer: it begins and ends at once.
      if (exchange.outcome === undefined) exchange.endings.push(ending);
      else this.#guard(() => ending(exchange));
    }
  }

  get(id: unknown): OpenExchange | undefined {
    return this.#open?.get(id as RequestId) ?? this.#byNumber(id);
  }

  /** Both SDKs number their requests, and accept an answer whose id is the number as text. */
  #byNumber(id: unknown): OpenExchange | undefined {
    return this.#sender === 'us' && typeof id === 'string' ? this.#open?.get(Number(id)) : undefined;
  }

  /** Returns the open request with this progress token. Both SDKs use the id of the request as its token; others make up their own. */
  withToken(token: unknown): OpenExchange | undefined {
    if (token === undefined || this.#open === undefined) return undefined;
    const likely = this.get(token);
    const its = likely && requestTokenOf(likely.request);
    if (its !== undefined && (its === token || likely === this.#byNumber(token))) return likely;
    for (const exchange of this.#open.values()) if (requestTokenOf(exchange.request) === token) return exchange;
    return undefined;
  }

  /** Only the first end of an exchange counts. */
  end(exchange: OpenExchange | undefined, outcome: ExchangeOutcome, answer?: Message): void {
    if (exchange === undefined || exchange.outcome !== undefined) return;
    this.#open?.delete(exchange.id);
    exchange.outcome = outcome;
    // A Map keeps removed entries for a while, so the exchange must not hold its request if nobody observes it.
    if (this.#sender === 'them' && exchange.endings === undefined) exchange.request = RELEASED;
    else if (answer !== undefined) exchange.answer = answer;
    exchange.release?.();
    for (const ending of exchange.endings ?? []) this.#guard(() => ending(exchange));
  }

  endAll(outcome: ExchangeOutcome): void {
    for (const exchange of [...(this.#open?.values() ?? [])]) this.end(exchange, outcome);
  }

  #guard<T>(look: () => T): T | undefined {
    try {
      return reportRejection(look(), this.#onFault);
    } catch (error) {
      this.#onFault(error);
      return undefined;
    }
  }
}

function requestTokenOf(request: Message): unknown {
  const meta = metaOf(request, 'request');
  return isObject(meta) ? own(meta, PROGRESS_TOKEN) : undefined;
}
