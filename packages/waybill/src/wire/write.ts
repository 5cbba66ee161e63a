import type { ConcernName, WireOptions } from './concern.js';
import { concernNames, concerns, facetOf, keysOf, type GivenValues, type MessageKind } from './concerns.js';
import { capabilitiesKey } from './capabilities.js';
import { liftEnvironment, lowerEnvironment } from './environment.js';
import { ignore, type Report } from './issue.js';
import { changed, EMPTY, isEmpty, isObject, own, without, type Meta } from './json.js';
import { CLIENT_CAPABILITIES, EXTENSION_ID } from './keys.js';
import { kindOf, metaOf, withMeta } from './message.js';
import { isProtectedKey } from './meta.js';

/**
 * Writes context into a message. Each hop writes once, into a copy. A caller's own `_meta` key beats the layer's value, except for state keys
 * in any spelling and for keys with our own prefix: only the layer may write those, and a caller's are dropped and reported.
 */
export interface WriteOptions extends WireOptions {
  readonly onIssue?: Report;
}

/** The values to write, by concern, and the application's own keys under `meta`. */
export type Outgoing<Kind extends MessageKind> = GivenValues<Kind> & { readonly meta?: Meta | undefined };

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

// LANG-23
/** A missing `error.data` becomes an object. One that is not an object stays, and is reported. */
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

/** Keys of `_meta` that the facets have already written. */
interface Spelled {
  readonly added: Meta;
  /** The application's own keys. Everything else beats them. */
  readonly own?: Meta | undefined;
  /** The capabilities of this request; `capabilitiesKey` returns the key. */
  readonly declared?: unknown;
  // D-20
  /** Keys that beat even the caller's. The value undefined removes a key. */
  readonly policy?: Meta | undefined;
}

/** The second half of `writeRequest`, for a sender that writes its values once and uses them for many requests. */
export function addToRequest<M extends object>(message: M, spelled: Spelled, options: WriteOptions = {}): M {
  return add('request', message, spelled, options.onIssue ?? ignore);
}

function add<M extends object>(kind: MessageKind, message: M, spelled: Spelled, report: Report): M {
  const found = metaOf(message, kind);
  if (found !== undefined && !isObject(found)) {
    report({ concern: 'meta', key: '_meta', problem: 'is not an object, so nothing can be added to it' });
    return message;
  }
  const callers = kind === 'request' && found !== undefined ? unprotected(found, report) : (found ?? EMPTY);
  const meta = join(callers, spelled);
  if (meta === found || (found === undefined && isEmpty(meta))) return message;
  const written = withMeta(message, kind, meta);
  if (written === undefined)
    report({ concern: 'meta', key: '_meta', problem: 'has no place: the member that should hold it is not an object' });
  return written ?? message;
}

/** Returns the caller's own object if there is nothing to add, so that an empty layer costs no copy. */
function join(callers: Meta, { added, own: owned, declared, policy }: Spelled): Meta {
  if (owned === undefined && declared === undefined && policy === undefined && isEmpty(added)) return callers;
  const fit = callersSets(callers, added);
  const meta: Meta = owned === undefined && isEmpty(callers) ? { ...fit } : { ...owned, ...fit, ...callers };
  // The SDK's envelope is not a caller: what this request declares replaces what the client was built with.
  if (declared !== undefined) meta[capabilitiesKey(callers)] = declared;
  return policy === undefined ? meta : changed(meta, policy);
}

const sets = concernNames.flatMap((name) => (concerns[name].together ? [concerns[name].together] : []));

/** Leaves out keys that only make sense together, if the caller wrote one of them. */
function callersSets(callers: Meta, added: Meta): Meta {
  for (const set of sets) {
    for (const key of set) if (own(callers, key) !== undefined) return without(added, set);
  }
  return added;
}

const stateKeys = keysOf(['state']);

/** Drops and reports the keys of a caller that only the layer may write. */
function unprotected(meta: Meta, report: Report): Meta {
  let refused: string[] | undefined;
  for (const key in meta) if (isProtectedKey(key)) (refused ??= []).push(key);
  if (refused === undefined) return meta;
  for (const key of refused) {
    // A server that passes on the `_meta` of its own request does nothing wrong: the server half left its ticket there.
    if (key === EXTENSION_ID) continue;
    report({ concern: stateKeys.has(key) ? 'state' : 'meta', key, problem: 'may only be written by the layer' });
  }
  return without(meta, refused);
}

/** Removes every key of the named concerns from a message of any kind, in every spelling and place. */
export function strip<M extends object>(message: M, names: readonly ConcernName[], options: WireOptions = {}): M {
  const kind = kindOf(message);
  if (kind === undefined) return message;
  // Lifting moves the environment from its other places under its one key, which is then removed with the rest.
  const lifted = names.includes('environment') && kind === 'request' ? liftEnvironment(message, options) : message;
  const meta = metaOf(lifted, kind);
  if (!isObject(meta)) return lifted;
  const kept = without(meta, keysOf(names, options));
  const left = Object.keys(kept).length;
  if (left === Object.keys(meta).length) return lifted;
  return withMeta(lifted, kind, left === 0 ? undefined : kept) ?? lifted;
}
