/** Every message of a connection as it crossed the wire, in order: for `--messages`, `--preview` and `doctor`. */
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

  constructor(onCrossing: (crossing: Crossing) => void = () => undefined) {
    this.#onCrossing = onCrossing;
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
    if (id !== undefined && found !== undefined) this.crossings[at] = { ...found, headers: WireTap.shown(headers) };
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
    this.#onCrossing(copy);
  }
}

const isNotification = (message: unknown): message is Crossing['message'] =>
  typeof message === 'object' && message !== null && 'method' in message && !('id' in message);
