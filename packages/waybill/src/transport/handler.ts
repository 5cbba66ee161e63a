/**
 * Puts a layer between a transport and the handler it calls (`onmessage`, `onclose`), on the transport object itself.
 *
 * The SDKs do four things that break a naive accessor. Node HTTP transports keep the handler in an inner transport behind a prototype
 * accessor. `connect` chains a handler that was set before. The v2 probe saves the handler, sets its own and restores the saved one. And
 * the transport reads the same property to deliver. So reading always gives the wrapped handler, and a wrapped handler that is written back
 * is recognised and not wrapped again.
 */
type Handler = (...args: unknown[]) => void;
type Wrapped = Handler & { [SLOT]?: Slot };

/** Marks a wrapped handler with the slot it was wrapped for. */
const SLOT: unique symbol = Symbol('waybill.slot');

/** Holds one handler of a transport. The code that makes the slot also writes the present handler into it. */
export class Slot {
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
export function slotProperty<T extends object>(slotOf: (transport: T) => Slot): PropertyDescriptor & ThisType<T> {
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
