import { isObject, own } from '../wire/json.js';
import { PROGRESS_TOKEN } from '../wire/keys.js';
import { reportRejection } from '../wire/callbacks.js';
import { metaOf } from '../wire/message.js';
import type { Exchange, Message, Observer, ExchangeOutcome, RequestId, ResponseLanguage } from './types.js';

/** No peer may make us remember more open requests than this; the oldest is given up first. */
const MAX_OPEN = 65_536;
/** How many are open before it is worth a look who gave up; then at twice of what is left, so the look costs nothing in the mean. */
const SWEEP_AT = 128;

const RELEASED: Message = Object.freeze({});

export interface OpenExchange extends Exchange {
  request: Message;
  answer?: Message;
  outcome?: ExchangeOutcome | undefined;
  failure?: unknown;
  response?: ResponseLanguage;
  entering?: boolean;
  /** Progress of it was handed on in this turn: the SDK has not told the application yet, and would not once it has the result. */
  progressed?: boolean;
  /** Who is told of the end; absent where nobody was told of the beginning. */
  endings?: ((exchange: Exchange) => unknown)[];
  /** Aborted when the caller gives it up, where that is not told by a message. */
  signal?: AbortSignal;
  /** Pending while a hook thinks about the request; what refers to the request waits for it. */
  held?: Promise<void> | undefined;
  release?: () => void;
}

/**
 * Pairs answers with requests. An entry lives from the request to its answer, its cancellation, its failure to be sent
 * or the end of the connection, whichever is first. Of what is never answered the oldest go when the table is full.
 */
export class Pending {
  /** Made with the first request: a server over HTTP may have a connection for each, and asks nothing itself. */
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
   * A request that its caller may give up by a signal. A listener on every call costs more than all the rest of a hook, so
   * where nobody waits for the end of the exchange the signal is only looked at when the table has grown.
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
    // By `own`: each SDK message has a shape of its own, and reading a named member of one goes to the runtime.
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
    // An id in use again while open is the peer's fault; the newer request is the one an answer can still reach.
    this.end(open.get(id), 'lost');
    open.set(id, exchange);
    return exchange;
  }

  /** The request has its final shape: whoever looks is told. */
  passed(exchange: OpenExchange, message: Message): void {
    exchange.request = message;
    if (this.#observers === undefined || this.#observers.size === 0) return;
    exchange.endings ??= [];
    for (const observer of this.#observers) {
      const ending = this.#guard(() => observer(exchange));
      if (typeof ending !== 'function') continue;
      // Given up while a hook thought about it, or by who was told before: it begins and ends at once.
      if (exchange.outcome === undefined) exchange.endings.push(ending);
      else this.#guard(() => ending(exchange));
    }
  }

  get(id: unknown): OpenExchange | undefined {
    return this.#open?.get(id as RequestId) ?? this.#byNumber(id);
  }

  /** Both SDKs number what they ask, and take an answer whose id is the text of the number. */
  #byNumber(id: unknown): OpenExchange | undefined {
    return this.#sender === 'us' && typeof id === 'string' ? this.#open?.get(Number(id)) : undefined;
  }

  /** The open request whose progress token this is. Both SDKs use the request's id as its token; others make up their own. */
  withToken(token: unknown): OpenExchange | undefined {
    if (token === undefined || this.#open === undefined) return undefined;
    const likely = this.get(token);
    const its = likely && tokenOf(likely.request);
    if (its !== undefined && (its === token || likely === this.#byNumber(token))) return likely;
    for (const exchange of this.#open.values()) if (tokenOf(exchange.request) === token) return exchange;
    return undefined;
  }

  /** Once: whatever comes after the first end of an exchange changes nothing. */
  end(exchange: OpenExchange | undefined, outcome: ExchangeOutcome, answer?: Message): void {
    if (exchange === undefined || exchange.outcome !== undefined) return;
    this.#open?.delete(exchange.id);
    exchange.outcome = outcome;
    // A table that is filled and emptied keeps what was in it for a while, so nothing hangs on that which nobody looks for.
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

function tokenOf(request: Message): unknown {
  const meta = metaOf(request, 'request');
  return isObject(meta) ? own(meta, PROGRESS_TOKEN) : undefined;
}
