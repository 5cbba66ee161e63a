/**
 * TRACE-13: removes correlation ids, state, time zone and place before a message is logged or shown to a model. It keeps a list of harmless
 * keys and removes all others: an unknown key may be the most personal one.
 */
import { changed, isEmpty, isObject, setOwn, type Meta } from './json.js';
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
/** The depth to which `_meta` is searched for. */
const DEPTH = 32;
/** Members whose inside is not searched: arguments and content of a tool are not metadata. */
const PAYLOAD: ReadonlySet<string> = new Set(['arguments', 'structuredContent', 'inputSchema', 'outputSchema']);

interface Rule {
  readonly kept: ReadonlySet<string>;
  readonly mark: string | undefined;
}

function ruleOf({ keep, mark }: RedactOptions): Rule {
  return { kept: keep === undefined ? KEPT : new Set(keep), mark };
}

/** Returns a copy of a message, a result or a part of one, and shares what did not change. */
export function redact<T>(value: T, options: RedactOptions = {}): T {
  return walk(value, ruleOf(options), 0) as T;
}

/** Does the same for a `_meta` object itself. */
export function redactMeta(meta: Meta, options: RedactOptions = {}): Meta {
  return cleaned(meta, ruleOf(options));
}

function walk(value: unknown, rule: Rule, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value;
  if (Array.isArray(value)) {
    const next = value.map((item: unknown) => walk(item, rule, depth + 1));
    return next.some((item, at) => item !== value[at]) ? next : value;
  }
  const source = value as Meta;
  const changes: Meta = {};
  for (const name of Object.keys(source)) {
    const next = member(source, name, rule, depth);
    if (next !== source[name]) setOwn(changes, name, next);
  }
  return isEmpty(changes) ? value : changed(source, changes);
}

function member(holder: Meta, name: string, rule: Rule, depth: number): unknown {
  const value = holder[name];
  if (name === '_meta') return metaIn(value, rule);
  // The other places of the environment: beside `params`, or in them (CTX-21).
  if (name === CLIENT_CONTEXT_SIBLING && (Object.hasOwn(holder, 'method') || Object.hasOwn(holder, 'name'))) return rule.mark;
  return PAYLOAD.has(name) ? value : walk(value, rule, depth + 1);
}

function metaIn(meta: unknown, rule: Rule): unknown {
  if (!isObject(meta)) return rule.mark;
  const next = cleaned(meta, rule);
  return isEmpty(next) && !isEmpty(meta) ? undefined : next;
}

function cleaned(meta: Meta, { kept, mark }: Rule): Meta {
  const names = Object.keys(meta);
  if (names.every((name) => kept.has(name))) return meta;
  const left: Meta = {};
  for (const name of names) {
    if (kept.has(name)) setOwn(left, name, meta[name]);
    else if (mark !== undefined) setOwn(left, name, mark);
  }
  return left;
}
