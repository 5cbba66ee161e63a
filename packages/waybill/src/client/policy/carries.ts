import type { Precision } from '../../wire/environment.js';
import { isObject, own } from '../../wire/json.js';
import { PolicyTally, POLICY_FIELDS, type PolicyField, type PolicyFilter, type PolicyLevels } from '../../wire/policy.js';
import type { ClientCall } from '../part.js';
import type { PolicySetup } from '../policy.js';
import type { CallValues } from '../values.js';

/** With state at `never` the filter also finds a message that carries none and only says that the server may keep some. */
const PROBE = { ...Object.fromEntries(POLICY_FIELDS.map((field) => [field, 'always'])), state: 'never' } as unknown as PolicyLevels;

/** The fields that a message carries as it is. */
export function fieldsCarried(message: object, filter: PolicyFilter): readonly PolicyField[] {
  const tally = new PolicyTally();
  filter.message(message, PROBE, tally);
  return [...tally.sent, ...tally.withheld];
}

/** The fields that this call would carry, judged by its values, because the user is asked before any part adds its own. */
export function fieldsOf(call: ClientCall, { everywhere, telemetry, state }: PolicySetup, filter: PolicyFilter): readonly PolicyField[] {
  const { values, method, connection, exchange } = call;
  const fields = new Set(fieldsCarried(exchange.request, filter));
  const add = (field: PolicyField, is: boolean): void => {
    if (is) fields.add(field);
  };
  add('language', isGiven(values.language));
  const { environment } = values;
  if (environment !== null && (method === 'tools/call' || everywhere)) {
    for (const field of ['timezone', 'now', 'locale'] as const) add(field, environment?.[field] !== null);
    add('location', hasPlace(values));
  }
  add('state', state?.nameOf(connection) !== undefined);
  add('trace', isGiven(values.trace) || (values.trace === undefined && telemetry !== undefined));
  add('baggage', telemetry !== undefined || typeof values.trace === 'function' || hasBaggage(values.trace));
  add('capabilities', true);
  return [...fields];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hasPlace({ environment }: CallValues): boolean {
  const place = environment?.location;
  if (typeof place === 'function') return true;
  return isObject(place) && Object.keys(place).some((name) => name !== 'precision');
}

function hasBaggage(trace: unknown): boolean {
  return isObject(trace) && own(trace, 'baggage') !== undefined;
}

/** The precision at which the location would be sent. */
export function precisionOf({ environment }: CallValues): Precision {
  const place = environment?.location;
  return (typeof place === 'object' ? place?.precision : undefined) ?? 'coordinates';
}
