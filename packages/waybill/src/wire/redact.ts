/**
 * TRACE-13: removes correlation ids, state, time zone and place before a message is logged or shown to a model. It keeps a list of harmless
 * keys and removes all others: an unknown key may be the most personal one.
 */
import { isObject, setOwn, type Meta } from './json.js';
import {
  CLIENT_CONTEXT_SIBLING,
  CONTENT_LANGUAGE,
  LOG_LEVEL,
  PROGRESS_TOKEN,
  PROTOCOL_VERSION,
  REQUIRED_CAPABILITIES,
  WHEN_CAPABILITIES_UNAVAILABLE,
} from './keys.js';

export interface RedactOptions {
  /** Keys of `_meta` that stay. The default keeps keys about the protocol, none about a person. */
  readonly keep?: Iterable<string>;
  /** A text to put in place of each value, so that a log shows there was one. Without it the key is removed, too. */
  readonly mark?: string;
}

const KEPT: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION,
  PROGRESS_TOKEN,
  LOG_LEVEL,
  CONTENT_LANGUAGE,
  REQUIRED_CAPABILITIES,
  WHEN_CAPABILITIES_UNAVAILABLE,
]);
/** Members in which `_meta` may stand at any depth. Arguments and content of a tool are not among them: they are not metadata. */
const DEPTH = 32;
const PAYLOAD: ReadonlySet<string> = new Set(['arguments', 'structuredContent', 'inputSchema', 'outputSchema']);

/** Returns a copy of a message, a result or a part of one, and shares what did not change. */
export function redact<T>(value: T, options: RedactOptions = {}): T {
  const keep = options.keep === undefined ? KEPT : new Set(options.keep);
  return walk(value, keep, options.mark, 0) as T;
}

/** Does the same for a `_meta` object itself. */
export function redactMeta(meta: Meta, options: RedactOptions = {}): Meta {
  return cleaned(meta, options.keep === undefined ? KEPT : new Set(options.keep), options.mark);
}

function walk(value: unknown, keep: ReadonlySet<string>, mark: string | undefined, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value;
  if (Array.isArray(value)) {
    const next = value.map((item: unknown) => walk(item, keep, mark, depth + 1));
    return next.some((item, at) => item !== value[at]) ? next : value;
  }
  const source = value as Meta;
  let copy: Meta | undefined;
  for (const name of Object.keys(source)) {
    const item = source[name];
    const next = name === '_meta' ? metaIn(item, keep, mark) : isSibling(name, source) ? mark : inside(name, item, keep, mark, depth);
    if (next !== item) copy ??= { ...source };
    if (copy !== undefined && next !== item) setOwn(copy, name, next);
  }
  return copy === undefined ? value : without(copy);
}

function inside(name: string, item: unknown, keep: ReadonlySet<string>, mark: string | undefined, depth: number): unknown {
  return PAYLOAD.has(name) ? item : walk(item, keep, mark, depth + 1);
}

/** The other places of the environment: beside `params`, or in them (CTX-21). */
function isSibling(name: string, holder: Meta): boolean {
  return name === CLIENT_CONTEXT_SIBLING && (Object.hasOwn(holder, 'method') || Object.hasOwn(holder, 'name'));
}

function metaIn(meta: unknown, keep: ReadonlySet<string>, mark: string | undefined): unknown {
  if (!isObject(meta)) return mark;
  const next = cleaned(meta, keep, mark);
  return Object.keys(next).length === 0 && Object.keys(meta).length > 0 ? undefined : next;
}

function cleaned(meta: Meta, keep: ReadonlySet<string>, mark: string | undefined): Meta {
  const names = Object.keys(meta);
  if (names.every((name) => keep.has(name))) return meta;
  const kept: Meta = {};
  for (const name of names) {
    if (keep.has(name)) setOwn(kept, name, meta[name]);
    else if (mark !== undefined) setOwn(kept, name, mark);
  }
  return kept;
}

function without(object: Meta): Meta {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
