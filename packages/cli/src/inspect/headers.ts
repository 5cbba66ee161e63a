/** Remembers the HTTP headers of a request and of its answer until the exchange is over, by the id in the body. */
import { tryJson } from '../tryJson.js';
import type { LoggedExchange } from './protocol.js';

type Tapped = Pick<LoggedExchange, 'requestHeaders' | 'responseHeaders' | 'status'>;

/** Credentials never reach the page. */
const HIDDEN = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization', 'mcp-session-id']);
const MAX_OPEN = 200;

export class HeaderTap {
  readonly #open = new Map<unknown, Tapped>();

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const id = idOf(init?.body);
    const response = await globalThis.fetch(input, init);
    if (id !== undefined)
      this.#remember(id, { requestHeaders: visible(init?.headers), responseHeaders: visible(response.headers), status: response.status });
    return response;
  };

  take(id: unknown): Tapped | undefined {
    const found = this.#open.get(id);
    this.#open.delete(id);
    return found;
  }

  #remember(id: unknown, tapped: Tapped): void {
    this.#open.set(id, tapped);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN) this.#open.delete(oldest);
  }
}

const idOf = (body: unknown): unknown =>
  typeof body === 'string' ? (tryJson(body) as { id?: unknown } | null | undefined)?.id : undefined;

function visible(headers: ConstructorParameters<typeof Headers>[0]): Record<string, string> {
  return Object.fromEntries([...new Headers(headers)].map(([name, value]) => [name, HIDDEN.has(name) ? '••••' : value]));
}
