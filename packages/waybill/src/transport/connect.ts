import { rejectedWith, andThen } from '../wire/maybe.js';
import type { TransportLike } from './types.js';

type Connect = (transport: TransportLike, ...rest: unknown[]) => Promise<void>;
interface Connectable {
  connect: Connect;
  [HOOKED]?: OnTransport;
}

/** Called with each transport just before it is connected, and with the object that connects it. */
export type OnTransport = (transport: TransportLike, connecting: object) => void;

/** Marks a server whose `connect` is ours, with the function that gets its transports. */
const HOOKED: unique symbol = Symbol('waybill.hooked');

/**
 * Reaches the transport of a server through `connect`: a `Server` or `McpServer` of either SDK, or a factory that makes one, at once or
 * later. Returns the target, or for a factory, a factory of the same kind. `by`: the function named in errors.
 */
export function hookServer<T extends object>(target: T, onTransport: OnTransport, by = 'hookServer'): T {
  if (typeof target === 'function') return eachServer(target, (made) => hookServer(made, onTransport, by), by);
  const server = innerServer(target, by);
  const before = server[HOOKED];
  if (before === onTransport) return target;
  if (before !== undefined) throw new TypeError(`${by}: this server already belongs to another context; attach it once`);
  if ((server as { transport?: unknown }).transport !== undefined)
    throw new TypeError(`${by}: the server is already connected; attach it before connect()`);
  Object.defineProperty(server, HOOKED, { value: onTransport });
  const connect = server.connect.bind(server);
  server.connect = (transport, ...rest) => {
    try {
      onTransport(transport, server);
    } catch (error) {
      return rejectedWith(error);
    }
    return connect(transport, ...rest);
  };
  return target;
}

/** Returns a factory of the same kind that changes each server it makes. */
export function eachServer<T extends object>(target: T, change: (made: object) => object, by: string): T {
  if (hasConnect((target as { prototype?: unknown }).prototype))
    throw new TypeError(
      `${by}: expected a server or a function that makes one, not the class: write () => new ${(target as { name?: string }).name || 'McpServer'}(…)`,
    );
  const factory = target as unknown as (...args: unknown[]) => object | Promise<object>;
  const changing = (...args: unknown[]): object | Promise<object> => {
    const made = factory(...args);
    return andThen(made, change);
  };
  return changing as unknown as T;
}

/** `McpServer` connects through the `Server` it holds. */
export function innerServer(target: object, by: string): Connectable & object {
  // A program without types may pass anything.
  const inner = (target as { server?: unknown } | undefined | null)?.server;
  const server = typeof inner === 'object' && inner !== null ? inner : target;
  if (!hasConnect(server)) throw new TypeError(`${by}: expected a server with connect(), or a function that makes one`);
  return server;
}

function hasConnect(value: unknown): value is Connectable & object {
  return typeof (value as Partial<Connectable> | undefined | null)?.connect === 'function';
}

/** Undoes an `instrument()`. If `attached` stays 0, the framework most likely uses another copy of the class. */
export interface Instrumented {
  (): void;
  /** The number of transports that the layer was attached to so far. */
  readonly attached: number;
}

/**
 * For frameworks that build clients, servers and transports themselves: patches `connect` of a class, for every instance of that copy of
 * the class. It is an explicit step, never a side effect of an import. Returns how to undo it. `onTransport` returns `false` if it left a
 * transport alone.
 */
export function instrument(target: { prototype: object }, onTransport: (...args: Parameters<OnTransport>) => unknown): Instrumented {
  const prototype = (target as Partial<typeof target> | undefined | null)?.prototype;
  if (!hasConnect(prototype)) throw new TypeError('instrument: expected a class with connect()');
  const { connect } = prototype;
  let active = true;
  let attached = 0;
  const patched: Connect = function (this: unknown, transport, ...rest) {
    if (active && onTransport(transport, this as object) !== false) attached++;
    return connect.call(this as never, transport, ...rest);
  };
  const inherited = !Object.hasOwn(prototype, 'connect');
  prototype.connect = patched;
  const undo = (): void => {
    active = false;
    // Somebody patched after us; their version stays.
    if (prototype.connect !== patched) return;
    if (inherited) delete (prototype as Partial<Connectable>).connect;
    else prototype.connect = connect;
  };
  return Object.defineProperty(undo, 'attached', { get: () => attached }) as unknown as Instrumented;
}
