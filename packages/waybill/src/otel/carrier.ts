/**
 * Connects any propagator of OpenTelemetry with `_meta` and HTTP headers. The wire checks values before a propagator reads them, so a
 * malformed value is ignored and reported with every propagator (D-13). Values that it writes pass the allow-list of baggage (D-20).
 */
import { propagation, trace, type Context, type TextMapGetter, type TextMapPropagator, type TextMapSetter } from '@opentelemetry/api';
import { fieldValue, type HeaderSource } from '../wire/headers.js';
import { own, type Meta } from '../wire/json.js';
import { BAGGAGE, PROGRESS_TOKEN, TRACEPARENT, TRACESTATE } from '../wire/keys.js';
import { isMetaKey } from '../wire/meta.js';
import { filterBaggage, trace as wire, traceIn, type TraceContext } from '../wire/trace.js';
import { foreignBaggage } from '../wire/trace/foreign.js';
import type { Settings } from './options.js';

type CarrierTexts = Record<string, string>;

/** The longest value of another propagator's key that is read or sent. */
const MAX_VALUE = 8192;
const W3C: readonly string[] = [TRACEPARENT, TRACESTATE, BAGGAGE];

interface Incoming {
  /** The W3C keys, checked. */
  readonly checked: TraceContext | undefined;
  readonly allowed: ReadonlySet<string> | undefined;
  other(key: string): string | undefined;
  names(): string[];
}

const getter: TextMapGetter<Incoming> = {
  keys: (incoming) => [...Object.keys(incoming.checked ?? {}), ...incoming.names().filter((name) => !W3C.includes(name))],
  get(incoming, key) {
    const { checked, allowed } = incoming;
    if (key === TRACEPARENT || key === TRACESTATE) return checked?.[key];
    if (key === BAGGAGE) return checked?.baggage && (allowed === undefined ? checked.baggage : filterBaggage(checked.baggage, allowed));
    return isAllowed(key, allowed) ? incoming.other(key) : undefined;
  },
};

/** True for a key that a propagator may use: a bare name, as SEP-414 has it for W3C, and not one of MCP. */
function isTheirs(key: string): boolean {
  return isMetaKey(key) && !key.includes('/') && key !== PROGRESS_TOKEN;
}

export interface Carrier {
  /** Returns keys for a context; `undefined` if there are none. */
  inject(context: Context): CarrierTexts | undefined;
  /** Reads the trace in `_meta` into a context without a span. */
  fromMeta(onto: Context, meta: Meta): Context;
  fromHeaders(onto: Context, headers: HeaderSource): Context;
  /** The keys of a trace: those of W3C and those of the propagator. */
  fields(): readonly string[];
}

export function createCarrier(settings: Settings, given: TextMapPropagator | undefined): Carrier {
  const { fault, guard, report, outgoingBaggage, incomingBaggage: allowed } = settings;
  const propagator = given ?? propagation;
  const setter: TextMapSetter<CarrierTexts> = {
    set(carried, key, value: unknown) {
      if (typeof value !== 'string' || value.length > MAX_VALUE) return;
      if (key === BAGGAGE) {
        const kept = outgoingBaggage.size === 0 ? undefined : filterBaggage(value, outgoingBaggage);
        if (kept !== undefined) carried[key] = kept;
      } else if (key === TRACEPARENT || key === TRACESTATE || (isTheirs(key) && isAllowed(key, outgoingBaggage))) carried[key] = value;
    },
  };
  const extract = (onto: Context, incoming: Incoming): Context => {
    try {
      const found = propagator.extract(onto, incoming, getter);
      if (incoming.checked?.traceparent !== undefined || found === onto) return found;
      // A value that nobody checked may give a context without a span.
      const span = trace.getSpanContext(found);
      return span !== undefined && !trace.isSpanContextValid(span) ? trace.deleteSpan(found) : found;
    } catch (error) {
      fault(error);
      return onto;
    }
  };
  return {
    inject(context) {
      const carried: CarrierTexts = {};
      try {
        propagator.inject(context, carried, setter);
      } catch (error) {
        fault(error);
      }
      for (const _ in carried) return carried;
      return undefined;
    },
    fromMeta(onto, meta) {
      const text = (key: string): string | undefined => {
        const value = own(meta, key);
        return typeof value === 'string' && value.length <= MAX_VALUE ? value : undefined;
      };
      const names = (): string[] => Object.keys(meta).filter((key) => text(key) !== undefined);
      return extract(onto, { checked: wire.request.read(meta, report, {}), allowed, other: text, names });
    },
    fromHeaders(onto, headers) {
      const text = (key: string): string | undefined => {
        const value = fieldValue(headers, key);
        return value === undefined || value.length > MAX_VALUE ? undefined : value;
      };
      const names = (): string[] => headerNames(headers);
      return extract(onto, { checked: traceIn(headers, report), allowed, other: text, names });
    },
    fields: () => [...W3C, ...(guard(() => propagator.fields()) ?? [])],
  };
}

/** Jaeger and OpenTracing spread their baggage over many keys. The allow-list applies to each of them. */
function isAllowed(key: string, allowed: ReadonlySet<string> | undefined): boolean {
  const name = foreignBaggage(key);
  return allowed === undefined || name === undefined || allowed.has(name);
}

function headerNames(headers: HeaderSource): string[] {
  const keys = (headers as { keys?: () => Iterable<string> }).keys;
  const names = typeof keys === 'function' ? [...keys.call(headers)] : Object.keys(headers);
  return names.map((name) => name.toLowerCase());
}
