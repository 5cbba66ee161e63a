import type { ConcernName, WireOptions } from './concern.js';
import { concernNames, concerns, facetOf, keysOf, type Given, type MessageKind } from './concerns.js';
import { capabilitiesKey } from './capabilities.js';
import { liftEnvironment, lowerEnvironment } from './environment.js';
import { ignore, type Report } from './issue.js';
import { isEmpty, isObject, own, type Meta } from './json.js';
import { CLIENT_CAPABILITIES, EXTENSION_ID, OWN_PREFIX } from './keys.js';
import { kindOf, metaOf, withMeta } from './message.js';

/**
 * Context in, a new message out: one write per hop. The message given is never changed.
 * A caller's own `_meta` key beats the layer's value (house rule 5), except state keys in any spelling and our own
 * prefix, which only the layer may write: a caller's are dropped and reported.
 */
export interface WriteOptions extends WireOptions {
  readonly onIssue?: Report;
}

/** What goes out: a value per concern, and keys of the application's own under `meta` (SEP-414). */
export type Outgoing<Kind extends MessageKind> = Given<Kind> & { readonly meta?: Meta | undefined };

export function writeRequest<M extends object>(message: M, values: Outgoing<'request'>, options: WriteOptions = {}): M {
  const written = write('request', message, values, options);
  return options.wire === 'seed' ? lowerEnvironment(written, options) : written;
}

export function writeNotification<M extends object>(message: M, values: Outgoing<'notification'>, options: WriteOptions = {}): M {
  return write('notification', message, values, options);
}

export function writeResult<M extends object>(message: M, values: Outgoing<'result'>, options: WriteOptions = {}): M {
  return write('result', message, values, options);
}

/** LANG-23: `error.data` becomes an object where there was none; one that is something else is left alone and reported. */
export function writeError<M extends object>(message: M, values: Outgoing<'error'>, options: WriteOptions = {}): M {
  return write('error', message, values, options);
}

function write<M extends object>(kind: MessageKind, message: M, values: Outgoing<MessageKind>, options: WriteOptions): M {
  const report = options.onIssue ?? ignore;
  const added: Meta = {};
  for (const name of concernNames) {
    const value = (values as Partial<Record<ConcernName, unknown>>)[name];
    if (value !== undefined) Object.assign(added, facetOf(name, kind)?.write(value, report, options));
  }
  const { [CLIENT_CAPABILITIES]: declared, ...rest } = added;
  const spelled = declared === undefined ? { added, own: values.meta } : { added: rest, own: values.meta, declared };
  return add(kind, message, spelled, report);
}

/** Keys of `_meta` that are spelled already, by the facets of their concerns. */
export interface Spelled {
  readonly added: Meta;
  /** The application's own, which everything else beats. */
  readonly own?: Meta | undefined;
  /** What this request declares, whatever key that has in it. */
  readonly declared?: unknown;
  /** What beats even the caller (D-20); `undefined` takes a key out. */
  readonly policy?: Meta | undefined;
}

/** The second half of `writeRequest`, for a sender whose values stay the same from request to request: it spells them once. */
export function addToRequest<M extends object>(message: M, spelled: Spelled, options: WriteOptions = {}): M {
  return add('request', message, spelled, options.onIssue ?? ignore);
}

function add<M extends object>(kind: MessageKind, message: M, spelled: Spelled, report: Report): M {
  const found = metaOf(message, kind);
  if (found !== undefined && !isObject(found)) {
    report({ concern: 'meta', key: '_meta', problem: 'is not an object, so nothing can be added to it' });
    return message;
  }
  const callers = kind === 'request' && found !== undefined ? unguarded(found, report) : (found ?? NOTHING);
  const meta = join(callers, spelled);
  if (meta === found || (found === undefined && isEmpty(meta))) return message;
  const written = withMeta(message, kind, meta);
  if (written === undefined) report({ concern: 'meta', key: '_meta', problem: 'has no place: what should hold it is not an object' });
  return written ?? message;
}

const NOTHING: Meta = Object.freeze({});

/** The caller's own object where nothing is to be added, so that an empty layer costs no copy. */
function join(callers: Meta, { added, own: owned, declared, policy }: Spelled): Meta {
  if (owned === undefined && declared === undefined && policy === undefined && isEmpty(added)) return callers;
  const fit = callersSets(callers, added);
  const meta: Meta = owned === undefined && isEmpty(callers) ? { ...fit } : { ...owned, ...fit, ...callers };
  // The SDK's envelope is not a caller: what this request declares replaces what the client was built with.
  if (declared !== undefined) meta[capabilitiesKey(callers)] = declared;
  return policy === undefined ? meta : withPolicy(meta, policy);
}

const sets = concernNames.flatMap((name) => (concerns[name].together ? [concerns[name].together] : []));

/** Without the keys of a set of which the caller wrote one: they only make sense from one hand. */
function callersSets(callers: Meta, added: Meta): Meta {
  for (const set of sets) {
    for (const key of set) if (own(callers, key) !== undefined) return without(added, new Set(set));
  }
  return added;
}

function withPolicy(meta: Meta, policy: Meta): Meta {
  const bound = { ...meta, ...policy };
  return without(bound, new Set(Object.keys(policy).filter((key) => policy[key] === undefined)));
}

const guardedKeys = keysOf(concernNames.filter((name) => concerns[name].guarded === true));

/** What a caller wrote, without the keys that only the layer may write. */
function unguarded(meta: Meta, report: Report): Meta {
  let refused: string[] | undefined;
  for (const key in meta) if (isGuarded(key)) (refused ??= []).push(key);
  if (refused === undefined) return meta;
  for (const key of refused) {
    // A server that passes on the `_meta` of its own request does nothing wrong: the server half left its ticket there.
    if (key === EXTENSION_ID) continue;
    report({ concern: guardedKeys.has(key) ? 'state' : 'meta', key, problem: 'may only be written by the layer' });
  }
  return without(meta, new Set(refused));
}

function isGuarded(key: string): boolean {
  return key.startsWith(OWN_PREFIX) || guardedKeys.has(key);
}

function without(meta: Meta, keys: ReadonlySet<string>): Meta {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !keys.has(key)));
}

/** Takes every key of the named concerns out of a message of any kind, in every spelling and carrier. */
export function strip<M extends object>(message: M, names: readonly ConcernName[], options: WireOptions = {}): M {
  const kind = kindOf(message);
  if (kind === undefined) return message;
  // Lifting first brings every carrier of the environment under its one key, which then goes with the rest.
  const lifted = names.includes('environment') && kind === 'request' ? liftEnvironment(message, options) : message;
  const meta = metaOf(lifted, kind);
  if (!isObject(meta)) return lifted;
  const kept = without(meta, keysOf(names, options));
  const left = Object.keys(kept).length;
  if (left === Object.keys(meta).length) return lifted;
  return withMeta(lifted, kind, left === 0 ? undefined : kept) ?? lifted;
}
