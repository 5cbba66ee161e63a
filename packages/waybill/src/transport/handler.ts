/**
 * Puts a layer between a transport and the handler it calls (`onmessage`, `onclose`), on the transport object itself.
 *
 * The SDKs do four things that break a naive accessor: Node HTTP transports keep the handler in an inner transport behind
 * a prototype accessor; `connect` chains a handler that was set before; the v2 probe saves the handler, sets its own and
 * restores the saved one; and the transport reads the same property to deliver. So what is read is always the wrapped
 * handler, and a wrapped handler that is written back is recognised and not wrapped again.
 */
type Handler = (...args: unknown[]) => void;
type Holder = Record<string, Handler | undefined>;

export function interceptHandler(transport: object, name: 'onmessage' | 'onclose', wrap: (handler: Handler) => Handler): void {
  const holder = transport as Holder;
  const accessor = accessorOf(transport, name);
  const originals = new WeakMap<Handler, Handler>();
  let slot = accessor ? undefined : holder[name];

  const read = (): Handler | undefined => (accessor?.get ? (accessor.get.call(transport) as Handler | undefined) : slot);
  const write = (handler: Handler | undefined): void => {
    let wrapped = handler;
    if (handler !== undefined && !originals.has(handler)) {
      wrapped = wrap(handler);
      originals.set(wrapped, handler);
    }
    if (accessor?.set) accessor.set.call(transport, wrapped);
    else slot = wrapped;
  };
  const before = read();
  Object.defineProperty(transport, name, { configurable: true, enumerable: true, get: read, set: write });
  if (before !== undefined) write(before);
}

function accessorOf(object: object, name: string): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found.get || found.set ? found : undefined;
  }
  return undefined;
}
