/** The exchanges that the page shows: the last ones, each cut to a size that a browser can draw. */
import type { LoggedExchange, LoggedIssue } from './protocol.js';

export const MAX_EXCHANGES = 500;
/** A message larger than this is replaced by a note: drawing 50 MB would stop the browser. */
export const MAX_MESSAGE = 200_000;
/** The answer to a call of the page may be larger: it is shown once, and lists of tools are long. */
export const MAX_ANSWER = 5_000_000;

export class ExchangeLog {
  readonly #exchanges = new Map<number, LoggedExchange>();
  #next = 1;

  readonly #changed: (exchange: LoggedExchange) => void;

  constructor(changed: (exchange: LoggedExchange) => void) {
    this.#changed = changed;
  }

  open(exchange: Omit<LoggedExchange, 'number' | 'issues'>): number {
    const number = this.#next++;
    const { request, answer } = exchange;
    this.#store({ ...exchange, request: shown(request), ...(answer !== undefined && { answer: shown(answer) }), number, issues: [] });
    const oldest = number - MAX_EXCHANGES;
    this.#exchanges.delete(oldest);
    return number;
  }

  update(number: number, more: Partial<LoggedExchange>): void {
    const before = this.#exchanges.get(number);
    if (before !== undefined) this.#store({ ...before, ...more, ...('answer' in more && { answer: shown(more.answer) }) });
  }

  /** An issue belongs to the newest exchange: the layer reports while it reads or writes that message. */
  addIssue(issue: LoggedIssue): boolean {
    const newest = this.#exchanges.get(this.#next - 1);
    if (newest === undefined) return false;
    this.#store({ ...newest, issues: [...newest.issues, issue].slice(-20) });
    return true;
  }

  all(): LoggedExchange[] {
    return [...this.#exchanges.values()];
  }

  #store(exchange: LoggedExchange): void {
    this.#exchanges.set(exchange.number, exchange);
    this.#changed(exchange);
  }
}

/** The message itself, or a note why it is not shown. */
export function shown(message: unknown, most = MAX_MESSAGE): unknown {
  if (message === undefined) return undefined;
  try {
    const bytes = Buffer.byteLength(JSON.stringify(message));
    return bytes <= most ? message : { notShown: `${(bytes / 1e6).toFixed(1)} MB: too large for the page` };
  } catch {
    return { notShown: 'nested too deeply for the page' };
  }
}
