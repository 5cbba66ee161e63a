import { ignore } from '../wire/issue.js';
import { Channel } from './channel.js';
import type { Handler } from './channel/incoming.js';
import { mirrorFor, watchResponses } from './fetch.js';
import { hookProbe } from './sdk.js';
import type { Exchange, Hooks, SendOptions, TransportLike } from './types.js';

/** Shared by all copies of this library in a process, so that two of them never hook one transport unnoticed. */
const CHANNEL = Symbol.for('dev.waybill.transport');

interface Hooked {
  readonly channel: Channel;
  readonly hooks: Hooks;
  /** Holds the handlers of the transport. */
  readonly slots: Slots;
}

interface Slots {
  readonly onmessage: Slot;
  readonly onclose: Slot;
}

interface Loose {
  send(message: unknown, options?: SendOptions): Promise<void>;
  [CHANNEL]?: Hooked;
}

const PROPERTIES = {
  onmessage: slotProperty((transport: Loose) => (transport[CHANNEL] as Hooked).slots.onmessage),
  onclose: slotProperty((transport: Loose) => (transport[CHANNEL] as Hooked).slots.onclose),
};

/**
 * Hooks a transport in place: same object, same class, same prototype, because the SDKs look at all three (a wrapper or a subclass fails
 * the v2 stdio negotiation). Doing it twice with the same hooks changes nothing. A second owner is an error, since neither would see what
 * the other did.
 */
export function hookTransport<T extends TransportLike>(transport: T, given: Hooks): T {
  const loose = transport as unknown as Loose;
  const owner = loose[CHANNEL];
  if (owner !== undefined) {
    if (owner.hooks === given) return transport;
    throw new TypeError('this transport already belongs to another context; attach it once');
  }
  const hooks = traced(given, transport);
  const mirror = mirrorFor(transport, hooks.onIssue ?? ignore, hooks.mirror);
  const channel = new Channel(hooks, loose.send.bind(transport), mirror);
  const hooked: Hooked = { channel, hooks: given, slots: slotsOf(transport, channel) };
  Object.defineProperty(transport, CHANNEL, { value: hooked });
  loose.send = (message, options) => channel.send(message, options);
  wrapHandlers(transport);
  if (hooks.responses === true) watchResponses(transport, (id, head) => channel.responded(id, head));
  hookProbe(transport, (probe) => hookTransport(probe, given));
  return transport;
}

function slotsOf(transport: TransportLike, channel: Channel): Slots {
  return {
    onmessage: new Slot(transport, 'onmessage', (handler) => channel.receiver(handler)),
    onclose: new Slot(transport, 'onclose', (handler) => channel.closer(handler, transport)),
  };
}

/** Wraps every handler that is set, at any time and by anybody. */
function wrapHandlers(transport: TransportLike): void {
  const { onmessage, onclose } = transport;
  Object.defineProperties(transport, PROPERTIES);
  // Handlers that were set before the hook are wrapped like any other.
  if (onmessage !== undefined) transport.onmessage = onmessage;
  if (onclose !== undefined) transport.onclose = onclose;
  // Open exchanges end with the connection, even if nobody listens for its end.
  transport.onclose ??= () => undefined;
}

/** If telemetry fails, the connection goes on without it. */
function traced(given: Hooks, transport: TransportLike): Hooks {
  try {
    return given.telemetry?.around(given, transport) ?? given;
  } catch (error) {
    given.onFault?.(error);
    return given;
  }
}

/** Returns the hooks of a transport. */
export function hookedWith(transport: object): Hooks | undefined {
  return (transport as Partial<Loose>)[CHANNEL]?.hooks;
}

/** Returns the number of open exchanges of a hooked transport; 0 for one without a layer. */
export function pendingOf(transport: object): number {
  return (transport as Partial<Loose>)[CHANNEL]?.channel.open ?? 0;
}

/** Returns the open request of ours with this id, for a message that only passes `fetch`. */
export function exchangeOf(transport: object, id: unknown): Exchange | undefined {
  return (transport as Partial<Loose>)[CHANNEL]?.channel.ours.get(id);
}

/** Marks a wrapped handler with the slot it was wrapped for. */
const SLOT: unique symbol = Symbol('waybill.slot');

type Wrapped = Handler & { [SLOT]?: Slot };

/**
 * Puts a layer between a transport and one handler that it calls (`onmessage`, `onclose`), on the transport object itself.
 *
 * The SDKs do four things that break a naive accessor. Node HTTP transports keep the handler in an inner transport behind a prototype
 * accessor. `connect` chains a handler that was set before. The v2 probe saves the handler, sets its own and restores the saved one. And
 * the transport reads the same property to deliver. So reading always gives the wrapped handler, and a wrapped handler that is written back
 * is recognised and not wrapped again.
 */
class Slot {
  readonly #transport: object;
  readonly #wrap: (handler: Handler) => Handler;
  readonly #accessor: PropertyDescriptor | undefined;
  #handler: Handler | undefined;

  constructor(transport: object, name: 'onmessage' | 'onclose', wrap: (handler: Handler) => Handler) {
    this.#transport = transport;
    this.#wrap = wrap;
    this.#accessor = accessorOf(transport, name);
  }

  read(): Handler | undefined {
    return this.#accessor?.get ? (this.#accessor.get.call(this.#transport) as Handler | undefined) : this.#handler;
  }

  write(handler: Wrapped | undefined): void {
    let wrapped = handler;
    if (typeof handler === 'function' && handler[SLOT] !== this) {
      wrapped = this.#wrap(handler);
      wrapped[SLOT] = this;
    }
    if (this.#accessor?.set) this.#accessor.set.call(this.#transport, wrapped);
    else this.#handler = wrapped;
  }
}

/** The property in front of a slot. All transports share it: a server over HTTP may have a transport for each request. */
function slotProperty<T extends object>(slotOf: (transport: T) => Slot): PropertyDescriptor & ThisType<T> {
  return {
    configurable: true,
    enumerable: true,
    get() {
      return slotOf(this).read();
    },
    set(handler: Handler | undefined) {
      slotOf(this).write(handler);
    },
  };
}

function accessorOf(object: object, name: string): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found.get || found.set ? found : undefined;
  }
  return undefined;
}
