/** Formats of W3C Trace Context and W3C Baggage. */
import { at, isObject } from './json.js';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const STATE_MEMBER =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const OCTETS = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*';
const BAGGAGE_MEMBER = new RegExp(`^${TOKEN}[ \\t]*=[ \\t]*${OCTETS}(?:[ \\t]*;[ \\t]*${TOKEN}(?:[ \\t]*=[ \\t]*${OCTETS})?)*$`);

const members = (text: string) => text.split(',').map((member) => member.trim());

export const FORMATS: Readonly<Record<'traceparent' | 'tracestate' | 'baggage', (value: unknown) => boolean>> = {
  traceparent: (value) => typeof value === 'string' && TRACEPARENT.test(value) && (!value.startsWith('00') || value.length === 55),
  tracestate: (value) => {
    if (typeof value !== 'string') return false;
    const all = members(value).filter((member) => member !== '');
    const keys = new Set(all.map((member) => member.slice(0, member.indexOf('='))));
    return all.length <= 32 && keys.size === all.length && all.every((member) => STATE_MEMBER.test(member));
  },
  baggage: (value) => typeof value === 'string' && members(value).every((member) => BAGGAGE_MEMBER.test(member)),
};

/** A key that carries one of the three under a prefix. */
export const prefixedKey = (meta: unknown): string | undefined =>
  isObject(meta) ? Object.keys(meta).find((key) => /[./](?:traceparent|tracestate|baggage)$/.test(key)) : undefined;

/** The first value of a key that has the wrong format. */
export function malformed(metas: readonly unknown[], key: keyof typeof FORMATS): string | undefined {
  const wrong = metas.map((meta) => at(meta, key)).find((value) => value !== undefined && !FORMATS[key](value));
  return wrong === undefined ? undefined : `${key} is ${JSON.stringify(wrong)}`;
}
