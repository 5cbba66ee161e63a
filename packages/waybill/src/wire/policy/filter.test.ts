import { describe, expect, it } from 'vitest';
import { decisionsOf, levelsOf, policyFilter, PolicyTally, type PolicyRules } from '../policy.js';
import type { JsonObject, Meta } from '../json.js';
import { STATE_SPELLINGS } from '../keys.js';
import type { PolicyFilterOptions } from './filter.js';

const CONTEXT = 'io.modelcontextprotocol/clientContext';
const DECLARED = 'io.modelcontextprotocol/clientCapabilities';
const PLACE = { city: 'Vienna', region: 'Vienna', country: 'AT', coordinates: { latitude: 48.20849, longitude: 16.37208 } };

function limit(message: object, rules: PolicyRules, options: PolicyFilterOptions & { needed?: JsonObject } = {}) {
  const tally = new PolicyTally();
  const levels = levelsOf(decisionsOf(rules, 'policy'));
  const { needed, ...wire } = options;
  return { message: policyFilter(wire).message(message, levels, tally, { needed }) as Meta, tally };
}
const call = (meta: Meta, more: Meta = {}): Meta => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'x', _meta: meta },
  ...more,
});
const metaIn = (message: Meta): Meta => (message['params'] as { _meta: Meta })._meta;

describe('never removes a field in every spelling and place (D-20)', () => {
  it.each<readonly [field: keyof PolicyRules, key: string, value: unknown]>([
    ['language', 'io.modelcontextprotocol/acceptLanguage', 'de'],
    ['language', 'io.modelcontextprotocol/contentLanguage', 'de'],
    ...[...STATE_SPELLINGS.session, ...STATE_SPELLINGS.server].map((key) => ['state', key, { cart: 1 }] as const),
    ['state', 'dev.waybill/state.conflicts', { session: { cart: [1, 2] } }],
    ['timezone', CONTEXT, { timezone: 'Europe/Vienna' }],
    ['now', CONTEXT, { currentTimestamp: '2026-01-01T00:00:00Z' }],
    ['locale', CONTEXT, { locale: 'de-AT' }],
    ['location', CONTEXT, { userLocation: PLACE }],
    ['location', CONTEXT, { userLocation: 'Vienna' }],
    ['location', CONTEXT, 'Vienna'],
    ['locale', 'openai/locale', 'de-AT'],
    ['location', 'openai/userLocation', { city: 'Vienna', latitude: 48.2 }],
    ['timezone', 'openai/userLocation', { timezone: 'Europe/Vienna' }],
    ...['traceparent', 'tracestate', 'b3', 'uber-trace-id', 'x-b3-traceid', 'sentry-trace', 'x-datadog-trace-id'].map(
      (key) => ['trace', key, '00-1-1-01'] as const,
    ),
    ['baggage', 'baggage', 'a=1'],
    ['baggage', 'uberctx-a', '1'],
    ['capabilities', 'dev.waybill/clientCapabilities', { roots: {} }],
  ])('%s under %s', (field, key, value) => {
    const sent = call({ [key]: value, 'com.example/other': 1 });
    const never = limit(sent, { [field]: 'never' });
    expect(metaIn(never.message)).toEqual({ 'com.example/other': 1 });
    expect(limit(sent, { [field]: 'ask' }).message).toEqual(never.message);
    expect(limit(sent, { [field]: 'always' }).message).toBe(sent);
  });

  it('never applies to the environment beside params, in params, and under a key of its own', () => {
    const sibling = call({}, { clientContext: { timezone: 'Europe/Vienna', locale: 'de' } });
    expect(limit(sibling, { timezone: 'never' }).message['clientContext']).toEqual({ locale: 'de' });
    const inner = { ...call({}), params: { name: 'x', clientContext: { timezone: 'Europe/Vienna' } } };
    expect(limit(inner, { timezone: 'never' }).message['params']).toEqual({ name: 'x' });
    const own = call({ 'com.example/ctx': { timezone: 'Europe/Vienna' }, [CONTEXT]: { timezone: 'Europe/Vienna' } });
    expect(metaIn(limit(own, { timezone: 'never' }, { environmentKey: 'com.example/ctx' }).message)).toEqual({});
  });

  it('never applies to results, errors, notifications and answers inside a request', () => {
    const meta = { traceparent: '00-1-1-01' };
    expect(limit({ id: 1, result: { _meta: meta } }, { trace: 'never' }).message).toEqual({ id: 1, result: { _meta: {} } });
    expect(limit({ id: 1, error: { code: 1, data: { _meta: meta } } }, { trace: 'never' }).message).toEqual({
      id: 1,
      error: { code: 1, data: { _meta: {} } },
    });
    expect(metaIn(limit({ method: 'n', params: { _meta: meta } }, { trace: 'never' }).message)).toEqual({});
    const retry = { id: 1, method: 'tools/call', params: { inputResponses: { q: { action: 'accept', _meta: meta } } } };
    expect(limit(retry, { trace: 'never' }).message['params']).toEqual({ inputResponses: { q: { action: 'accept', _meta: {} } } });
  });

  it('never applies to the configured keys of a propagator', () => {
    expect(metaIn(limit(call({ 'my-trace': 'x' }), { trace: 'never' }, { traceKeys: ['my-trace'] }).message)).toEqual({});
  });

  it('unknown members of an environment leave only if one of its known members may', () => {
    const sent = call({ [CONTEXT]: { timezone: 'UTC', mood: 'good' } });
    expect(metaIn(limit(sent, { timezone: 'never' }).message)).toEqual({ [CONTEXT]: { mood: 'good' } });
    expect(metaIn(limit(sent, { timezone: 'never', now: 'never', locale: 'never', location: 'never' }).message)).toEqual({});
  });

  it('a clock does not tell the offset of a zone that may not leave', () => {
    const sent = call({ [CONTEXT]: { timezone: 'Europe/Vienna', currentTimestamp: '2026-10-25T02:30:00+01:00' } });
    expect(metaIn(limit(sent, { timezone: 'never' }).message)).toEqual({ [CONTEXT]: { currentTimestamp: '2026-10-25T01:30:00.000Z' } });
  });
});

describe('a place is told as exactly as the rule says (CTX-30, D-20)', () => {
  it.each<[PolicyRules['location'], unknown, string]>([
    ['country', { country: 'AT' }, 'country'],
    ['region', { country: 'AT', region: 'Vienna' }, 'region'],
    ['city', { country: 'AT', region: 'Vienna', city: 'Vienna' }, 'city'],
    ['coordinates', { ...PLACE, coordinates: { latitude: 48.21, longitude: 16.37 } }, 'coordinates'],
    ['always', PLACE, 'coordinates'],
  ])('%s', (location, userLocation, precision) => {
    const { message, tally } = limit(call({ [CONTEXT]: { userLocation: PLACE } }), { ...(location && { location }) });
    expect(metaIn(message)).toEqual({ [CONTEXT]: { userLocation } });
    expect([tally.sent, tally.withheld, tally.precision]).toEqual([['location'], [], precision]);
  });

  it('the rule applies to the vendor key too; its members of other names are left out', () => {
    const sent = call({
      'openai/userLocation': { city: 'Vienna', country: 'AT', latitude: 48.2, postcode: '1010', timezone: 'Europe/Vienna' },
    });
    expect(metaIn(limit(sent, { location: 'country' }).message)).toEqual({
      'openai/userLocation': { country: 'AT', timezone: 'Europe/Vienna' },
    });
    expect(metaIn(limit(sent, { location: 'coordinates', timezone: 'never' }).message)).toEqual({
      'openai/userLocation': { city: 'Vienna', country: 'AT', latitude: 48.2 },
    });
  });

  it('a place is withheld if it has nothing as coarse as the rule allows', () => {
    const { tally } = limit(call({ [CONTEXT]: { userLocation: { city: 'Vienna' } } }), { location: 'country' });
    expect([tally.sent, tally.withheld]).toEqual([[], ['location']]);
  });
});

describe('capabilities', () => {
  const declared = {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {} },
    state: {},
    extensions: { 'dev.waybill/context': {}, 'x/y': {} },
  };
  const declaredIn = (rules: PolicyRules, needed?: JsonObject): unknown =>
    metaIn(limit(call({ [DECLARED]: declared }), rules, { ...(needed && { needed }) }).message)[DECLARED];

  it('never declares nothing, which is not the same as no declaration', () => {
    expect(declaredIn({ capabilities: 'never' })).toEqual({});
    const initialize = { id: 1, method: 'initialize', params: { capabilities: { sampling: {} } } };
    expect(limit(initialize, { capabilities: 'never' }).message['params']).toEqual({ capabilities: {} });
  });

  it('minimal declares what the tools need, the state and this layer (D-16)', () => {
    const layer = { state: {}, extensions: { 'dev.waybill/context': {} } };
    expect(declaredIn({ capabilities: 'minimal' }, {})).toEqual(layer);
    expect(declaredIn({ capabilities: 'minimal' }, { elicitation: {} })).toEqual({ ...layer, elicitation: { form: {} } });
    expect(declaredIn({ capabilities: 'minimal' }, { sampling: true, roots: {} })).toEqual({ ...layer, sampling: { tools: {} } });
    expect(declaredIn({ capabilities: 'minimal' }, { extensions: { 'x/y': {} } })).toEqual({
      state: {},
      extensions: { 'dev.waybill/context': {}, 'x/y': {} },
    });
  });

  it('minimal has no effect where the needs are not known (D-16)', () => {
    expect(declaredIn({ capabilities: 'minimal' })).toBe(declared);
  });

  it('a server that may not be sent state is not told that it may keep some', () => {
    expect(declaredIn({ state: 'never' })).not.toHaveProperty('state');
    const old = limit(call({ [DECLARED]: { experimental: { state: {}, other: {} } } }), { state: 'never' });
    expect([metaIn(old.message)[DECLARED], old.tally.withheld]).toEqual([{ experimental: { other: {} } }, ['state']]);
  });
});

describe('headers', () => {
  const levels = levelsOf(decisionsOf({ language: 'never', trace: 'never', baggage: ['a'] }, 'policy'));
  it('never removes headers of any case, and baggage keeps the names on the list (D-20)', () => {
    const tally = new PolicyTally();
    const lines = [
      ['Accept-Language', 'de'],
      ['TraceParent', '00-1-1-01'],
      ['X-B3-TraceId', '1'],
      ['uber-trace-id', '1'],
      ['uberctx-a', '1'],
      ['uberctx-b', '1'],
      ['Baggage', 'a=1,b=2'],
      ['Authorization', 'secret'],
    ] as const;
    expect(policyFilter().headers(lines, levels, tally)).toEqual([
      ['uberctx-a', '1'],
      ['Baggage', 'a=1'],
      ['Authorization', 'secret'],
    ]);
    expect([tally.sent, tally.withheld]).toEqual([['baggage'], ['language', 'trace', 'baggage']]);
  });

  it('the * that runtimes add is not counted as a language, and unchanged lines are the same list', () => {
    const tally = new PolicyTally();
    policyFilter().headers([['accept-language', '*']], levels, tally);
    expect([tally.sent, tally.withheld]).toEqual([[], []]);
    const lines = [['accept', 'x']] as const;
    expect(policyFilter().headers(lines, levels, tally)).toBe(lines);
  });

  it('governs tells which headers a policy may keep back', () => {
    const filter = policyFilter({ traceKeys: ['My-Trace'] });
    expect(['my-trace', 'B3', 'accept-LANGUAGE', 'cookie'].map((name) => filter.governs(name))).toEqual([true, true, true, false]);
  });
});

it('a field is counted once, even if a message has it twice', () => {
  const { tally } = limit(call({ traceparent: 'a', tracestate: 'b', baggage: 'a=1,b=2', [CONTEXT]: { timezone: 'UTC' } }), {
    baggage: ['a'],
  });
  expect([tally.sent, tally.withheld]).toEqual([['timezone', 'trace', 'baggage'], ['baggage']]);
});

it('a value that is not a message is left alone', () => {
  for (const value of [{}, { id: 1 }, { method: 7 }]) expect(limit(value, { trace: 'never' }).message).toBe(value);
  const odd = { id: 1, method: 'x', params: { _meta: 'text' } };
  expect(limit(odd, { trace: 'never' }).message).toBe(odd);
});
