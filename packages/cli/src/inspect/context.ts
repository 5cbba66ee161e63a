/** The context of the page as the values that the library takes. */
import type { JsonObject } from 'waybill';
import type { CallValues } from 'waybill/client';
import type { PageContext } from './protocol.js';

export const SWITCHES: readonly string[] = ['elicitation.form', 'elicitation.url', 'sampling', 'sampling.tools', 'roots'];

export const FIRST_CONTEXT: PageContext = {
  language: 'de-AT,de;q=0.9,en;q=0.5',
  timezone: 'Europe/Vienna',
  locale: 'de-AT',
  capabilities: ['elicitation.form'],
  trace: 'start',
};

export function valuesOf(context: PageContext): CallValues {
  const { language, timezone, locale, now, place, capabilities, trace } = context;
  return {
    language: language ?? null,
    environment: { timezone: timezone ?? null, locale: locale ?? null, now: now ?? 'auto', location: place ?? null },
    capabilities: nested(capabilities),
    trace: trace === 'start' ? 'start' : null,
  };
}

/** `['elicitation.form']` as `{ elicitation: { form: {} } }`. */
export function nested(paths: readonly string[]): JsonObject {
  const all: JsonObject = {};
  for (const path of paths) {
    let at = all;
    for (const name of path.split('.')) at = (at[name] ??= {}) as JsonObject;
  }
  return all;
}

/** A context from the page, or the reason why it is none. The library checks the values themselves. */
export function readContext(given: unknown): PageContext | string {
  if (typeof given !== 'object' || given === null) return 'The context is not an object.';
  const { language, timezone, locale, now, place, capabilities, trace } = given as Record<string, unknown>;
  const texts = { language, timezone, locale, now };
  for (const [name, value] of Object.entries(texts)) if (value !== undefined && typeof value !== 'string') return `${name} is not a text.`;
  if (!Array.isArray(capabilities) || !capabilities.every((path) => SWITCHES.includes(path as string)))
    return `capabilities are a list of: ${SWITCHES.join(', ')}.`;
  if (trace !== 'off' && trace !== 'start') return 'trace is "off" or "start".';
  if (place !== undefined && (typeof place !== 'object' || place === null)) return 'place is not an object.';
  const set = Object.fromEntries(Object.entries({ ...texts, place }).filter(([, value]) => value !== undefined && value !== ''));
  return { ...set, capabilities: capabilities as string[], trace };
}
