/**
 * D-20: removes from one message and its headers what a policy withholds from a server, in every spelling and place, no matter who wrote
 * it. Pure: the client runs it on each message as it leaves, and a gateway on each message it passes on.
 */
import { leastCapabilities } from '../capabilities/match.js';
import type { WireOptions } from '../concern.js';
import { concerns, keysOf } from '../concerns.js';
import { environmentKey } from '../environment/carrier.js';
import { ACCEPT_LANGUAGE_HEADER, CONTENT_LANGUAGE_HEADER } from '../headers.js';
import { changed, isEmpty, isObject, own, setOwn, type JsonObject, type Meta } from '../json.js';
import {
  BAGGAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CLIENT_CONTEXT_SIBLING,
  OPENAI_LOCALE,
  OPENAI_LOCATION,
  OWN_CLIENT_CAPABILITIES,
  TRACEPARENT,
  TRACESTATE,
} from '../keys.js';
import { kindOf, metaOf, withMeta } from '../message.js';
import { filterBaggage } from '../trace/baggage.js';
import { foreignBaggage, isForeignTrace } from '../trace/foreign.js';
import { limitEnvironment, limitFlatPlace } from './environment.js';
import { passes, type PolicyField, type PolicyLevels, type PolicyTally } from './fields.js';

export interface PolicyFilterOptions extends WireOptions {
  /** Further keys and headers that tell of a trace: the fields of a propagator. */
  readonly traceKeys?: readonly string[];
}

export interface LimitAbout {
  /** The capabilities that the tools of this server need, for `minimal`. Without it `minimal` changes nothing. */
  readonly needed?: JsonObject | undefined;
}

const NOTHING_KNOWN: LimitAbout = {};

export interface PolicyFilter {
  /** The message as it may leave; the same object if nothing changes. */
  message<M extends object>(message: M, levels: PolicyLevels, tally: PolicyTally, about?: LimitAbout): M;
  /** The header lines that may leave; the same list if nothing changes. */
  headers(lines: readonly HeaderLine[], levels: PolicyLevels, tally: PolicyTally): readonly HeaderLine[];
  /** True if a policy may keep this header back. */
  governs(header: string): boolean;
}

export type HeaderLine = readonly [name: string, value: string];

/** Returns what is left of a value: the value itself, another one, or undefined if nothing may leave. */
type Limit = (value: unknown, levels: PolicyLevels, tally: PolicyTally, about: LimitAbout) => unknown;

export function policyFilter(options: PolicyFilterOptions = {}): PolicyFilter {
  const keys = new Map<string, Limit>([
    ...concerns.language.keys({}).map((key) => [key, whole('language')] as const),
    ...[...keysOf(['state'])].map((key) => [key, whole('state')] as const),
    ...[CLIENT_CONTEXT, environmentKey(options)].map((key) => [key, limitEnvironment] as const),
    ...[TRACEPARENT, TRACESTATE, ...(options.traceKeys ?? [])].map((key) => [key, whole('trace')] as const),
    [OPENAI_LOCALE, whole('locale')],
    [OPENAI_LOCATION, limitFlatPlace],
    [BAGGAGE, limitBaggage],
    [CLIENT_CAPABILITIES, (value, levels, tally, about) => limitDeclaration(value, levels, tally, about) ?? {}],
    [OWN_CLIENT_CAPABILITIES, limitLegacyDeclaration],
  ]);
  const headers = new Map<string, Limit>([
    ...[ACCEPT_LANGUAGE_HEADER, CONTENT_LANGUAGE_HEADER].map((name) => [name.toLowerCase(), limitLanguageHeader] as const),
    ...[TRACEPARENT, TRACESTATE, ...(options.traceKeys ?? [])].map((name) => [name.toLowerCase(), whole('trace')] as const),
    [BAGGAGE, limitBaggage],
  ]);

  const limitMeta: Limit = (meta, levels, tally, about) => {
    if (!isObject(meta)) return meta;
    let changes: Meta | undefined;
    for (const key of Object.keys(meta)) {
      const limit = keys.get(key) ?? foreign(key);
      if (limit === undefined) continue;
      const value = meta[key];
      const next = value === undefined ? value : limit(value, levels, tally, about);
      if (next !== value) (changes ??= {})[key] = next;
    }
    return changes === undefined ? meta : changed(meta, changes);
  };

  return {
    message(message, levels, tally, about = NOTHING_KNOWN) {
      const kind = kindOf(message);
      if (kind === undefined) return message;
      const meta = metaOf(message, kind);
      const limited = limitMeta(meta, levels, tally, about);
      const next = limited === meta ? message : (withMeta(message, kind, limited as Meta) ?? message);
      return kind === 'request' ? (limitElsewhere(next as Meta, limitMeta, levels, tally, about) as typeof message) : next;
    },
    headers(lines, levels, tally) {
      const kept = lines.flatMap((line): HeaderLine[] => {
        const [name, value] = line;
        const limit = limitOf(name);
        const next = limit === undefined ? value : limit(value, levels, tally, NOTHING_KNOWN);
        if (next === value) return [line];
        return typeof next === 'string' ? [[name, next]] : [];
      });
      return kept.length === lines.length && kept.every((line, at) => line === lines[at]) ? lines : kept;
    },
    governs: (header) => limitOf(header) !== undefined,
  };

  function limitOf(header: string): Limit | undefined {
    const name = header.toLowerCase();
    return headers.get(name) ?? foreign(name);
  }
}

function whole(field: PolicyField): Limit {
  return (value, levels, tally) => (tally.count(field, levels[field]) ? value : undefined);
}

/** `*`, which some runtimes add unasked, tells nothing. */
const limitLanguageHeader: Limit = (value, levels, tally) => {
  if (value === '*') return passes(levels.language) ? value : undefined;
  return tally.count('language', levels.language) ? value : undefined;
};

const limitBaggage: Limit = (value, levels, tally) => {
  const { baggage: level } = levels;
  if (typeof level === 'string') return tally.count('baggage', level) ? value : undefined;
  const kept = typeof value === 'string' ? filterBaggage(value, level) : undefined;
  if (kept !== value) tally.withhold('baggage');
  if (kept !== undefined) tally.count('baggage', 'always');
  return kept;
};

/** Bare names of other tracing systems; `_meta` keys with a slash are none. */
function foreign(key: string): Limit | undefined {
  if (key.includes('/')) return undefined;
  if (isForeignTrace(key)) return whole('trace');
  const name = foreignBaggage(key);
  if (name === undefined) return undefined;
  return (value, levels, tally) => {
    const { baggage: level } = levels;
    const leaves = typeof level === 'string' ? passes(level) : level.includes(name);
    return tally.count('baggage', leaves ? 'always' : 'never') ? value : undefined;
  };
}

const limitDeclaration: Limit = (value, levels, tally, { needed }) => {
  const { capabilities: level } = levels;
  if (!isObject(value)) return passes(level) ? value : undefined;
  const declared = passes(levels.state) ? value : withoutState(value);
  if (declared !== value) tally.withhold('state');
  if (isEmpty(declared)) return declared;
  if (!passes(level)) {
    tally.withhold('capabilities');
    return undefined;
  }
  if (level !== 'minimal' || needed === undefined) {
    tally.count('capabilities', 'always');
    return declared;
  }
  tally.isMinimal = true;
  const least = leastCapabilities(declared as JsonObject, needed);
  if (JSON.stringify(least).length < JSON.stringify(declared).length) tally.withhold('capabilities');
  if (!isEmpty(least)) tally.count('capabilities', 'always');
  return least;
};

/** D-16: on 2025-11-25 capabilities are declared once, before any tool is known, so `minimal` has no effect there. */
const limitLegacyDeclaration: Limit = (value, levels, tally) => limitDeclaration(value, levels, tally, NOTHING_KNOWN);

/** A server that may not be sent state is not told that it may keep some. */
function withoutState(declared: Meta): Meta {
  const experimental = own(declared, 'experimental');
  const isExperimental = isObject(experimental) && Object.hasOwn(experimental, 'state');
  if (!Object.hasOwn(declared, 'state') && !isExperimental) return declared;
  const rest = changed(declared, { state: undefined });
  return isExperimental ? { ...rest, experimental: changed(experimental, { state: undefined }) } : rest;
}

/**
 * The places of a request outside its `_meta`: the environment beside or in `params`, the capabilities of `initialize`, answers of the
 * user.
 */
function limitElsewhere(message: Meta, limitMeta: Limit, levels: PolicyLevels, tally: PolicyTally, about: LimitAbout): Meta {
  const next = limitMember(message, CLIENT_CONTEXT_SIBLING, limitEnvironment, levels, tally, about);
  const params = own(next, 'params');
  if (!isObject(params)) return next;
  const method = own(next, 'method');
  let inner = params;
  if (method === 'tools/call') inner = limitMember(inner, CLIENT_CONTEXT_SIBLING, limitEnvironment, levels, tally, about);
  if (method === 'initialize') inner = limitMember(inner, 'capabilities', limitInitialize, levels, tally, about);
  if (own(inner, 'inputResponses') !== undefined)
    inner = limitMember(inner, 'inputResponses', limitResponses(limitMeta), levels, tally, about);
  return inner === params ? next : { ...next, params: inner };
}

const limitInitialize: Limit = (value, levels, tally, about) => limitLegacyDeclaration(value, levels, tally, about) ?? {};

function limitMember(holder: Meta, name: string, limit: Limit, levels: PolicyLevels, tally: PolicyTally, about: LimitAbout): Meta {
  const value = own(holder, name);
  const next = value === undefined ? value : limit(value, levels, tally, about);
  return next === value ? holder : changed(holder, { [name]: next });
}

/** The answers to questions of the server are results with a `_meta` of their own. */
function limitResponses(limitMeta: Limit): Limit {
  return (responses, levels, tally, about) => {
    if (!isObject(responses)) return responses;
    let kept: Meta | undefined;
    for (const [key, response] of Object.entries(responses)) {
      if (!isObject(response)) continue;
      const next = limitMember(response, '_meta', limitMeta, levels, tally, about);
      if (next !== response) setOwn((kept ??= { ...responses }), key, next);
    }
    return kept ?? responses;
  };
}
