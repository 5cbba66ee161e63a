/** Every message of a connection as it crossed the wire, in order: for `--messages`, `--record` and `try`. */
import { keys, type Exchange, type Observer } from 'waybill';

export interface Crossing {
  readonly direction: 'sent' | 'received';
  readonly message: Readonly<Record<string, unknown>>;
  /** The headers of an HTTP request that say something about its context. */
  readonly headers?: Readonly<Record<string, string>>;
}

const SHOWN: readonly string[] = [
  'accept-language',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  keys.TRACEPARENT,
  keys.TRACESTATE,
  keys.BAGGAGE,
];

type Tapped = { onmessage?: unknown; send: (...rest: never[]) => Promise<void> };

export class WireTap {
  readonly crossings: Crossing[] = [];
  readonly #onCrossing: (crossing: Crossing) => void;
  /** Requests go out with headers: each is told when those are known. */
  readonly #hasHeaders: boolean;
  #untold: Crossing | undefined;

  constructor(onCrossing: (crossing: Crossing) => void = () => undefined, { hasHeaders = false }: { hasHeaders?: boolean } = {}) {
    this.#onCrossing = onCrossing;
    this.#hasHeaders = hasHeaders;
  }

  /** Requests and their answers, also those of the process that SDK v2 starts only to ask for the revision. */
  readonly observer: Observer = (exchange: Exchange) => {
    this.#add({ direction: exchange.sender === 'us' ? 'sent' : 'received', message: exchange.request });
    return ({ answer, sender }) => {
      if (answer !== undefined) this.#add({ direction: sender === 'us' ? 'received' : 'sent', message: answer });
    };
  };

  /** Notes the headers of requests over HTTP. */
  fetch(base: typeof globalThis.fetch): typeof globalThis.fetch {
    return (to, init) => {
      if (typeof init?.body === 'string') this.#addHeaders(init.body, new Headers(init.headers));
      return base(to, init);
    };
  }

  #addHeaders(body: string, headers: Headers): void {
    const { id } = JSON.parse(body) as { id?: unknown };
    const at = this.crossings.findLastIndex((one) => one.direction === 'sent' && one.message['id'] === id);
    const found = this.crossings[at];
    if (id === undefined || found === undefined) return;
    const whole = { ...found, headers: WireTap.shown(headers) };
    this.crossings[at] = whole;
    if (this.#untold === found) this.#untold = whole;
    this.#tell();
  }

  static shown(headers: Headers): Record<string, string> {
    return Object.fromEntries([...headers].filter(([name]) => SHOWN.includes(name)));
  }

  /** Notifications have no answer, so no exchange: they are seen as they pass the transport. */
  notifications<T extends Tapped>(transport: T): T {
    const send: (...rest: never[]) => Promise<void> = transport.send.bind(transport);
    transport.send = (message: Crossing['message'], ...rest: unknown[]) => {
      if (isNotification(message)) this.#add({ direction: 'sent', message });
      return send(message as never, ...(rest as never[]));
    };
    let handler = transport.onmessage as ((...rest: unknown[]) => void) | undefined;
    Object.defineProperty(transport, 'onmessage', {
      configurable: true,
      enumerable: true,
      get: () => handler,
      set: (next: typeof handler) => {
        handler =
          next &&
          ((message: unknown, ...rest: unknown[]) => {
            if (isNotification(message)) this.#add({ direction: 'received', message });
            next(message, ...rest);
          });
      },
    });
    return transport;
  }

  #add(crossing: Crossing): void {
    const copy = { ...crossing, message: structuredClone(crossing.message) };
    this.crossings.push(copy);
    this.#tell();
    this.#untold = copy;
    if (!this.#hasHeaders || copy.direction === 'received' || !('id' in copy.message)) this.#tell();
  }

  #tell(): void {
    const crossing = this.#untold;
    this.#untold = undefined;
    if (crossing !== undefined) this.#onCrossing(crossing);
  }
}

const isNotification = (message: unknown): message is Crossing['message'] =>
  typeof message === 'object' && message !== null && 'method' in message && !('id' in message);
