/** Compares journeys: what must be equal, and what cannot be. */
import type { HttpExchange, Message, Wire } from './wire.js';

/** The parts of an error that a caller can see. */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: error };
  const { code, data } = error as { code?: unknown; data?: unknown };
  return { class: error.constructor.name, name: error.name, message: plain(error.message), code, data: plain(data) };
}

export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Ports and session ids differ between runs; nothing else may. */
export function plain<T>(value: T): T {
  if (value === undefined) return value;
  const text = JSON.stringify(value)
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:port')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'session');
  return JSON.parse(text) as T;
}

/** Both directions of a wire; over HTTP, exchange by exchange with headers and status. */
export function transcript(wire: Wire): { sent: Message[]; received: Message[]; http: HttpExchange[] } {
  return plain({ sent: wire.sent, received: wire.received, http: wire.http });
}
