import type { ConcernName, WireOptions } from './concern.js';
import { concernNames, concerns, facetOf, keysOf, type Given, type MessageKind } from './concerns.js';
import { capabilitiesKey } from './capabilities.js';
import { liftEnvironment, lowerEnvironment } from './environment.js';
import { ignore, type Report } from './issue.js';
import { isObject, own, type Meta } from './json.js';
import { CLIENT_CAPABILITIES, OWN_PREFIX } from './keys.js';
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
  const found = metaOf(message, kind);
  if (found !== undefined && !isObject(found)) {
    report({ concern: 'meta', key: '_meta', problem: 'is not an object, so nothing can be added to it' });
    return message;
  }
  const callers = kind === 'request' ? unguarded(found ?? {}, report) : (found ?? {});
  const meta = merge(kind, callers, values, options, report);
  if (meta === found || (found === undefined && Object.keys(meta).length === 0)) return message;
  const written = withMeta(message, kind, meta);
  if (written === undefined) report({ concern: 'meta', key: '_meta', problem: 'has no place: what should hold it is not an object' });
  return written ?? message;
}

function merge(kind: MessageKind, callers: Meta, values: Outgoing<MessageKind>, options: WriteOptions, report: Report): Meta {
  const added: Meta = {};
  for (const name of concernNames) {
    const value = (values as Partial<Record<ConcernName, unknown>>)[name];
    if (value === undefined) continue;
    const keys = facetOf(name, kind)?.write(value, report, options) ?? {};
    const together = concerns[name].together ?? [];
    const callersSet = together.some((key) => own(callers, key) !== undefined);
    for (const key of Object.keys(keys)) {
      if (!(callersSet && together.includes(key))) added[key] = keys[key];
    }
  }
  const declared = own(added, CLIENT_CAPABILITIES);
  if (declared === undefined) return joined(values.meta, added, callers);
  // The SDK's envelope is not a caller: what this request declares replaces what the client was built with.
  const { [CLIENT_CAPABILITIES]: _, ...rest } = added;
  return { ...joined(values.meta, rest, callers), [capabilitiesKey(callers)]: declared };
}

/** The caller's own object where nothing is to be added, so that an empty layer costs no copy. */
function joined(own: Meta | undefined, added: Meta, callers: Meta): Meta {
  return own === undefined && Object.keys(added).length === 0 ? callers : { ...own, ...added, ...callers };
}

const guardedKeys = keysOf(concernNames.filter((name) => concerns[name].guarded === true));

/** What a caller wrote, without the keys that only the layer may write. */
function unguarded(meta: Meta, report: Report): Meta {
  const refused = Object.keys(meta).filter((key) => key.startsWith(OWN_PREFIX) || guardedKeys.has(key));
  if (refused.length === 0) return meta;
  for (const key of refused) report({ concern: guardedKeys.has(key) ? 'state' : 'meta', key, problem: 'may only be written by the layer' });
  return without(meta, new Set(refused));
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
