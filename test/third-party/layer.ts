/** A layer for third parties: it counts messages, and adds a key to outgoing ones. */
import type { Hooks } from 'waybill/adapter';

export const ADDED = 'example.test/asked';
export const SERVED = 'example.test/served';

export interface Layer {
  readonly hooks: Hooks;
  /** Requests to the server and how they ended, and the notifications of either side. */
  readonly seen: string[];
}

export function layer(): Layer {
  const seen: string[] = [];
  const add = (message: any): any => ({
    ...message,
    params: { ...message.params, _meta: { ...message.params?._meta, [ADDED]: { by: 'hook' } } },
  });
  const hooks: Hooks = {
    request: (message, { sender }) => (sender === 'us' ? add(message) : message),
    notification: (message, { direction }) => {
      seen.push(message['method'] as string);
      return direction === 'out' ? add(message) : message;
    },
    observers: new Set([() => (exchange) => void seen.push(`${exchange.method} ${exchange.outcome}`)]),
  };
  return { hooks, seen };
}

/** Removes what our server side added to a result, so that it can be compared with the untouched one. */
export function unserved(value: any): any {
  if (Array.isArray(value)) return value.map(unserved);
  if (typeof value !== 'object' || value === null) return value;
  const { _meta, ...rest } = value;
  const { [SERVED]: _served, ...kept } = _meta ?? {};
  const entries = Object.entries(rest).map(([key, one]) => [key, unserved(one)]);
  return { ...Object.fromEntries(entries), ...(Object.keys(kept).length > 0 && { _meta: kept }) };
}
