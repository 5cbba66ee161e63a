/** The parts of a message's `_meta` that belong to a concern, one line each: the page shows them before the whole message. */
import type { ConcernName } from 'waybill';
import { pathsOf } from '../../cli/src/differences.js';
import { concernOf } from './concerns.js';

export interface Fact {
  readonly concern: ConcernName;
  readonly label: string;
  readonly text: string;
}

/** `io.modelcontextprotocol/acceptLanguage` is shown as `acceptLanguage`. */
export const shortKey = (key: string): string => key.split('/').at(-1) ?? key;

export function factsOf(meta: object | undefined): Fact[] {
  return Object.entries(meta ?? {}).flatMap(([key, value]: [string, unknown]): Fact[] => {
    const concern = concernOf(key);
    if (concern === undefined) return [];
    if (concern === 'capabilities') return [{ concern, label: shortKey(key), text: pathsOf(value as object).join(', ') }];
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [{ concern, label: shortKey(key), text: textOf(value) }];
    return Object.entries(value).map(([name, each]) => ({ concern, label: name, text: textOf(each) }));
  });
}

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

interface Message {
  readonly params?: { readonly _meta?: object };
  readonly result?: { readonly _meta?: object };
  readonly error?: { readonly data?: { readonly _meta?: object } };
}

/** The `_meta` of a request, of a result or of an error. */
export function metaOf(message: unknown): object | undefined {
  const { params, result, error } = (message ?? {}) as Message;
  return params?._meta ?? result?._meta ?? error?.data?._meta;
}
