import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environment, formatTimestamp, limitLocation, parseTimestamp, stampNow } from './environment.js';
import { ignore, type Issue } from './issue.js';
import type { Meta } from './json.js';
import { ACCEPT_LANGUAGE, BAGGAGE, CLIENT_CAPABILITIES, CLIENT_CONTEXT, OWN_CLIENT_CAPABILITIES, PROTOCOL_VERSION } from './keys.js';
import { OPENAI_LOCATION, TRACEPARENT, TRACESTATE } from './keys.js';
import { addToRequest } from './write.js';

const request = (meta?: unknown): Record<string, unknown> => ({
  id: 1,
  method: 'tools/call',
  params: { name: 'x', ...(meta !== undefined && { _meta: meta }) },
});

describe('keys that are written ahead', () => {
  it.each([
    ['nothing to add leaves the message unchanged', { a: 1 }, { added: {} }, { a: 1 }],
    [
      'a caller’s own key wins',
      { [ACCEPT_LANGUAGE]: 'de' },
      { added: { [ACCEPT_LANGUAGE]: 'fr', b: 2 } },
      { [ACCEPT_LANGUAGE]: 'de', b: 2 },
    ],
    ['everything beats the application’s own', {}, { added: { b: 2 }, own: { b: 1, c: 3 } }, { b: 2, c: 3 }],
    [
      'a caller’s trace keeps our tracestate out',
      { [TRACEPARENT]: 'x' },
      { added: { [TRACEPARENT]: 'y', [TRACESTATE]: 'z', b: 1 } },
      { [TRACEPARENT]: 'x', b: 1 },
    ],
    [
      'a declaration on an envelope replaces the envelope’s own',
      { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} },
      { added: {}, declared: { roots: {} } },
      { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: { roots: {} } },
    ],
    [
      'a declaration without an envelope has our own key',
      undefined,
      { added: {}, declared: { roots: {} } },
      { [OWN_CLIENT_CAPABILITIES]: { roots: {} } },
    ],
    [
      'D-20: the policy beats a caller, and removes keys',
      { [BAGGAGE]: 'a=1', b: 1, c: 1 },
      { added: {}, policy: { [BAGGAGE]: undefined, b: 2 } },
      { b: 2, c: 1 },
    ],
  ])('%s', (_what, callers, spelled, expected) => {
    const message = request(callers);
    const before = structuredClone(message);
    const written = addToRequest(message, spelled);
    expect(written['params']).toEqual({ name: 'x', _meta: expected });
    expect(message).toEqual(before);
  });

  it('addToRequest makes params for a request without them, and reports a message without a place for them', () => {
    expect(addToRequest({ id: 1, method: 'ping' }, { added: { b: 1 } })).toEqual({ id: 1, method: 'ping', params: { _meta: { b: 1 } } });
    const issues: Issue[] = [];
    const odd = { id: 1, method: 'ping', params: [1] };
    expect(addToRequest(odd, { added: { b: 1 } }, { onIssue: (issue) => issues.push(issue) })).toBe(odd);
    expect(issues).toHaveLength(1);
  });
});

describe('our clock', () => {
  it.each([
    [Date.UTC(2026, 9, 25, 0, 30), 120, '2026-10-25T02:30:00.000+02:00'],
    [Date.UTC(2026, 9, 25, 1, 30), 60, '2026-10-25T02:30:00.000+01:00'],
    [Date.UTC(2026, 0, 1), -210, '2025-12-31T20:30:00.000-03:30'],
    [5, 0, '1970-01-01T00:00:00.005+00:00'],
    [5, undefined, '1970-01-01T00:00:00.005Z'],
    [0, -0.5, '1970-01-01T00:00:00.000+00:00'],
  ])('CTX-04: %d at offset %s is %s', (epoch, offset, text) => {
    expect(formatTimestamp(epoch, offset).text).toBe(text);
  });

  it('CTX-04: for every offset the text is a timestamp of the same instant', () => {
    const moment = fc.integer({ min: Date.UTC(1, 0, 3), max: Date.UTC(9998, 0, 1) });
    fc.assert(
      fc.property(moment, fc.double({ min: -1439, max: 1439, noNaN: true }), (epoch, offset) => {
        const made = formatTimestamp(epoch, offset);
        expect(parseTimestamp(made.text)).toEqual(made);
        expect(made.epochMilliseconds).toBe(epoch);
      }),
    );
  });

  it('CTX-13: each call gets its own time in an environment that was written once', () => {
    const now = formatTimestamp(0, 60);
    const spelled = environment.request.write({ timezone: 'Europe/Vienna' }, ignore, {});
    const stamped = (keys: Meta): Meta => {
      const added = {};
      stampNow(keys)(added, now.text);
      return added;
    };
    expect(stamped(spelled)).toEqual(environment.request.write({ timezone: 'Europe/Vienna', now }, ignore, {}));
    expect(stamped({})).toEqual(environment.request.write({ now }, ignore, {}));
  });
});

describe('a location that a caller wrote', () => {
  const place = { city: 'Wien', country: 'AT', coordinates: { latitude: 48.20817, longitude: 16.37382 } };
  const context = { timezone: 'Europe/Vienna', userLocation: place };
  it.each([
    ['nothing to limit', { [CLIENT_CONTEXT]: { timezone: 'Europe/Vienna' } }, undefined, undefined],
    ['none allowed', { [CLIENT_CONTEXT]: context }, undefined, { [CLIENT_CONTEXT]: { timezone: 'Europe/Vienna' } }],
    [
      'a country',
      { [CLIENT_CONTEXT]: context },
      'country' as const,
      { [CLIENT_CONTEXT]: { timezone: 'Europe/Vienna', userLocation: { country: 'AT' } } },
    ],
    ['a place that is none', { [CLIENT_CONTEXT]: { userLocation: 7 } }, 'city' as const, { [CLIENT_CONTEXT]: {} }],
    ['a vendor’s spelling', { [OPENAI_LOCATION]: { city: 'Wien' } }, 'city' as const, { [OPENAI_LOCATION]: undefined }],
  ])('D-20: a caller’s location is no finer than the policy allows: %s', (_what, meta, precision, expected) => {
    expect(limitLocation(meta, precision)).toEqual(expected);
  });
});
