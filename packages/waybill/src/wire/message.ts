/** The four shapes of a JSON-RPC message, and the place of `_meta` in each. */
import type { MessageKind } from './concerns.js';
import { changed, holding, isObject, own, type Meta } from './json.js';

export function kindOf(message: unknown): MessageKind | undefined {
  if (!isObject(message)) return undefined;
  const id = own(message, 'id');
  if (typeof own(message, 'method') === 'string') return id === undefined ? 'notification' : 'request';
  const error = own(message, 'error');
  if (isObject(error)) return 'error';
  return id !== undefined && isObject(own(message, 'result')) ? 'result' : undefined;
}

/** The members that lead from the message to the object with `_meta`: `params`, `result`, or `error` and its `data` (LANG-22…24). */
const PATHS: Readonly<Record<MessageKind, readonly string[]>> = {
  request: ['params'],
  notification: ['params'],
  result: ['result'],
  error: ['error', 'data'],
};

/** Returns the value under `_meta`, even if it is not an object; undefined if there is none. */
export function metaOf(message: unknown, kind: MessageKind): unknown {
  let holder: unknown = message;
  for (const step of PATHS[kind]) {
    if (!isObject(holder)) return undefined;
    holder = own(holder, step);
  }
  return isObject(holder) ? own(holder, '_meta') : undefined;
}

/**
 * Returns a copy of the message with another `_meta`, sharing everything else. A `meta` of undefined removes it. Returns undefined if there
 * is no place for `_meta`, for example in an `error.data` that is a text.
 */
export function withMeta<M extends object>(message: M, kind: MessageKind, meta: Meta | undefined): M | undefined {
  // The short way for requests and results, which pass here on every call.
  if (meta !== undefined && (kind === 'request' || kind === 'result')) {
    const name = kind === 'request' ? 'params' : 'result';
    const holder = own(message, name);
    if (isObject(holder)) return holding(message as Meta, name, holding(holder, '_meta', meta)) as M;
  }
  return place(message as Record<string, unknown>, PATHS[kind], meta) as M | undefined;
}

function place(holder: Record<string, unknown>, path: readonly string[], meta: Meta | undefined): Record<string, unknown> | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return changed(holder, { _meta: meta });
  const inner = own(holder, step);
  if (inner === undefined && meta === undefined) return holder;
  if (inner !== undefined && !isObject(inner)) return undefined;
  const placed = place(inner ?? {}, rest, meta);
  return placed && { ...holder, [step]: placed };
}

/** The lists of the protocol, which come page by page. A server may vary them by the context of the request (IX-01). */
export const LIST_METHODS: readonly string[] = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
